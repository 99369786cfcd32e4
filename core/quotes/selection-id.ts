// Ids of a sportsbook's selections (docs/quotes.md#selection-identity): parts joined by `/`. Inside a part, anything that could be a
// separator, an escape or a control character is percent-encoded; the rest stays as the source gave it.
import { lineText } from './line.ts';

/** `line` is null if it is not part of the identity. Market and period need no encoding. */
export function selectionId(
  market: string,
  period: string,
  selection: string,
  player: string | null,
  line: number | null,
): string {
  let id = `${market}/${period}/${encodePart(selection)}`;
  if (player !== null) id += `/${encodePart(player)}`;
  if (line !== null) id += `/${lineText(line)}`;
  return id;
}

function encodePart(part: string): string {
  for (let at = 0; at < part.length; at += 1) {
    if (needsEncoding(part.charCodeAt(at))) return encodeFrom(part, at);
  }
  return part;
}

function encodeFrom(part: string, first: number): string {
  let encoded = part.slice(0, first);
  for (let at = first; at < part.length; at += 1) {
    const code = part.charCodeAt(at);
    encoded += needsEncoding(code) ? encodeURIComponent(part.charAt(at)) : part.charAt(at);
  }
  return encoded;
}

/** `%`, `/`, U+0000–1F and U+7F–9F. */
function needsEncoding(code: number): boolean {
  return code < 0x20 || code === 0x25 || code === 0x2f || (code >= 0x7f && code <= 0x9f);
}
