// Which dead letters a command is about: ids, a code, a source, or all.
import type { Command } from 'commander';
import type { DeadLetterSelection } from '../../core/ports/catalog/dead-letters.ts';
import { CommandFailure, wholeNumber } from '../session/command.ts';

export type SelectingOptions = { code?: string; source?: string; all?: true };

/** The arguments and options of a command on open letters. */
export function deadLetterOptions(command: Command): Command {
  return command
    .argument('[id...]', 'their ids')
    .option('--code <code>', 'those with this code')
    .option('--source <source>', 'those of this source')
    .option('--all', 'all of them')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON');
}

/** @throws CommandFailure usage: it is not said which */
export function selectionOf(ids: readonly string[], { code, source, all }: SelectingOptions): DeadLetterSelection {
  const numbers = ids.map((id) => wholeNumber('id', id, 1, Number.MAX_SAFE_INTEGER));
  if (ids.length === 0 && code === undefined && source === undefined && all !== true)
    throw new CommandFailure('usage', 'say which: ids, --code, --source or --all');
  return { ids: ids.length === 0 ? null : numbers, code: code ?? null, source: source ?? null };
}

export function subjectOf({ ids, code, source }: DeadLetterSelection): string {
  const parts = [
    ...(ids === null ? [] : [`ids ${ids.slice(0, 20).join(',')}${ids.length > 20 ? ',…' : ''}`]),
    ...(code === null ? [] : [`code ${code}`]),
    ...(source === null ? [] : [`source ${source}`]),
  ];
  return parts.join(', ') || 'all';
}
