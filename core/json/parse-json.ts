// Parses JSON that others have written. The JSON.parse of Node 24 may give a member a wrong name if the name is written with a backslash: it
// takes it for the name that followed the same names in an object parsed earlier, perhaps of another sender. So in a text that has such a name,
// all names are replaced by numbers before it is parsed, and put back afterwards.
import type { JsonValue } from './value.ts';

type Members = { [name: string]: JsonValue };

const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;

/** The value that JSON.parse is specified to give. @throws SyntaxError */
export function parseJson(text: string): JsonValue {
  if (!hasEscapedName(text)) return JSON.parse(text) as JsonValue;
  try {
    return parseNumbered(text);
  } catch (error) {
    // The fault that JSON.parse finds has its place in this text, not in the other one.
    JSON.parse(text);
    throw error;
  }
}

/** Whether a member name has a backslash. In JSON a backslash is always within a string. */
function hasEscapedName(text: string): boolean {
  for (let at = text.indexOf('\\'); at !== -1; ) {
    const end = endOfString(text, at);
    if (isBeforeColon(text, end)) return true;
    at = text.indexOf('\\', end);
  }
  return false;
}

function parseNumbered(text: string): JsonValue {
  /** Each name where it stands, also a repeated one: the last of equal names counts. */
  const names: string[] = [];
  let numbered = '';
  let from = 0;
  for (let at = text.indexOf('"'); at !== -1; ) {
    const end = endOfString(text, at + 1);
    if (isBeforeColon(text, end)) {
      numbered += `${text.slice(from, at)}"n${names.length}"`;
      names.push(JSON.parse(text.slice(at, end)) as string);
      from = end;
    }
    at = text.indexOf('"', end);
  }
  return withNames(JSON.parse(numbered + text.slice(from)) as JsonValue, names);
}

/** The place after the string in which `at` is. */
function endOfString(text: string, at: number): number {
  let end = at;
  while (end < text.length && text.charCodeAt(end) !== quote) end += text.charCodeAt(end) === backslash ? 2 : 1;
  return end + 1;
}

function isBeforeColon(text: string, at: number): boolean {
  let next = at;
  while (isSpace(text.charCodeAt(next))) next += 1;
  return text.charCodeAt(next) === colon;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** `value` with its names, which are numbered in it: the letter n, then the index of the name. */
function withNames(value: JsonValue, names: readonly string[]): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withNames(each as JsonValue, names));
  const members: Members = {};
  for (const [numbered, member] of Object.entries(value as Members))
    setMember(members, names[Number(numbered.slice(1))] as string, withNames(member, names));
  return members;
}

/** Sets a member as JSON.parse does: `__proto__` is an ordinary name. */
export function setMember(members: Members, name: string, value: JsonValue): void {
  if (name !== '__proto__') members[name] = value;
  else Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true });
}
