// Parses the query of a URL strictly: every parameter must be known, occur once and be percent-encoded valid UTF-8; anything else is an
// error that names the parameter (docs/interface.md#routes; docs/interface.md#problem-types). `+` is a space, as forms and most clients
// write it.

import { nearestName } from '../core/nearest-name.ts';

/** The part of a request target after the first `?`; empty if there is none. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start + 1);
}

/** The parameters of `query` by name, all of them in `taken`; or a text that says what is wrong. */
export function readParameters(
  query: string,
  taken: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> | string {
  const texts = new Map<string, string>();
  for (const [index, pair] of query.split('&').entries()) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const text = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (name === null || text === null) return 'a parameter is not valid percent-encoded UTF-8';
    if (!Object.hasOwn(taken, name)) return `unknown parameter ${shown(name, index + 1)}${suggested(name, taken)}`;
    if (texts.has(name)) return `${name} is given more than once`;
    texts.set(name, text);
  }
  return texts;
}

function decode(text: string): string | null {
  // Characters beyond ASCII are not allowed in a request target; clients encode them.
  if (nonAscii.test(text)) return null;
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return null;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is "all of ASCII"
const nonAscii = /[^\x00-\x7f]/;

function suggested(name: string, taken: Readonly<Record<string, unknown>>): string {
  const meant = plainName.test(name) ? nearestName(name, Object.keys(taken)) : null;
  return meant === null ? '' : `: did you mean ${meant}?`;
}

/** A client's name is repeated to it only if it looks like one: no key, no script, nothing very long. */
function shown(name: string, place: number): string {
  return plainName.test(name) && !keyPrefix.test(name) ? `'${name}'` : `in place ${place}`;
}

const plainName = /^[0-9A-Za-z_.[\]-]{1,32}$/;
const keyPrefix = /svc_(?:live|feed)_/;
