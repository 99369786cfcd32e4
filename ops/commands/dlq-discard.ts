// `sds dlq discard`: takes dead letters that need nothing more off the open ones. They stay readable until their retention ends.
import { Command } from 'commander';
import { CommandFailure, confirm, print, type Session, withCatalogs } from '../session/command.ts';
import { deadLetterOptions, type SelectingOptions, selectionOf, subjectOf } from './dead-letter-selection.ts';

type Options = SelectingOptions & { yes?: true };

/** In one statement: short, whatever else the database does. */
const atOnce = 5_000;

export function discardCommand(): Command {
  const command = new Command('discard').description(
    'mark open dead letters as discarded; interrupted, the same command continues',
  );
  return deadLetterOptions(command).action((ids: string[], options: Options, given: Command) =>
    withCatalogs((session) => discard(session, ids, options, given)),
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
