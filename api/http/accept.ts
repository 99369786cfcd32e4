// Whether a client would rather have a page than a document (RFC 9110, 12.5.1). Without a preference it gets the document.

/** Whether `accept` puts `text/html` above `application/json`. */
export function prefersHtml(accept: string | null): boolean {
  return accept !== null && weightOf(accept, 'text/html') > weightOf(accept, 'application/json');
}

/** The weight of a media type: that of the most specific range that covers it. */
function weightOf(accept: string, mediaType: string): number {
  const ranges = [mediaType, `${mediaType.split('/', 1)[0]}/*`, '*/*'];
  let best = ranges.length;
  let weight = 0;
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const at = ranges.indexOf(range);
    if (at === -1 || at >= best) continue;
    best = at;
    weight = weightIn(parameters);
  }
  return weight;
}

function weightIn(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  if (given === undefined) return 1;
  const weight = Number(given.slice(2));
  return weight >= 0 && weight <= 1 ? weight : 0;
}
