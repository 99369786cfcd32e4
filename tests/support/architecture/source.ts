// A source file as the rules of the architecture see it: what is code, what is comment, what it imports. A scanner, not a parser: it
// tells strings, templates, regular expressions and comments from code, which is all the rules need.
import { posix } from 'node:path';

export type Source = { path: string; text: string };

export type Import = {
  specifier: string;
  /** For a relative import: the file it names. */
  file: string | undefined;
  /** The import is erased before run time. */
  typeOnly: boolean;
  /** `import './x.ts'`: imported for its effect only. */
  bare: boolean;
  line: number;
};

export type ReadSource = Source & {
  /**
   * The text with comments and the contents of strings, templates and regular expressions replaced by spaces; of the
   * same length.
   */
  code: string;
  comments: string;
  imports: Import[];
};

const wordsBeforeRegex = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'throw',
  'new',
  'else',
  'do',
]);

export function readSource({ path, text }: Source): ReadSource {
  const { code, comments } = separate(text);
  return { path, text, code, comments, imports: importsOf(path, text, code) };
}

export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** `ingest` of `ingest/gateway/server.ts`; empty for a file at the top. */
export function layerOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
}

function separate(text: string): { code: string; comments: string } {
  let code = '';
  let comments = '';
  /** The open braces of each template hole around the current position. */
  const holes: number[] = [];
  let at = 0;
  const keep = (length = 1) => {
    code += text.slice(at, at + length);
    at += length;
  };
  const blank = (until: number) => {
    code += text.slice(at, until).replace(/[^\n]/g, ' ');
    at = until;
  };
  const template = () => {
    for (let end = at; ; end += 1) {
      if (end >= text.length || text[end] === '`') {
        blank(end);
        return keep();
      }
      if (text[end] === '\\') end += 1;
      else if (text.startsWith('${', end)) {
        blank(end);
        holes.push(0);
        return keep(2);
      }
    }
  };
  while (at < text.length) {
    const char = text[at] as string;
    if (text.startsWith('//', at) || text.startsWith('/*', at)) {
      const end = text[at + 1] === '/' ? endOf(text, '\n', at) : endOf(text, '*/', at + 2) + 2;
      comments += `${text.slice(at, end)}\n`;
      blank(Math.min(end, text.length));
    } else if (char === "'" || char === '"') {
      keep();
      blank(endOfLiteral(text, at, char));
      keep();
    } else if (char === '`') {
      keep();
      template();
    } else if (char === '/' && regexMayFollow(code)) {
      keep();
      blank(endOfRegex(text, at));
      keep();
    } else if (holes.length > 0 && char === '}' && holes.at(-1) === 0) {
      holes.pop();
      keep();
      template();
    } else {
      const open = holes.length - 1;
      if (open >= 0 && char === '{') holes[open] = (holes[open] ?? 0) + 1;
      if (open >= 0 && char === '}') holes[open] = (holes[open] ?? 0) - 1;
      keep();
    }
  }
  return { code, comments };
}

function endOf(text: string, mark: string, from: number): number {
  const index = text.indexOf(mark, from);
  return index < 0 ? text.length : index;
}

function endOfLiteral(text: string, from: number, quote: string): number {
  let at = from;
  while (at < text.length && text[at] !== quote && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function endOfRegex(text: string, from: number): number {
  let inClass = false;
  let at = from;
  while (at < text.length && text[at] !== '\n' && (inClass || text[at] !== '/')) {
    if (text[at] === '[') inClass = true;
    if (text[at] === ']') inClass = false;
    at += text[at] === '\\' ? 2 : 1;
  }
  return at;
}

/** After a value a slash divides; elsewhere it begins a regular expression. */
function regexMayFollow(code: string): boolean {
  const before = code.trimEnd();
  const word = /[\w$]+$/.exec(before)?.[0];
  if (word !== undefined) return wordsBeforeRegex.has(word);
  return !/[)\]}'"`]$/.test(before);
}

function importsOf(path: string, text: string, code: string): Import[] {
  const pattern = /\b(?:(?:import|export)\b([^;'"()]*?)\bfrom\s*|import(\s*)|import\s*\(\s*)(['"])/g;
  return [...code.matchAll(pattern)].map((match) => {
    const [whole, clause, bare, quote] = match;
    const from = match.index + whole.length;
    const specifier = text.slice(from, text.indexOf(quote as string, from));
    return {
      specifier,
      file: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined,
      typeOnly: /^\s*type\b/.test(clause ?? ''),
      bare: bare !== undefined,
      line: lineAt(text, match.index),
    };
  });
}
