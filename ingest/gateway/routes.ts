// The gateway's routes (docs/operations.md#push-gateway). Each reads its request, calls the rule or port that answers it, and reports the
// result.
import { everything, mayPushAs, whyNotLeague } from '../../core/access/feed-grant.ts';
import { isJsonObject, type JsonValue, memberOf } from '../../core/json/value.ts';
import type { ReceiptState, Rejection } from '../../core/ports/catalog/pushes.ts';
import { sourceTimeRefusal } from '../../core/quotes/source-time.ts';
import { formatMicros, nearestMicros } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import { isRefusal, refuse } from '../../http/refusal.ts';
import { topics } from '../../schemas/events/topics.ts';
import { nativeBody, oddsApiBody, pushAnswer, receipt, referenceBody, tickBody } from '../../schemas/http/pushes.ts';
import { type ParsedBody, parsingJsonElement } from '../adapters/json-body.ts';
import { adaptNativePush } from '../adapters/native.ts';
import { adaptTheOddsApiPush, readPollTerms } from '../adapters/the-odds-api-v4.ts';
import { tickRecords } from '../ticker/tick-records.ts';
import { acceptReference } from './accept-reference.ts';
import { documentRoutes } from './document-routes.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';
import { giveBack } from './gathered-bytes.ts';
import { health, ready } from './health.ts';
import { membersOf } from './listings.ts';
import { msf } from './msf-route.ts';
import { answerPush, answerSent, judgingParameters } from './push.ts';
import { bodyForm, encodingOf, mostElements, readBody, schedulingKeyOf } from './read-body.ts';
import type { GatewayRoute } from './route.ts';

const quotes: GatewayRoute = {
  id: 'pushQuotes',
  summary: 'Quotes as native events.',
  details: `Each event is one operator in one game. At most 8 MiB inflated and ${mostElements.toLocaleString('en')} elements in one push.`,
  method: 'POST',
  path: '/v1/sources/:source/quotes',
  key: 'source',
  scope: 'push',
  query: judgingParameters,
  headers: ['Content-Encoding', 'Idempotency-Key', 'X-Observed-At', 'traceparent'],
  takes: { forms: ['json', 'ndjson'], body: nativeBody },
  gives: pushAnswer,
  validates: true,
  missing: false,
  handle(call, tools, place) {
    return answerPush(call, tools, place, ['json', 'ndjson'], { name: 'native' }, (body, context, form) =>
      adaptNativePush(body, form, context),
    );
  },
};

const theOddsApi: GatewayRoute = {
  id: 'pushTheOddsApi',
  summary: 'Quotes in the format of The Odds API v4.',
  details: 'The query says what the poll covered: quotes that are covered but absent from two polls are withdrawn.',
  method: 'POST',
  path: '/v1/sources/:source/the-odds-api-v4',
  key: 'source',
  scope: 'push',
  query: ['odds_format', 'markets', 'bookmakers', ...judgingParameters],
  headers: ['Content-Encoding', 'Idempotency-Key', 'X-Observed-At', 'traceparent'],
  takes: { forms: ['json'], body: oddsApiBody },
  gives: pushAnswer,
  validates: true,
  missing: false,
  async handle(call, tools, place) {
    const { odds_format, markets, bookmakers } = call.query;
    const query = { oddsFormat: odds_format ?? null, markets: markets ?? null, bookmakers: bookmakers ?? null };
    const terms = readPollTerms(query);
    if (terms.kind === 'invalid') return refuse('validation-error', { detail: terms.detail });
    return answerPush(call, tools, place, ['json'], { name: 'the-odds-api-v4', ...query }, (body, context) =>
      adaptTheOddsApiPush(body, terms, context),
    );
  },
};

const reference: GatewayRoute = {
  id: 'pushReference',
  summary: 'Teams, players and venues as a source knows them.',
  method: 'POST',
  path: '/v1/sources/:source/reference',
  key: 'source',
  scope: 'reference',
  query: [],
  headers: ['Content-Encoding', 'Idempotency-Key', 'traceparent'],
  takes: { forms: ['json'], body: referenceBody },
  gives: pushAnswer,
  missing: false,
  handle(call, tools, place) {
    return answerSent(call, tools, place, ['json'], (sent) => acceptReference(tools, sent));
  },
};

