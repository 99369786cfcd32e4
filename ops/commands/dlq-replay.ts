// `sds dlq replay`: puts open dead letters into the log again (docs/operations.md#replaying-dead-letters).
import { Command } from 'commander';
import type { DeadLetterSelection } from '../../core/ports/catalog/dead-letters.ts';
import { deadLetterTools } from '../dead-letters/dead-letter-tools.ts';
import { type ReplayedDeadLetters, replayDeadLetters } from '../dead-letters/replay-dead-letters.ts';
import { CommandFailure, confirm, print, type Session, table, withCatalogs } from '../session/command.ts';
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
  const { deadLetters, operations } = session.catalogs;
  const selection = selectionOf(ids, options);
  const open = await deadLetters.count(selection);
  const subject = subjectOf(selection);
  if (open > 0) {
    const plan = `${open} open dead letters (${subject}) go into the log again, each at its own time: the folds decide as ever`;
    await confirm(plan, 'replay', options.yes === true);
    // Before the first of them is: that somebody did it is known whatever ends the command.
    await operations.audit(session.actor, 'dlq replay', subject, { ...selection, letters: open });
  }
  const { kind, replayed, left } = await replayLetters(session, selection, open);
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
  if (kind === 'held-by-another') throw new CommandFailure('refused', 'another sds dlq replay runs');
  if (kind === 'interrupted') throw new CommandFailure('failed', 'interrupted');
}

async function replayLetters(
  session: Session,
  selection: DeadLetterSelection,
  open: number,
): Promise<ReplayedDeadLetters> {
  const tools = await deadLetterTools(session);
  using progress = openProgress({ unit: 'letters', all: open });
  return await replayDeadLetters(tools, selection, (done) => progress.at(done));
}
