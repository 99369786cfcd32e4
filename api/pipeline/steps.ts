// The step of each check of `orderOfChecks`: it goes on, refuses, or finds that the client has the answer already. Steps answer at once where
// memory suffices, so that a hot request waits for nothing. The order is not theirs.
import { type HistoryWindow, isWithin } from '../../core/access/history.ts';
import type { Check } from '../../core/access/order-of-checks.ts';
import { isLeague } from '../../core/leagues.ts';
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import type { Admission } from '../../core/ports/rate-limiter.ts';
import { leagues } from '../../schemas/reference/leagues.ts';
import { windowInWords } from '../access/window-in-words.ts';
import type { Services } from '../compose/services.ts';
import { goOn } from '../dependencies/at-once.ts';
import { prefersHtml } from '../http/accept.ts';
import type { Representation } from '../http/answer.ts';
import { ifMatchPasses, ifNoneMatchNames, ifRangeHolds } from '../http/etag.ts';
import { readQuery } from '../http/query.ts';
import { parseRange, resolveRange } from '../http/range.ts';
import { retryAfterSeconds } from '../http/rate-limit-fields.ts';
import type { Charged } from '../metering/metering.ts';
import { isRefusal, type Refusal, refuse, unavailable } from '../problems/refusal.ts';
import { jsonDocument } from '../serving/answer-cache.ts';
import type { GameIdentity } from '../serving/game-directory.ts';
import type { Exchange, Step, StepAnswer } from './exchange.ts';
import type { Outcome } from './route.ts';

export const steps: Readonly<Record<Check, Step>> = {
  'address-limit'(exchange, { limiter, rateLimits }) {
    return goOn(limiter.admit(exchange.address, rateLimits.address), (admission) => {
      // Their answers are everybody's to keep: only a refusal tells whose requests are counted.
      if (!admission.admitted) exchange.admission = admission;
      return admission.admitted ? null : rateLimited(admission);
    });
  },

  key(exchange, { keys }) {
    const { authorization, authorizationCount } = exchange.head;
    return goOn(keys.verdict(authorization, authorizationCount), (verdict) => judgeKey(exchange, verdict));
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

  'rate-limit'(exchange, { limiter, rateLimits }) {
    const { tier } = exchange.key as ApiKey;
    return goOn(limiter.admit(exchange.subject, rateLimits[tier]), (admission) => {
      exchange.admission = admission;
      return admission.admitted ? null : rateLimited(admission);
    });
  },

  shape(exchange, services) {
    const { route } = exchange;
    const reading = readQuery(exchange.query, route.query);
    if (!reading.ok) return refuse('validation-error', { detail: reading.detail });
    exchange.values = reading.values;
    const fault = route.check(reading.values, services, exchange.params);
    if (fault !== null) return refuse('validation-error', { detail: fault });
    return route.class.file && !exchange.bodiless ? readRange(exchange) : null;
  },

  dataset: ({ route, params }) =>
    route.datasets?.includes(params.dataset ?? '') === false
      ? refuse('not-found', {
          title: 'Unknown dataset',
          detail: `The datasets of this route are ${route.datasets.join(', ')}.`,
        })
      : null,

  game(exchange, { directory }) {
    if (exchange.route.class.league) return takeLeague(exchange);
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

  cursor(exchange, services) {
    const { route, params, values: query, game, key } = exchange;
    return goOn(route.checkCursor({ params, query, game, key, page: false }, services), (fault) =>
      fault === null ? null : refuse('validation-error', { detail: fault }),
    );
  },

  history(exchange, { history }) {
    const { tier } = exchange.key as ApiKey;
    return goOn(history.window(tier), (window) => judgeDate(exchange, window));
  },

  resource(exchange, services) {
    const { route, params, values: query, game, key } = exchange;
    const page = route.page === true && prefersHtml(exchange.head.accept);
    const outcome = route.handle({ params, query, game, key, page }, services);
    return goOn(outcome, (made) => takeOutcome(exchange, made));
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
    const { read, answer, part } = exchange;
    if (read === null) throw new Error(`${exchange.route.path} is charged and does not say what`);
    // A failure is free: the bytes have to be at hand before anybody pays for them.
    return goOn((answer as Representation).body(part), (body) => {
      exchange.body = body;
      // Whoever did not wait for them gets nothing and pays nothing.
      if (exchange.isGone()) return unavailable('The client is gone.');
      return goOn(metering.charge(exchange.key as ApiKey, read), (charged) => takeCharge(exchange, charged));
    });
  },
};

function rateLimited(admission: Admission): Refusal {
  const seconds = retryAfterSeconds(admission);
  return refuse('rate-limited', {
    detail: `At most ${admission.limit} requests are answered within a minute; the next one in ${seconds} s.`,
    headers: ['Retry-After', String(seconds)],
  });
}

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
      exchange.subject = verdict.subject;
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

function judgeDate(exchange: Exchange, window: HistoryWindow): StepAnswer {
  const { gameDate } = exchange.game as GameIdentity;
  if (isWithin(window, gameDate)) return null;
  const { tier } = exchange.key as ApiKey;
  return refuse('history-restricted', {
    detail: `The game is of ${gameDate}; tier ${tier} reads ${windowInWords(window)}.`,
  });
}

const leagueForm = /^[A-Za-z]{3,5}$/;

function takeLeague(exchange: Exchange): StepAnswer {
  const text = exchange.params.league ?? '';
  // Some letters beyond ASCII have capitals within it.
  const code = leagueForm.test(text) ? text.toUpperCase() : '';
  if (!isLeague(code)) {
    return refuse('not-found', { title: 'League not covered', detail: `The leagues are ${leagues.join(', ')}.` });
  }
  exchange.game = code;
  return null;
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
