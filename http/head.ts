// The header fields that the service reads, taken in one pass over the raw fields. No object of all headers is made, and a repeated field
// is counted (Node silently keeps only the first Authorization and Host).

export type RequestHead = {
  authorization: string | null;
  authorizationCount: number;
  hostCount: number;
  host: string | null;
  /** The browser's Sec-Fetch-Dest; null: not a browser, or one that does not send the field to this address. */
  fetchDestination: string | null;
  range: string | null;
  ifRange: string | null;
  ifMatch: string | null;
  ifNoneMatch: string | null;
  requestId: string | null;
  accept: string | null;
  prefer: string | null;
  /** Whether the request announces a body. */
  body: boolean;
};

/** Reads `rawHeaders` of a request: names and values, alternating. Values of a repeated field are joined as a list. */
export function readHead(rawHeaders: readonly string[]): RequestHead {
  const head: RequestHead = {
    authorization: null,
    authorizationCount: 0,
    hostCount: 0,
    host: null,
    fetchDestination: null,
    range: null,
    ifRange: null,
    ifMatch: null,
    ifNoneMatch: null,
    requestId: null,
    accept: null,
    prefer: null,
    body: false,
  };
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    // The length rules out most fields, so that few names are converted to lower case.
    if (name.length > 17 || ((lengthsOfInterest >> name.length) & 1) === 0) continue;
    read(head, name.toLowerCase(), rawHeaders[at + 1] as string);
  }
  return head;
}

const lengthsOfInterest = [4, 5, 6, 8, 12, 13, 14, 17].reduce((bits, length) => bits | (1 << length), 0);

function read(head: RequestHead, name: string, value: string): void {
  switch (name) {
    case 'authorization':
      head.authorizationCount += 1;
      head.authorization ??= value;
      break;
    case 'host':
      head.hostCount += 1;
      head.host ??= value;
      break;
    case 'range':
      head.range = joined(head.range, value);
      break;
    case 'if-range':
      head.ifRange = joined(head.ifRange, value);
      break;
    case 'if-match':
      head.ifMatch = joined(head.ifMatch, value);
      break;
    case 'if-none-match':
      head.ifNoneMatch = joined(head.ifNoneMatch, value);
      break;
    case 'accept':
      head.accept = joined(head.accept, value);
      break;
    case 'prefer':
      head.prefer = joined(head.prefer, value);
      break;
    case 'sec-fetch-dest':
      head.fetchDestination = joined(head.fetchDestination, value);
      break;
    case 'x-request-id':
      head.requestId ??= value;
      break;
    case 'content-length':
      head.body ||= value !== '0';
      break;
    case 'transfer-encoding':
      head.body = true;
      break;
  }
}

function joined(before: string | null, value: string): string {
  return before === null ? value : `${before}, ${value}`;
}
