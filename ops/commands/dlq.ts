// `sds dlq`: refused records, and parts of records, with their reason and payload.
import { Command } from 'commander';
import { inOneLine } from '../../core/printable.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import { heldPayload } from '../../platform/objects/dead-letter-payloads.ts';
import { CommandFailure, print, table, wholeNumber, withCatalogs } from '../session/command.ts';
import { discardCommand } from './dlq-discard.ts';
import { dlqReplayCommand } from './dlq-replay.ts';
import { droppedDeadLetters } from './dropped-dead-letters.ts';

type ListOptions = { code?: string; source?: string; cursor?: string; limit: string };

export function dlqCommand(): Command {
  const dlq = new Command('dlq').description('dead letters');
  dlq
    .command('list')
    .description('refusals, the newest first')
    .option('--code <code>', 'with this code only')
    .option('--source <source>', 'of this source only')
    .option('--limit <n>', 'at most this many', '100')
    .option('--cursor <cursor>', 'continue after a previous page')
    .option('--json', 'print JSON')
    .action((options: ListOptions, command: Command) =>
      withCatalogs(async ({ catalogs }) => {
        const limit = wholeNumber('--limit', options.limit, 1, 10_000);
        const before =
          options.cursor === undefined ? null : wholeNumber('--cursor', options.cursor, 0, Number.MAX_SAFE_INTEGER);
        const found = await catalogs.deadLetters.list({
          before,
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
        const narrowed = options.code === undefined && options.source === undefined ? '' : ' of this code and source';
        const text =
          rows.length === 0
            ? `no dead letters${narrowed}`
            : table(['id', 'at', 'code', 'source', 'game', 'position', 'detail'], rows);
        print(
          command,
          { data, next_cursor: next },
          next === null ? text : `${text}\n--cursor ${next} shows older ones`,
        );
      }),
    );
  dlq
    .command('show')
    .description('one dead letter with its payload')
    .argument('<id>', 'its id')
    .option('--json', 'print JSON')
    .action((id: string, _options: unknown, command: Command) => {
      const wanted = wholeNumber('id', id, 1, Number.MAX_SAFE_INTEGER);
      return withCatalogs(async ({ catalogs, objects }) => {
        const deadLetter = await catalogs.deadLetters.one(wanted);
        if (deadLetter === null) throw new CommandFailure('failed', `no dead letter ${id}`);
        const { held, ...letter } = deadLetter;
        const bytes = held === null ? letter.payload : await heldPayload(await objects(), held);
        if (bytes === null) throw new CommandFailure('failed', `the payload of dead letter ${id} is damaged or gone`);
        const payload = Buffer.from(bytes).toString('utf8');
        const shown = { ...letter, at: formatMicros(letter.at), payload };
        const { code, pointer, detail } = deadLetter;
        print(command, shown, `${inOneLine(`${code} at ${pointer || '/'}: ${detail}`)}\n${payload}`);
      });
    });
  dlq
    .command('summary')
    .description('how many there are, by source, code and state')
    .option('--json', 'print JSON')
    .action((_options: unknown, command: Command) =>
      withCatalogs(async ({ catalogs: { deadLetters } }) => {
        const data = (await deadLetters.summary()).map(({ oldest, newest, ...count }) => {
          return { ...count, oldest: formatMicros(oldest), newest: formatMicros(newest) };
        });
        const heading = ['source', 'code', 'state', 'letters', 'oldest', 'newest'] as const;
        const rows = data.map((count) => heading.map((name) => count[name]));
        const dropped = await droppedDeadLetters(deadLetters);
        const text = [rows.length === 0 ? 'no dead letters' : table(heading, rows), ...dropped.text];
        print(command, { data, dropped: dropped.shown }, text.join('\n'));
      }),
    );
  return dlq.addCommand(dlqReplayCommand()).addCommand(discardCommand());
}
