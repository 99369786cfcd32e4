// Reads JSON without losing anything: numbers stay text, and every value remembers its position. Naive, recursive and
// independent of the product. docs/quotes.md: "`null` means absent, and a number counts as it is written".
import { createHash } from 'node:crypto';

export interface Json {
  kind: 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
  /** The number as written, the string decoded, `true` or `false`; empty for other values. */
  text: string;
  items: Json[];
  members: { name: string; value: Json }[];
  start: number;
  end: number;
}

const number = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;

export function readJson(source: string): Json {
  let at = 0;

  function fail(what: string): never {
    throw new SyntaxError(`${what} at ${at}`);
  }

  function skipSpace(): void {
    while (at < source.length && ' \t\r\n'.includes(source[at]!)) at += 1;
  }

  function expectText(text: string): void {
    if (!source.startsWith(text, at)) fail(`expected ${text}`);
    at += text.length;
  }

  function readString(): string {
    const start = at;
    expectText('"');
    while (source[at] !== '"') {
      if (at >= source.length) fail('unfinished string');
      at += source[at] === '\\' ? 2 : 1;
    }
    at += 1;
    return JSON.parse(source.slice(start, at)) as string;
  }

  function readNumber(): string {
    number.lastIndex = at;
    const found = number.exec(source);
    if (found === null) return fail('no value');
    at += found[0].length;
    return found[0];
  }

  function readValue(): Json {
    skipSpace();
    const value: Json = { kind: 'null', text: '', items: [], members: [], start: at, end: at };
    const first = source[at];
    if (first === '{') {
      value.kind = 'object';
      at += 1;
      skipSpace();
      while (source[at] !== '}') {
        if (value.members.length > 0) expectText(',');
        skipSpace();
        const name = readString();
        skipSpace();
        expectText(':');
        value.members.push({ name, value: readValue() });
        skipSpace();
      }
      at += 1;
    } else if (first === '[') {
      value.kind = 'array';
      at += 1;
      skipSpace();
      while (source[at] !== ']') {
        if (value.items.length > 0) expectText(',');
        value.items.push(readValue());
        skipSpace();
      }
      at += 1;
    } else if (first === '"') {
      value.kind = 'string';
      value.text = readString();
    } else if (first === 't' || first === 'f') {
      value.kind = 'boolean';
      value.text = first === 't' ? 'true' : 'false';
      expectText(value.text);
    } else if (first === 'n') {
      expectText('null');
    } else {
      value.kind = 'number';
      value.text = readNumber();
    }
    value.end = at;
    return value;
  }

  const value = readValue();
  skipSpace();
  if (at !== source.length) fail('text after the value');
  return value;
}

/** The member of an object; `undefined` if it is absent or null, or if `object` is not an object. */
export function member(object: Json | undefined, name: string): Json | undefined {
  let found: Json | undefined;
  for (const entry of object?.members ?? []) if (entry.name === name) found = entry.value;
  return found === undefined || found.kind === 'null' ? undefined : found;
}

/** The text of a member that is a string, otherwise `undefined`. */
export function stringMember(object: Json | undefined, name: string): string | undefined {
  const found = member(object, name);
  return found?.kind === 'string' ? found.text : undefined;
}

/** RFC 8785. Numbers that differ beyond a double are equal here, as docs/quotes.md#duplicates says. */
export function canonical(value: Json): string {
  switch (value.kind) {
    case 'null':
      return 'null';
    case 'boolean':
      return value.text;
    case 'number':
      return String(Number(value.text) === 0 ? 0 : Number(value.text));
    case 'string':
      return JSON.stringify(value.text);
    case 'array':
      return `[${value.items.map(canonical).join(',')}]`;
    case 'object': {
      // Of members with the same name the last one counts.
      const last = new Map(value.members.map((entry) => [entry.name, entry.value]));
      const names = [...last.keys()].sort((a, b) => (a < b ? -1 : 1));
      const parts = names.map((name) => `${JSON.stringify(name)}:${canonical(last.get(name)!)}`);
      return `{${parts.join(',')}}`;
    }
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
