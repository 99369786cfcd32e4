// `sds dlq discard`: takes dead letters that need nothing more off the open ones. They stay readable until their retention ends.
import { Command } from 'commander';
import type { LetterSelection } from '../../core/ports/catalog/dead-letters.ts';
import { CommandFailure, confirm, print, type Session, wholeNumber, withCatalogs } from '../session/command.ts';

type Options = { code?: string; source?: string; all?: true; yes?: true };

/** In one statement: short, whatever else the database does. */
const atOnce = 5_000;

export function discardCommand(): Command {
  return new Command('discard')
    .description('mark open dead letters as discarded; interrupted, the same command goes on')
    .argument('[id...]', 'their ids')
    .option('--code <code>', 'those with this code')
    .option('--source <source>', 'those of this source')
    .option('--all', 'all of them')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((ids: string[], options: Options, command: Command) =>
      withCatalogs((session) => discard(session, ids, options, command)),
    );
}

async function discard(session: Session, ids: readonly string[], options: Options, command: Command): Promise<void> {
  const { deadLetters, operations } = session.catalogs;
  const selection = selectionOf(ids, options);
  const open = await deadLetters.count(selection);
  const subject = subjectOf(selection);
  if (open > 0) {
    await confirm(`${open} open dead letters (${subject}) are marked as discarded`, 'discard', options.yes === true);
    // Before the first of them is: that somebody did it is known whatever ends the command.
    await operations.audit(session.actor, 'dlq discard', subject, { ...selection, letters: open });
  }
  let discarded = 0;
  while (discarded < open && !session.interrupted.aborted) {
    const step = await deadLetters.discard(selection, Math.min(atOnce, open - discarded));
    if (step === 0) break;
    discarded += step;
  }
  const left = await deadLetters.count(selection);
  print(command, { discarded, open: left }, `${discarded} dead letters discarded, ${left} are open (${subject})`);
  if (session.interrupted.aborted && discarded < open) throw new CommandFailure('failed', 'interrupted');
}

/** @throws CommandFailure usage: it is not said which */
function selectionOf(ids: readonly string[], { code, source, all }: Options): LetterSelection {
  const numbers = ids.map((id) => wholeNumber('id', id, 1, Number.MAX_SAFE_INTEGER));
  if (ids.length === 0 && code === undefined && source === undefined && all !== true)
    throw new CommandFailure('usage', 'say which: ids, --code, --source or --all');
  return { ids: ids.length === 0 ? null : numbers, code: code ?? null, source: source ?? null };
}

function subjectOf({ ids, code, source }: LetterSelection): string {
  const parts = [
    ...(ids === null ? [] : [`ids ${ids.slice(0, 20).join(',')}${ids.length > 20 ? ',…' : ''}`]),
    ...(code === null ? [] : [`code ${code}`]),
    ...(source === null ? [] : [`source ${source}`]),
  ];
  return parts.join(', ') || 'all';
}
