// `sds audit`: what commands have changed, by whom and when (docs/operations.md#audit-trail).
import { Command } from 'commander';
import { formatMicros, parseRfc3339 } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import { CommandFailure, print, table, wholeNumber, withCatalogs } from '../session/command.ts';

type Options = {
  action?: string;
  subject?: string;
  actor?: string;
  from?: string;
  to?: string;
  cursor?: string;
  limit: string;
};

export function auditCommand(): Command {
  const audit = new Command('audit').description('the audit trail');
  audit
    .command('list')
    .description('what commands have changed, the newest first')
    .option('--action <action>', "of this command, such as 'keys revoke', or of all that begin with it, such as keys")
    .option('--subject <subject>', 'with this subject: an account, a key, a game …')
    .option('--actor <user>', 'by this user')
    .option('--from <time>', 'from this time on, such as 2026-01-09T18:00:00Z')
    .option('--to <time>', 'before this time')
    .option('--limit <n>', 'at most this many', '100')
    .option('--cursor <cursor>', 'continue after a previous page')
    .option('--json', 'print JSON')
    .action((options: Options, command: Command) => {
      const query = queryOf(options);
      return withCatalogs(async ({ catalogs }) => {
        const found = await catalogs.operations.audited(query);
        const data = found.map((row) => ({ ...row, at: formatMicros(row.at) }));
        const next = found.length === query.limit ? String(found.at(-1)?.id ?? '') : null;
        const rows = data.map(({ at, actor, action, subject, detail }) => {
          return [at, actor, action, subject, JSON.stringify(detail)];
        });
        const { before: _, limit: __, ...narrowed } = query;
        const isNarrowed = Object.values(narrowed).some((each) => each !== null);
        const none = isNarrowed
          ? 'nothing in the audit trail is of this action, subject, user and time'
          : 'nothing is in the audit trail';
        const text = rows.length === 0 ? none : table(['at', 'by', 'action', 'subject', 'detail'], rows);
        print(
          command,
          { data, next_cursor: next },
          next === null ? text : `${text}\n--cursor ${next} shows older ones`,
        );
      });
    });
  return audit;
}

/** @throws CommandFailure usage */
function queryOf({ action, subject, actor, from, to, cursor, limit }: Options) {
  const [since, until] = [timeOf('--from', from), timeOf('--to', to)];
  if (since !== null && until !== null && since >= until)
    throw new CommandFailure('usage', `--from is ${from}, and must be before --to, which is ${to}`);
  return {
    before: cursor === undefined ? null : wholeNumber('--cursor', cursor, 0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber('--limit', limit, 1, 10_000),
    action: action ?? null,
    subject: subject ?? null,
    actor: actor ?? null,
    from: since,
    to: until,
  };
}

function timeOf(option: string, text: string | undefined): Micros | null {
  if (text === undefined) return null;
  const time = parseRfc3339(text);
  if (time === null)
    throw new CommandFailure('usage', `${option} is ${text}, and must be a time such as 2026-01-09T18:00:00Z`);
  return time;
}
