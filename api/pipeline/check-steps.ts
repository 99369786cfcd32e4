// The step of each check in `orderOfChecks`: it passes the request on, refuses it, or finds that the client already has the answer. A step
// is synchronous if memory suffices, so that such a request waits for nothing. Independent of the order.
import type { HistoryWindow } from '../../core/access/history-window.ts';
import type { Check } from '../../core/access/order-of-checks.ts';
import { isLeague } from '../../core/league-code.ts';
import type { RateLimits } from '../../core/limits/tier-limits.ts';
import type { Admission, RateLimiter } from '../../core/ports/rate-limiter.ts';
import type { Site } from '../../http/problem-document.ts';
import { isRefusal, type Refusal, refuse, unavailable } from '../../http/refusal.ts';
import { leagues } from '../../schemas/reference/leagues.ts';
import type { HistoryWindows } from '../access/history-windows.ts';
import type { KeyRing, KeyVerdict } from '../access/key-ring.ts';
import { refusalOfDate } from '../access/window-in-words.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import { prefersHtml } from '../http/accept.ts';
import { isBrowserHere } from '../http/browser-here.ts';
import { ifMatchPasses, ifNoneMatchNames, ifRangeHolds } from '../http/etag.ts';
import { jsonDocument } from '../http/json-document.ts';
import { parseRange, resolveRange } from '../http/range.ts';
import { retryAfterSeconds } from '../http/rate-limit-fields.ts';
import type { ChargeOutcome, Metering } from '../metering/metering.ts';
import type { GameDirectory } from '../serving/game-directory.ts';
import type { Exchange, Step, StepAnswer } from './exchange.ts';
import { found } from './findings.ts';
import type { RouteOutcome, RouteQuestion } from './route.ts';
import type { Waiting } from './waiting.ts';

export type StepNeeds = {
  site: Site;
  keys: Pick<KeyRing, 'verdict'>;
  limiter: Pick<RateLimiter, 'admit'>;
  rateLimits: RateLimits;
  directory: Pick<GameDirectory, 'remembered' | 'record'>;
  history: Pick<HistoryWindows, 'window'>;
  metering: Pick<Metering, 'charge'>;
  waiting: Pick<Waiting, 'untilNews'>;
};

export function openSteps(needs: StepNeeds): Readonly<Record<Check, Step>> {
  const { site, keys, limiter, rateLimits, directory, history, metering, waiting } = needs;
  return {
    'address-limit': (exchange) =>
      chainMaybeAsync(limiter.admit(exchange.address, rateLimits.address), (admission) => {
        // Shared caches may store these answers, so only refusals have the rate-limit fields of an address.
        if (!admission.admitted) exchange.admission = admission;
        return admission.admitted ? null : rateLimited(admission);
      }),

    key(exchange) {
      const { authorization, authorizationCount } = exchange.head;
      exchange.keyHolds = keyHoldsOf(keys, authorization, authorizationCount);
      return chainMaybeAsync(keys.verdict(authorization, authorizationCount), (verdict) => judgeKey(exchange, verdict));
    },

    'key-state': ({ key }) =>
      key?.state === 'revoked' || key?.state === 'suspended'
        ? refuse('key-disabled', { detail: `The API key is ${key.state}.` })
        : null,

    subscription: ({ key }) =>
      key?.entitled === false
        ? refuse('subscription-required', { members: { upgrade_url: `${site.baseUrl}/docs#tiers` } })
        : null,

    throttle: ({ key }) => (key?.state === 'throttled' ? refuse('throttled') : null),

    'rate-limit'(exchange) {
      const { tier } = found(exchange.key, 'the key');
      return chainMaybeAsync(limiter.admit(exchange.subject, rateLimits[tier]), (admission) => {
        exchange.admission = admission;
        return admission.admitted ? null : rateLimited(admission);
      });
    },

    shape(exchange) {
      const { route } = exchange;
      const question = route.ask(exchange.query, exchange.params);
      if ('fault' in question) return refuse('validation-error', { detail: question.fault });
      exchange.question = question;
      return route.class.file && !exchange.bodiless ? readRange(exchange) : null;
    },

    dataset: ({ route, params }) =>
      route.datasets?.includes(params.dataset ?? '') === false
        ? refuse('not-found', {
            title: 'Unknown dataset',
            detail: `The datasets of this route are ${route.datasets.join(', ')}.`,
          })
        : null,

    game(exchange) {
      if (exchange.route.class.league) return takeLeague(exchange);
      const id = exchange.params.game_id ?? '';
      if (exchange.route.game === 'identity') {
        exchange.game = directory.remembered(id);
        if (exchange.game !== null) return null;
      }
      return directory.record(id).then((record) => {
        exchange.game = record;
        exchange.record = record;
        return record === null
          ? refuse('not-found', { title: 'Game not found', detail: 'There is no game of this id.' })
          : null;
      });
    },

    cursor: (exchange) =>
      chainMaybeAsync(questionOf(exchange).checkCursor(exchange), (fault) =>
        fault === null ? null : refuse('validation-error', { detail: fault }),
      ),

    history: (exchange) =>
      chainMaybeAsync(history.window(found(exchange.key, 'the key').tier), (window) => judgeDate(exchange, window)),

    resource(exchange) {
      const { route, head } = exchange;
      const page = route.page === true && prefersHtml(head.accept);
      const asker = { page, browserHere: isBrowserHere(head, exchange.remoteAddress) };
      return waiting.untilNews(exchange, () =>
        chainMaybeAsync(questionOf(exchange).answer(exchange, asker), (outcome) => takeOutcome(exchange, outcome)),
      );
    },

    precondition({ head, answer }) {
      const { etag } = found(answer, 'the answer');
      if (etag === null) return null;
      if (head.ifMatch !== null && !ifMatchPasses(head.ifMatch, etag)) return refuse('precondition-failed');
      return head.ifNoneMatch !== null && ifNoneMatchNames(head.ifNoneMatch, etag) ? 'unchanged' : null;
    },

    range(exchange) {
      const { range, head } = exchange;
      const { etag, size } = found(exchange.answer, 'the answer');
      if (range === null || (head.ifRange !== null && (etag === null || !ifRangeHolds(head.ifRange, etag))))
        return null;
      exchange.part = resolveRange(range, size);
      return exchange.part === null
        ? refuse('range-not-satisfiable', {
            detail: `The file has ${size} bytes.`,
            headers: ['Content-Range', `bytes */${size}`, 'Accept-Ranges', 'bytes'],
          })
        : null;
    },

    charge(exchange) {
      const { read, answer, part } = exchange;
      if (read === null) throw new Error(`${exchange.route.path} is charged and does not say for what`);
      // A failure must be free, so the bytes are read before the charge.
      return chainMaybeAsync(found(answer, 'the answer').body(part), (body) => {
        exchange.body = body;
        // A client that has gone gets nothing and pays nothing.
        if (exchange.isGone()) return unavailable('The client is gone.');
        return chainMaybeAsync(metering.charge(found(exchange.key, 'the key'), read), (charged) =>
          takeCharge(exchange, charged),
        );
      });
    },
  };
}

