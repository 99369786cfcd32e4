// The way of a request through its route: each check of `orderOfChecks` has one step here, run in that order until one refuses; then the
// answer is written. Steps answer at once where memory suffices, so that a hot request waits for nothing. The only place that turns
// refusals and failures into answers.
import type { ServerResponse } from 'node:http';
import type { Check } from '../core/access/order-of-checks.ts';
import type { CatalogGame } from '../core/ports/catalog/games.ts';
import type { ApiKey } from '../core/ports/catalog/keys.ts';
import type { ChargedRead } from '../core/ports/ledger.ts';
import { jsonDocument } from './edge.ts';
import type { GameIdentity } from './game-directory.ts';
import {
  type Part,
  type Representation,
  writeHeadOfPart,
  writeHeadOfWhole,
  writePart,
  writeUnchanged,
  writeWhole,
} from './http/answer.ts';
import { ifMatchPasses, ifNoneMatchNames, ifRangeHolds } from './http/etag.ts';
import type { RequestHead } from './http/head.ts';
import { isPieces, writePieces } from './http/pieces.ts';
import { readQuery } from './http/query.ts';
import { type ByteRange, parseRange, resolveRange } from './http/range.ts';
import type { Charged } from './metering.ts';
import { statusOf, writeProblem } from './problems.ts';
import { messageOf, Unavailable } from './reach.ts';
import { isRefusal, type Refusal, refuse, unavailable } from './refusal.ts';
import type { Outcome, Route } from './route.ts';
import type { Services } from './services.ts';

/** A request on its way. What a step finds out is here for the steps after it. */
export type Exchange = {
  readonly route: Route;
  readonly checks: readonly Check[];
  readonly head: RequestHead;
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  readonly requestId: string;
  /** Whether it is a HEAD: the same answer without its body. */
  readonly bodiless: boolean;
  key: ApiKey | null;
  values: unknown;
  game: CatalogGame | GameIdentity | null;
  range: ByteRange | null;
  answer: Representation | null;
  part: Part | null;
  /** What the answer costs, and what was debited for it now. */
  read: ChargedRead | null;
  debited: number;
};

/** Null: go on. 'unchanged': the client has it already. */
type StepAnswer = Refusal | 'unchanged' | null;
type Step = (exchange: Exchange, services: Services) => StepAnswer | Promise<StepAnswer>;

const steps: Readonly<Record<Check, Step>> = {
  key(exchange, { keys }) {
    const { authorization, authorizationCount } = exchange.head;
    const verdict = keys.verdict(authorization, authorizationCount);
    return verdict instanceof Promise ? verdict.then((late) => judgeKey(exchange, late)) : judgeKey(exchange, verdict);
  },

  'key-state': ({ key }) =>
    key?.state === 'revoked' || key?.state === 'suspended'
      ? refuse('key-disabled', { detail: `The API key is ${key.state}.` })
      : null,

  subscription: ({ key }, { site }) =>
    key?.entitled === false
      ? refuse('subscription-required', { members: { upgrade_url: `${site.baseUrl}/docs#tiers` } })
      : null,

  throttle: ({ key }) => (key?.state === 'throttled' ? refuse('throttled') : null),

  shape(exchange, services) {
    const { route } = exchange;
    const reading = readQuery(exchange.query, route.query);
    if (!reading.ok) return refuse('validation-error', { detail: reading.detail });
    exchange.values = reading.values;
    const fault = route.check(reading.values, services);
    if (fault !== null) return refuse('validation-error', { detail: fault });
    return route.class.file && !exchange.bodiless ? readRange(exchange) : null;
  },

  dataset: ({ route, params }) =>
    route.datasets?.includes(params.dataset ?? '') === false
      ? refuse('not-found', {
          title: 'Unknown dataset',
          detail: `The datasets of a game are ${route.datasets.join(', ')}.`,
        })
      : null,

  game(exchange, { directory }) {
    const id = exchange.params.game_id ?? '';
    if (exchange.route.game === 'identity') {
      exchange.game = directory.remembered(id);
      if (exchange.game !== null) return null;
    }
    return directory.record(id).then((game) => {
      exchange.game = game;
      return game === null
        ? refuse('not-found', { title: 'Game not found', detail: 'There is no game of this id.' })
        : null;
    });
  },

  resource(exchange, services) {
    const { params, values: query, game } = exchange;
    const outcome = exchange.route.handle({ params, query, game }, services);
    return outcome instanceof Promise
      ? outcome.then((late) => takeOutcome(exchange, late))
      : takeOutcome(exchange, outcome);
  },

  precondition({ head, answer }) {
    const { etag } = answer as Representation;
    if (etag === null) return null;
    if (head.ifMatch !== null && !ifMatchPasses(head.ifMatch, etag)) return refuse('precondition-failed');
    return head.ifNoneMatch !== null && ifNoneMatchNames(head.ifNoneMatch, etag) ? 'unchanged' : null;
  },

  range(exchange) {
    const { range, head } = exchange;
    const { etag, size } = exchange.answer as Representation;
    if (range === null || (head.ifRange !== null && (etag === null || !ifRangeHolds(head.ifRange, etag)))) return null;
    exchange.part = resolveRange(range, size);
    return exchange.part === null
      ? refuse('range-not-satisfiable', {
          detail: `The file has ${size} bytes.`,
          headers: ['Content-Range', `bytes */${size}`, 'Accept-Ranges', 'bytes'],
        })
      : null;
  },

  charge(exchange, { metering }) {
    if (exchange.read === null) throw new Error(`${exchange.route.path} is charged and does not say what`);
    const charged = metering.charge(exchange.key as ApiKey, exchange.read);
    return charged instanceof Promise
      ? charged.then((late) => takeCharge(exchange, late))
      : takeCharge(exchange, charged);
  },
};

