// Splits the interface into what can be proven: sentences, list items and table rows, each with the heading above it. A
// hash of its words identifies a sentence, so that a change, an addition or a removal is noticed. Does not know about
// tests.
import { createHash } from 'node:crypto';

export type Sentence = { id: string; section: string; text: string };

/** The sentences of a Markdown page in order. A sentence that occurs twice under one heading counts once. */
export function sentencesOf(page: string): Sentence[] {
  const found = new Map<string, Sentence>();
  const lines = page.split('\n').map((line) => line.trim());
  let section = '';
  for (const [at, line] of lines.entries()) {
    const heading = /^#+ (.+)$/.exec(line)?.[1];
    if (heading !== undefined) section = heading;
    else for (const text of saidBy(line, lines[at + 1] ?? '')) add(found, section, text);
  }
  return [...found.values()];
}

function saidBy(line: string, next: string): string[] {
  if (line === '' || isRule(line)) return [];
  // The head of a table is not a statement.
  if (line.startsWith('|')) return isRule(next) ? [] : [line];
  return line
    .replace(/^(?:-|\d+\.) /, '')
    .split(/(?<=\.) (?=[A-Z`\d])/)
    .filter((text) => !text.startsWith('`GET ') || text.includes(' debits '));
}

/** The page with each paragraph and list item on one line, and without its code. */
export function unwrapped(page: string): string {
  const lines: string[] = [];
  for (const line of page.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').split('\n')) {
    const begins = /^\s*(?:#|\||- |\d+\. |$)/.test(line) || /^(?:#|\||$)/.test(lines.at(-1) ?? '');
    if (begins || lines.length === 0) lines.push(line);
    else lines.push(`${lines.pop()} ${line.trim()}`);
  }
  return lines.join('\n');
}

const isRule = (line: string): boolean => /^[|][-| ]+$/.test(line);

function add(found: Map<string, Sentence>, section: string, text: string): void {
  const id = createHash('sha256').update(`${section}\n${text}`).digest('hex').slice(0, 8);
  found.set(id, { id, section, text });
}
