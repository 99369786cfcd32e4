// `sds dlq replay`: puts open dead letters into the log again (docs/operations.md#replaying-dead-letters).
import { Command } from 'commander';
import type { DeadLetterSelection } from '../../core/ports/catalog/dead-letters.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { deadLetterTools } from '../dead-letters/dead-letter-tools.ts';
import { lettersLease } from '../dead-letters/letters-lease.ts';
import { type ReplayedDeadLetters, replayDeadLetters } from '../dead-letters/replay-dead-letters.ts';
import { CommandFailure, confirm, print, type Session, table, withCatalogs } from '../session/command.ts';
import { heldByAnother, underLease } from '../session/command-lease.ts';
import { openProgress } from '../session/progress.ts';
import { deadLetterOptions, type SelectingOptions, selectionOf, subjectOf } from './dead-letter-selection.ts';

type Options = SelectingOptions & { yes?: true };

export function dlqReplayCommand(): Command {
  const command = new Command('replay').description(
    'put open dead letters into the log again, at their own times; interrupted, the same command continues',
  );
  return deadLetterOptions(command).action((ids: string[], options: Options, replay: Command) =>
    withCatalogs((session) => replayOpen(session, ids, options, replay)),
  );
}

async function replayOpen(session: Session, ids: readonly string[], options: Options, command: Command): Promise<void> {
  const { deadLetters, leases, operations } = session.catalogs;
  const selection = selectionOf(ids, options);
  const open = await deadLetters.count(selection);
  const subject = subjectOf(selection);
  if (open > 0) {
    const plan = `${open} open dead letters (${subject}) go into the log again, each at its own time: the folds decide as ever`;
    await confirm(plan, 'replay', options.yes === true);
  }
  const { kind, replayed, left } = await underLease(leases, lettersLease, systemClock.now, async (holds) => {
    // Before the first of them is: that somebody did it is known whatever ends the command.
    if (open > 0) await operations.audit(session.actor, 'dlq replay', subject, { ...selection, letters: open });
    return replayLetters(session, holds, selection, open);
  });
  const stay = [...left].map(([why, letters]) => ({ why, letters }));
  const text = [`${replayed} dead letters replayed (${subject})`];
  if (stay.length > 0)
    text.push(
      table(
        ['left open', 'letters'],
        stay.map(({ why, letters }) => [why, letters]),
      ),
    );
  print(command, { replayed, left: stay }, text.join('\n'));
  if (kind === 'held-by-another') throw heldByAnother(lettersLease, `${replayed} are replayed`);
  if (kind === 'interrupted') throw new CommandFailure('failed', 'interrupted: run it again for the others');
}

async function replayLetters(
  session: Session,
  holds: () => Promise<boolean>,
  selection: DeadLetterSelection,
  open: number,
): Promise<ReplayedDeadLetters> {
  const tools = await deadLetterTools(session, holds);
  using progress = openProgress({ unit: 'letters', all: open });
  return await replayDeadLetters(tools, selection, (done) => progress.at(done));
}