function takeCharge(exchange: Exchange, charged: Charged): StepAnswer {
  if (isRefusal(charged)) return charged;
  exchange.debited = charged.debited;
  return null;
}

type KeyVerdict = Awaited<ReturnType<Services['keys']['verdict']>>;

function judgeKey(exchange: Exchange, verdict: KeyVerdict): StepAnswer {
  switch (verdict.kind) {
    case 'known':
      exchange.key = verdict.key;
      return null;
    case 'invalid':
      return refuse('invalid-key', {
        detail: verdict.detail,
        headers: ['WWW-Authenticate', 'Bearer realm="sports-data-service"'],
      });
    case 'unavailable':
      return unavailable('The API key cannot be checked for the moment.');
  }
}

function readRange(exchange: Exchange): StepAnswer {
  if (exchange.head.range === null) return null;
  const read = parseRange(exchange.head.range);
  if (read.kind === 'malformed') {
    return refuse('validation-error', { detail: 'The Range header is not of the form bytes=<start>-<end>.' });
  }
  exchange.range = read.kind === 'one' ? read.range : null;
  return null;
}

function takeOutcome(exchange: Exchange, outcome: Outcome): StepAnswer {
  if (isRefusal(outcome)) return outcome;
  const { route } = exchange;
  if ('document' in outcome) {
    exchange.answer = jsonDocument(outcome.document, { cache: route.cache, keyed: route.class.key });
  } else if ('read' in outcome) {
    exchange.answer = outcome.file;
    exchange.read = outcome.read;
  } else exchange.answer = outcome;
  return null;
}

/** Answers a request. Never rejects. */
export async function answer(exchange: Exchange, response: ServerResponse, services: Services): Promise<void> {
  try {
    for (const check of exchange.checks) {
      const made = steps[check](exchange, services);
      const found = made instanceof Promise ? await made : made;
      if (found === null) continue;
      if (found === 'unchanged') writeUnchanged(response, exchange.answer as Representation, ownHeaders(exchange));
      else refuseExchange(exchange, response, services, found);
      return;
    }
    await serve(exchange, response, services);
  } catch (error) {
    refuseExchange(exchange, response, services, failure(error, exchange, services));
  }
}

async function serve(exchange: Exchange, response: ServerResponse, services: Services): Promise<void> {
  const answer = exchange.answer as Representation;
  if (exchange.bodiless) {
    writeWhole(response, answer, null, ownHeaders(exchange));
    return;
  }
  const { part } = exchange;
  const made = answer.body(part);
  const body = made instanceof Promise ? await made : made;
  const own = ownHeaders(exchange);
  if (isPieces(body)) {
    if (part === null) writeHeadOfWhole(response, answer, own);
    else writeHeadOfPart(response, answer, part, own);
    await writePieces(response, body, services.pace);
  } else if (part === null) writeWhole(response, answer, body, own);
  else writePart(response, answer, body, part, own);
}

/** The header fields of this answer alone. */
function ownHeaders({ requestId, read, debited }: Exchange): string[] {
  const own = ['X-Request-Id', requestId];
  if (read !== null) own.push('X-Service-Debited', String(debited));
  return own;
}

function refuseExchange(exchange: Exchange, response: ServerResponse, services: Services, refusal: Refusal): void {
  // Nothing can be said on a response that has begun: a cut connection is the only honest end.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  writeProblem(response, services.site, refusal, exchange.requestId, {
    head: exchange.bodiless,
    close: exchange.head.body,
  });
}

/** What a thrown error is answered with. Nothing of it is shown. */
function failure(error: unknown, exchange: Exchange, services: Services): Refusal {
  if (error instanceof Unavailable) {
    return unavailable(
      error.dependency === 'catalog'
        ? 'The catalog cannot be reached for the moment.'
        : 'The file cannot be read for the moment.',
    );
  }
  const refusal = refuse('internal-error');
  services.log.error('request failed', {
    route: exchange.route.path,
    request_id: exchange.requestId,
    status: statusOf(refusal),
    error: messageOf(error),
    stack: error instanceof Error ? (error.stack ?? null) : null,
  });
  return refusal;
}
