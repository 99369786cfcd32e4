// `sds dlq discard`: takes dead letters that need nothing more off the open ones. They stay readable until their retention ends.
import { Command } from 'commander';
import { systemClock } from '../../platform/process/clock.ts';
import { discardDeadLetters } from '../dead-letters/discard-dead-letters.ts';
import { lettersLease } from '../dead-letters/letters-lease.ts';
import { CommandFailure, confirm, print, type Session, withCatalogs } from '../session/command.ts';
import { heldByAnother, underLease } from '../session/command-lease.ts';
import { openProgress } from '../session/progress.ts';
import { deadLetterOptions, type SelectingOptions, selectionOf, subjectOf } from './dead-letter-selection.ts';

type Options = SelectingOptions & { yes?: true };

export function discardCommand(): Command {
  const command = new Command('discard').description(
    'mark open dead letters as discarded; interrupted, the same command continues',
  );
  return deadLetterOptions(command).action((ids: string[], options: Options, given: Command) =>
    withCatalogs((session) => discard(session, ids, options, given)),
  );
}

async function discard(session: Session, ids: readonly string[], options: Options, command: Command): Promise<void> {
  const { deadLetters: letters, leases, operations } = session.catalogs;
  const selection = selectionOf(ids, options);
  const open = await letters.count(selection);
  const subject = subjectOf(selection);
  if (open > 0)
    await confirm(`${open} open dead letters (${subject}) are marked as discarded`, 'discard', options.yes === true);
  const { kind, discarded } = await underLease(leases, lettersLease, systemClock.now, async (holds) => {
    // Before the first of them is: that somebody did it is known whatever ends the command.
    if (open > 0) await operations.audit(session.actor, 'dlq discard', subject, { ...selection, letters: open });
    using progress = openProgress({ unit: 'letters', all: open });
    const tools = { letters, holds, interrupted: session.interrupted };
    return await discardDeadLetters(tools, selection, open, (done) => progress.at(done));
  });
  const left = await letters.count(selection);
  print(command, { discarded, open: left }, `${discarded} dead letters discarded, ${left} are open (${subject})`);
  if (kind === 'held-by-another') throw heldByAnother(lettersLease, `${discarded} are discarded`);
  if (kind === 'interrupted') throw new CommandFailure('failed', 'interrupted: run it again for the others');
}
