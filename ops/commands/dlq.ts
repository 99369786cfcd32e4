// `sds dlq`: refused records, and parts of records, with their reason and payload.
import { Command } from 'commander';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { CommandFailure, print, table, wholeNumber, withCatalogs } from '../session/command.ts';

type ListOptions = { code?: string; source?: string; cursor?: string; limit: string };

export function dlqCommand(): Command {
  const dlq = new Command('dlq').description('dead letters');
  dlq
    .command('list')
    .description('newest refusals last')
    .option('--code <code>', 'with this code only')
    .option('--source <source>', 'of this source only')
    .option('--limit <n>', 'at most this many', '100')
    .option('--cursor <cursor>', 'continue after a previous page')
    .option('--json', 'print JSON')
    .action((options: ListOptions, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        const limit = wholeNumber('--limit', options.limit, 1, 10_000);
        const after =
          options.cursor === undefined ? null : wholeNumber('--cursor', options.cursor, 0, Number.MAX_SAFE_INTEGER);
        const found = await catalogs.deadLetters.list({
          after,
          limit,
          code: options.code ?? null,
          source: options.source ?? null,
        });
        const data = found.map((deadLetter) => ({ ...deadLetter, at: formatMicros(deadLetter.at) }));
        const next = found.length === limit ? String(found.at(-1)?.id ?? '') : null;
        const rows = data.map((deadLetter) => [
          deadLetter.id,
          deadLetter.at,
          deadLetter.code,
          deadLetter.source,
          deadLetter.game_id,
          deadLetter.offset === null ? 'gateway' : `${deadLetter.partition}:${deadLetter.offset}`,
          deadLetter.detail,
        ]);
        print(
          command,
          { data, next_cursor: next },
          rows.length === 0
            ? 'no dead letters'
            : table(['id', 'at', 'code', 'source', 'game', 'position', 'detail'], rows),
        );
      }),
    );
  dlq
    .command('show')
    .description('one dead letter with its payload')
    .argument('<id>', 'its id')
    .option('--json', 'print JSON')
    .action((id: string, _options: unknown, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        const deadLetter = await catalogs.deadLetters.one(wholeNumber('id', id, 1, Number.MAX_SAFE_INTEGER));
        if (deadLetter === null) throw new CommandFailure('failed', `no dead letter ${id}`);
        const payload = Buffer.from(deadLetter.payload).toString('utf8');
        const shown = { ...deadLetter, at: formatMicros(deadLetter.at), payload };
        print(command, shown, `${deadLetter.code} at ${deadLetter.pointer || '/'}: ${deadLetter.detail}\n${payload}`);
      }),
    );
  return dlq;
}
