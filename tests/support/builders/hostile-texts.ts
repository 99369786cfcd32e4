// Requests with one text that could make a regular expression slow: long repetitions of what patterns repeat, with an
// end that does not match. Each is put into a parameter, a path segment, a header or a body member of every route of
// the API and the gateway.
import fc from 'fast-check';
import { isJsonObject, type JsonValue } from '../../../core/json/value.ts';
import { routes } from '../../../ingest/gateway/routes.ts';
import { routeExamples } from '../http/every-route.ts';
import { event } from '../http/gateway-http.ts';
import type { Asked } from '../processes/measured-servers.ts';
import { wholeBodies } from './msf-bodies.ts';

/** The longest text that fits into a URL or a header, and that a body member may repeat many times. */
const longest = { url: 1_800, header: 6_000, body: 60_000 } as const;

const unit = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...'019aAzZ-_.:/,;+=%" \\TtEe()[]{}'),
    minLength: 1,
    maxLength: 3,
  }),
  fc.constantFrom(
    '0-0,',
    '1e',
    '-1',
    '%20',
    '2026-01-',
    'T00:00:00',
    'W/"a",',
    'a=1;q=0.1,',
    '../',
    '1,',
    '__proto__',
    '[[',
    '{"a":',
  ),
);
const start = fc.constantFrom(
  '',
  '1',
  '0:',
  'bytes=',
  '"',
  'W/"',
  '2026-01-01T00:00:00',
  'Bearer ',
  'NFL_',
  'svc_live_',
  '-',
);
const end = fc.constantFrom('', '!', '\\', '"', ' ', 'Z', '0', '-', '@');

/**
 * Texts of nearly `most` characters, or so short that they pass a limit of length: a pattern that backtracks needs no
 * more.
 */
const texts = (most: number): fc.Arbitrary<string> =>
  fc.tuple(start, unit, end, fc.constantFrom(most, 120, 50)).map(([first, again, last, length]) => {
    const times = Math.floor((length - first.length - last.length) / again.length);
    return first + again.repeat(times) + last;
  });

const headers = [
  'accept',
  'accept-encoding',
  'authorization',
  'content-type',
  'content-encoding',
  'forwarded',
  'host',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'if-range',
  'origin',
  'access-control-request-headers',
  'range',
  'x-forwarded-for',
  'x-observed-at',
  'x-request-id',
  'x-request-started-at',
];
const parameters = [
  ...new Set([
    ...routeExamples.flatMap(({ route }) => Object.keys(route.query)),
    ...routes.flatMap(({ query }) => query),
  ]),
];

const oddsEvent = {
  id: 'e1',
  sport_key: 'americanfootball_nfl',
  commence_time: '2030-11-17T01:20:00Z',
  home_team: 'Philadelphia Eagles',
  away_team: 'Detroit Lions',
  bookmakers: [
    {
      key: 'book',
      last_update: '2030-11-16T01:20:00Z',
      markets: [
        {
          key: 'player_points',
          last_update: '2030-11-16T01:20:00Z',
          outcomes: [{ name: 'Over', description: 'A Player', price: 1.9, point: 7.5 }],
        },
      ],
    },
  ],
};
const references = {
  teams: [{ id: 't1', league: 'NFL', name: 'Eagles', abbreviation: 'PHI' }],
};
/** A valid body for each push route. */
const bodies: readonly (readonly [path: string, body: JsonValue])[] = [
  ['/v1/sources/feed/quotes', { events: [event()] } as JsonValue],
  ['/v1/sources/feed/the-odds-api-v4', [oddsEvent]],
  ['/v1/sources/feed/reference', references],
  ['/v1/sources/feed/ticks', { at: '2026-01-01T00:00:00Z' }],
  ...Object.entries(wholeBodies).map(
    ([feed, body]) => [`/v1/sources/feed/msf/NBA/2025-2026-regular/${feed}`, body] as const,
  ),
];

/** The paths to all values of a body, leaves and containers. */
function placesIn(value: JsonValue, above: readonly (string | number)[] = []): (string | number)[][] {
  const inside = Array.isArray(value)
    ? value.flatMap((one, at) => placesIn(one, [...above, at]))
    : isJsonObject(value)
      ? Object.entries(value).flatMap(([name, one]) => placesIn(one, [...above, name]))
      : [];
  return [[...above], ...inside];
}

/** The text of `body` with `text` at `place`. */
function withText(body: JsonValue, place: readonly (string | number)[], text: string): string {
  const mark = 'here is the text';
  const copy = structuredClone({ body });
  const path = ['body', ...place];
  let holder = copy as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string | number, unknown>;
  holder[path.at(-1) as string] = mark;
  // A number of any length is written without quotes.
  const written = /^-?(?:0|[1-9]\d*)$/.test(text) ? text : JSON.stringify(text);
  return JSON.stringify(copy.body).replace(JSON.stringify(mark), () => written);
}

const get = (path: string, more: Record<string, string> = {}): Asked => ({
  to: 'api',
  method: 'GET',
  path,
  headers: more,
  body: null,
});
const push = (path: string, body: string, more: Record<string, string> = {}): Asked => ({
  to: 'gateway',
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...more },
  body,
});

const example = fc.constantFrom(...routeExamples.map(({ path }) => path));
const pushed = fc.constantFrom(...bodies);
const header = fc.constantFrom(...headers);
const intoUrl = texts(longest.url)
  .map(encodeURIComponent)
  .map((text) => text.slice(0, longest.url));

export const hostileTextRequests: fc.Arbitrary<Asked> = fc.oneof(
  fc
    .tuple(example, fc.constantFrom(...parameters), intoUrl)
    .map(([path, name, text]) => get(`${path.split('?')[0]}?${name}=${text}`)),
  fc.tuple(example, fc.nat(6), intoUrl).map(([path, at, text]) => {
    const parts = (path.split('?')[0] as string).split('/');
    parts[1 + (at % (parts.length - 1))] = text;
    return get(parts.join('/'));
  }),
  fc.tuple(example, header, texts(longest.header)).map(([path, name, text]) => get(path, { [name]: text })),
  fc
    .tuple(pushed, header, texts(longest.header))
    .map(([[path, body], name, text]) => push(path, JSON.stringify(body), { [name]: text })),
  fc
    .tuple(pushed, fc.constantFrom(...parameters, 'game'), intoUrl)
    .map(([[path, body], name, text]) => push(`${path}?${name}=${text}`, JSON.stringify(body))),
  {
    weight: 4,
    arbitrary: fc.tuple(pushed, fc.nat(), texts(longest.body)).map(([[path, body], at, text]) => {
      const places = placesIn(body);
      return push(path, withText(body, places[at % places.length] ?? [], text));
    }),
  },
);
