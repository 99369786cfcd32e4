// Shortens answers to fit into a model's context: the first items of a long list, and the number of those left out.
import type { JsonDocument } from './reader.ts';

/** Characters of JSON in an answer: about 15,000 tokens. */
export const mostCharacters = 60_000;

/** The document with as many first items of its list `member` as fit; `<member>_omitted` counts the others. */
export function fitted(document: JsonDocument, member: string, most = mostCharacters): JsonDocument {
  const items = document[member];
  if (!Array.isArray(items)) return document;
  let left = most - JSON.stringify({ ...document, [member]: [] }).length;
  const cut = items.findIndex((item) => {
    left -= JSON.stringify(item).length + 1;
    return left < 0;
  });
  if (cut < 0) return document;
  return { ...document, [member]: items.slice(0, cut), [`${member}_omitted`]: items.length - cut };
}