function questionOf({ question }: Exchange): RouteQuestion {
  return found(question, 'the question');
}

function rateLimited(admission: Admission): Refusal {
  const seconds = retryAfterSeconds(admission);
  return refuse('rate-limited', {
    detail: `At most ${admission.limit} requests are answered within ${admission.window.inWords}; the next one in ${seconds} s.`,
    headers: ['Retry-After', String(seconds)],
  });
}

function takeCharge(exchange: Exchange, charged: ChargeOutcome): StepAnswer {
  if (isRefusal(charged)) return charged;
  exchange.debited = charged.debited;
  return null;
}

/** Returns a check whether the key would still be admitted. A stream keeps it for minutes, so it keeps nothing else of the request. */
function keyHoldsOf(keys: Pick<KeyRing, 'verdict'>, authorization: string | null, count: number) {
  return (): boolean | Promise<boolean> => chainMaybeAsync(keys.verdict(authorization, count), holds);
}

/** Whether the key checks would pass. An outage of the catalog makes no key invalid (I27). */
function holds(verdict: KeyVerdict): boolean {
  if (verdict.kind !== 'known') return verdict.kind === 'unavailable';
  return verdict.key.state === 'active' && verdict.key.entitled;
}

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
  const { gameDate } = found(exchange.game, 'the game');
  return refusalOfDate(found(exchange.key, 'the key').tier, window, gameDate);
}

const asciiLetters = /^[A-Za-z]+$/;

function takeLeague(exchange: Exchange): StepAnswer {
  const text = exchange.params.league ?? '';
  // The form is tested first, because some letters beyond ASCII have ASCII capitals.
  const code = asciiLetters.test(text) ? text.toUpperCase() : '';
  if (!isLeague(code)) {
    return refuse('not-found', { title: 'League not covered', detail: `The leagues are ${leagues.join(', ')}.` });
  }
  exchange.league = code;
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

function takeOutcome(exchange: Exchange, outcome: RouteOutcome): StepAnswer {
  if (isRefusal(outcome)) return outcome;
  const { route } = exchange;
  exchange.nothingNew = 'nothingNew' in outcome;
  if ('nothingNew' in outcome) {
    const { nothingNew: known } = outcome;
    exchange.answer = 'read' in known ? known.file : known;
    exchange.read = 'read' in known ? known.read : null;
  } else if ('document' in outcome) {
    exchange.answer = jsonDocument(outcome.document, { cache: route.cache, keyed: route.class.key });
  } else if ('read' in outcome) {
    exchange.answer = outcome.file;
    exchange.read = outcome.read;
  } else exchange.answer = outcome;
  return null;
}
