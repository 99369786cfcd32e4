// The element of an observation, by which it is identified (docs/revisions.md#observations; docs/revisions.md#elements): a body without the
// members that change even when its content does not.

import type { JsonObject, JsonValue } from '../../json/value.ts';

const leftOut: readonly string[] = ['lastUpdatedOn', 'references'];

/** The members of a body that belong to its elements. */
export function elementMembers(body: JsonObject): [string, JsonValue][] {
  return Object.entries(body).filter(([name]) => !leftOut.includes(name));
}

/** The body's element; with `list`, the list of that name reduced to `entries`. */
export function elementOf(body: JsonObject, list?: string, entries?: readonly JsonValue[]): JsonObject {
  const members = elementMembers(body);
  return Object.fromEntries(
    entries === undefined ? members : members.map(([name, value]) => [name, name === list ? entries : value]),
  );
}
