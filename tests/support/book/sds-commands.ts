// The commands of `sds` as pages write them, checked against the tool: a command that a page tells a person to type has
// to exist.
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';

const folder = fileURLToPath(new URL('../../../ops/commands/', import.meta.url));

/** Every command of the tool, by its name. */
export async function toolCommands(): Promise<Map<string, Command>> {
  const found = new Map<string, Command>();
  for (const file of globSync('*.ts', { cwd: folder })) {
    const module = (await import(`${folder}${file}`)) as Record<string, unknown>;
    for (const [name, make] of Object.entries(module)) {
      if (!name.endsWith('Command') || typeof make !== 'function') continue;
      const command = make() as Command;
      found.set(command.name(), command);
    }
  }
  return found;
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