const ticks: GatewayRoute = {
  id: 'pushTick',
  summary: 'The time of a replayed recording, for the games of its source.',
  details: '`accepted` is the number of games that got the tick; there is no receipt.',
  method: 'POST',
  path: '/v1/sources/:source/ticks',
  key: 'source',
  scope: 'backfill',
  query: [],
  headers: ['Content-Encoding'],
  takes: { forms: ['json'], body: tickBody },
  gives: pushAnswer,
  missing: false,
  async handle(call, tools, place) {
    const { request, source, key, share } = call;
    const form = bodyForm(request.headers['content-type'], ['json']);
    if (isRefusal(form)) return form;
    const encoding = encodingOf(request.headers['content-encoding']);
    if (isRefusal(encoding)) return encoding;
    const read = await readBody(call, { form, encoding }, place, tools.scheduler);
    if (isRefusal(read)) return read;
    const { bytes } = read;
    const parsed = await tools.scheduler.run(schedulingKeyOf(call), parsingJsonElement(bytes));
    giveBack(bytes);
    const at = tickTime(parsed, tools.clock.now());
    if (isRefusal(at)) return at;
    const may = key ?? everything;
    const games = (await tools.live.gamesOpenFor(source)).filter(({ league }) => whyNotLeague(may, league) === null);
    const beyond = await share.elements(games.length);
    if (beyond !== null) return beyond;
    await tools.fairLog.append(schedulingKeyOf(call), topics.quotes, tickRecords(games, at));
    share.kept(0);
    return { status: 202, document: { receipt: null, accepted: games.length, duplicates: 0, rejected: [] } };
  },
};

const receipts: GatewayRoute = {
  id: 'getReceipt',
  summary: 'The progress of a push.',
  details: 'Receipts are kept for 24 hours. Only keys of their source can read them.',
  method: 'GET',
  path: '/v1/receipts/:receipt',
  key: 'any',
  scope: null,
  query: [],
  headers: [],
  takes: null,
  gives: receipt,
  missing: true,
  async handle({ params, key }, tools) {
    const found = await tools.pushes.receipt(params.receipt ?? '');
    if (found === null || key === null || !mayPushAs(key, found.source))
      return refuse('not-found', { detail: 'There is no such receipt; receipts are kept 24 hours.' });
    return { status: 200, document: receiptDocument(found) };
  },
};

export const routes: readonly GatewayRoute[] = [
  quotes,
  theOddsApi,
  reference,
  msf,
  ticks,
  receipts,
  ...documentRoutes,
  health,
  ready,
];

/** Whether the path is that of a probe. */
export function isProbe(path: string | undefined): boolean {
  return routes.some((route) => route.key === 'probe' && route.path === path);
}

/** The time of a tick, checked like any source time (docs/quotes.md#time-of-a-record). */
function tickTime(parsed: ParsedBody, now: Micros): Micros | GatewayRefusal {
  if (parsed.kind === 'malformed') return refuse('validation-error', { detail: parsed.detail });
  const given: JsonValue = isJsonObject(parsed.value) ? memberOf(parsed.value, 'at') : null;
  const at = typeof given === 'string' ? nearestMicros(given) : null;
  const refusal = sourceTimeRefusal(at, now, '/at');
  if (at === null || refusal !== null)
    return refuse('validation-error', {
      detail: `at: ${refusal?.detail ?? 'is missing'}; send {"at":"2026-08-05T20:00:00Z"}`,
    });
  return at;
}

/** In the documented order, whatever order the catalog has. */
function rejectionMembers({ index, pointer, code, detail }: Rejection): Rejection {
  return { index, pointer, code, detail };
}

function receiptDocument(found: ReceiptState): Record<string, unknown> {
  const folded = found.applied + found.foldedDuplicates + found.refused;
  return {
    receipt: found.receipt,
    source: found.source,
    received_at: formatMicros(found.receivedAt),
    state: folded >= found.accepted ? 'applied' : 'logged',
    counts: {
      accepted: found.accepted,
      applied: found.applied,
      duplicates: found.foldedDuplicates + found.duplicates,
      refused: found.refused + found.refusedParts + found.rejected.length + found.rejectedMore,
    },
    ...membersOf({ ...found, rejected: found.rejected.map(rejectionMembers) }),
    records: found.records.map(({ index, state, game_id, seq, rows, revisions = [], refusals }) => ({
      index,
      state,
      game_id,
      seq,
      rows,
      revisions: revisions.map(({ dataset, epoch, revision }) => ({ dataset, epoch, revision })),
      refusals: refusals.map(({ pointer, code }) => ({ pointer, code })),
    })),
  };
}
