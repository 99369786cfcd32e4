// The query of a push, read strictly: every parameter is one the route takes, stands once, and is valid UTF-8 under its percent-encoding.
import { Problem } from './problem.ts';

/** Parameters by name; one that is left out is absent. @throws Problem `validation-error`. */
export function readQuery(target: string, taken: readonly string[]): Readonly<Record<string, string>> {
  const start = target.indexOf('?');
  const values: Record<string, string> = {};
  for (const pair of start === -1 ? [] : target.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const [name, value] = split(pair);
    if (!taken.includes(name)) throw new Problem('validation-error', `unknown query parameter ${shown(name)}`);
    if (Object.hasOwn(values, name)) throw new Problem('validation-error', `query parameter ${name} is given twice`);
    values[name] = value;
  }
  return values;
}

function split(pair: string): [string, string] {
  const equals = pair.indexOf('=');
  return equals === -1 ? [decoded(pair), ''] : [decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Problem('validation-error', 'a query parameter is not valid percent-encoded UTF-8');
  }
}

/** A name is repeated to its sender when it could be one: no key, no script, nothing endless. */
function shown(name: string): string {
  return /^[0-9A-Za-z_.[\]-]{1,32}$/.test(name) && !/svc_(?:live|feed)_/.test(name) ? name : 'of another form';
}
