// The commands of `sds` as pages write them, checked against the tool: a command that a page tells a person to type has
// to exist.
import type { Command } from 'commander';
import { commands } from '../../../ops/commands/commands.ts';

/** Every command of the tool, by its name. */
export async function toolCommands(): Promise<Map<string, Command>> {
  const made = Object.entries(commands).map(async ([name, load]) => [name, (await load())()] as const);
  return new Map(await Promise.all(made));
}

/**
 * Commands in a page's code, as words without `sds`: `sds dlq replay --source S` gives `dlq`, `replay`, `--source`,
 * `S`.
 */
export function commandsIn(page: string): string[][] {
  const spans = [...page.matchAll(/`(?:\.\/)?sds ([^`]+)`/g)].map(([, words]) => words as string);
  const lines = [...page.matchAll(/^```(?:sh)?\n(.*?)^```/gms)].flatMap(([, block]) => (block as string).split('\n'));
  const typed = lines.flatMap((line) => /^(?:\.\/|npm run )?sds (?:-- )?([^#|]+)/.exec(line)?.[1] ?? []);
  return [...spans, ...typed].map((words) => words.trim().split(/\s+/));
}

/** What is wrong with a command as written; null if it exists, with its options. */
export function faultOfCommand(commands: ReadonlyMap<string, Command>, words: readonly string[]): string | null {
  const [first = '', ...rest] = words;
  let command = commands.get(first);
  if (command === undefined) return `there is no sds ${first}`;
  if (command.commands.length > 0) {
    const [second = ''] = rest;
    command = command.commands.find((each) => each.name() === second);
    if (command === undefined) return `there is no sds ${first} ${second}`;
  }
  const { options } = command;
  const unknown = rest.filter((word) => word.startsWith('--') && !options.some(({ long }) => long === word));
  return unknown.length === 0 ? null : `sds ${words.join(' ')}: no ${unknown.join(', ')}`;
}
