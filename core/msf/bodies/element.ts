// The element of an observation and its identity (docs/revisions.md#observations; docs/revisions.md#elements): a body without what changes
// when nothing did.

import { canonicalSha256 } from '../../json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';

const leftOut: readonly string[] = ['lastUpdatedOn', 'references'];

/** The members of a body that its elements have. */
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

/** `sha256:` and the hash of the element's RFC 8785 form, in which `lastUpdatedOn` and `references` have no part. `readText` has it piece by piece. */
export function sourceRevision(element: JsonValue): string {
  return `sha256:${canonicalSha256(isJsonObject(element) ? elementOf(element) : element)}`;
}
