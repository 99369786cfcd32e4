// JSON text in steps. `JSON.stringify` holds the event loop until the whole text is there: a tenth of a second for 300,000 selections.
import type { Task } from '../scheduling/task.ts';

/** Elements of a list that are written in one step, if they are no objects. */
const run = 256;

/** The text that `JSON.stringify` makes of `value`, which is data: no `toJSON`, and `undefined` only as a member. */
export function* writingJson(value: unknown): Task<string> {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Array.isArray(value) ? yield* writingList(value) : yield* writingMembers(value);
}

function* writingMembers(value: object): Task<string> {
  let text = '';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const before = text === '' ? '' : ',';
    text += `${before}${JSON.stringify(name)}:${yield* writingJson(member)}`;
  }
  return `{${text}}`;
}

/** A list of objects is written one by one, because each may be large; of any other, many elements at once. */
function* writingList(list: readonly unknown[]): Task<string> {
  let text = '';
  for (let at = 0; at < list.length; ) {
    const element = list[at];
    const isObject = typeof element === 'object' && element !== null && !Array.isArray(element);
    const end = isObject ? at + 1 : Math.min(at + run, list.length);
    const before = at === 0 ? '' : ',';
    text += before + (isObject ? yield* writingJson(element) : JSON.stringify(list.slice(at, end)).slice(1, -1));
    at = end;
    yield;
  }
  return `[${text}]`;
}
