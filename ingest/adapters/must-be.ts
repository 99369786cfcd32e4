// The message for a member that is missing or wrong: what it must be, and the misspelt name under which it was probably sent.
import { type JsonObject, memberOf } from '../../core/json/value.ts';
import { nearestName } from '../../core/nearest-name.ts';

/** Only this many members of an object are compared. */
const mostMembers = 64;

/** `members`: the names that the object has in this format. */
export function mustBe(object: JsonObject, name: string, what: string, members: readonly string[]): string {
  if (memberOf(object, name) !== null) return `${name} must be ${what}`;
  const unknown = Object.keys(object)
    .slice(0, mostMembers)
    .filter((key) => !members.includes(key));
  const meant = unknown.find((key) => nearestName(key, members) === name);
  return meant === undefined
    ? `${name} is missing: it must be ${what}`
    : `${name} is missing: ${JSON.stringify(meant)} was probably meant as ${name}`;
}
