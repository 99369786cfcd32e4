// Runs the steps of a route's checks in order until one refuses, then writes the answer. The only place that turns refusals and failures
// into answers.
import type { ServerResponse } from 'node:http';
import type { RateLimits } from '../../core/limits/tier-limits.ts';
import type { RateLimiter } from '../../core/ports/rate-limiter.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Problems, type Site, statusOf } from '../../http/problem-document.ts';
import { type Refusal, refuse, unavailable } from '../../http/refusal.ts';
import { messageOf, Unavailable } from '../dependencies/deadlines.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import { DamagedFile } from '../files/damaged-file.ts';
import {
  type Representation,
  writeHeadAlone,
  writeHeadOfPart,
  writeHeadOfWhole,
  writePart,
  writeUnchanged,
  writeWhole,
} from '../http/answer.ts';
import { type Feed, isFeed, writeFeed } from '../http/feed.ts';
import { isPieces, type Pieces, writePieces } from '../http/pieces.ts';
import type { PreparedHeads } from '../http/prepared-heads.ts';
import { rateLimitFields } from '../http/rate-limit-fields.ts';
import { transportFields } from '../http/transport-fields.ts';
import type { Exchange } from './exchange.ts';
import { found } from './findings.ts';

export type AnsweringNeeds = {
  site: Site;
  problems: Problems;
  log: Log;
  limiter: Pick<RateLimiter, 'look'>;
  rateLimits: RateLimits;
  /** Prepared heads of frequent answers. */
  heads: PreparedHeads;
};

/** Answers a request; pieces of a body may still be written after it resolves. Never rejects. */
export async function answer(exchange: Exchange, response: ServerResponse, needs: AnsweringNeeds): Promise<void> {
  try {
    for (const step of exchange.steps) {
      const answered = step(exchange);
      const ended = answered instanceof Promise ? await answered : answered;
      if (ended === null) continue;
      if (ended === 'unchanged') writeUnchanged(response, answerOf(exchange), ownHeaders(exchange, needs));
      else refuseExchange(exchange, response, needs, await withCounted(ended, exchange, needs));
      return;
    }
    const serving = serve(exchange, response, needs);
    if (serving !== null) await serving;
  } catch (error) {
    refuseExchange(exchange, response, needs, failure(error, exchange, needs));
  } finally {
    if (isPieces(exchange.body)) exchange.body.release?.();
  }
}

function serve(exchange: Exchange, response: ServerResponse, needs: AnsweringNeeds): null | Promise<null> {
  const answer = answerOf(exchange);
  if (exchange.bodiless) {
    writeHeadAlone(response, answer, ownHeaders(exchange, needs));
    return null;
  }
  return chainMaybeAsync(exchange.body ?? answer.body(exchange.part), (body) => {
    const { part } = exchange;
    const own = ownHeaders(exchange, needs);
    if (isFeed(body)) {
      writeHeadOfWhole(response, answer, own, needs.heads);
      exchange.waited.ms = null;
      sendFeed(response, body, askedOf(exchange), needs);
      return null;
    }
    if (isPieces(body)) {
      exchange.body = body;
      if (part === null) writeHeadOfWhole(response, answer, own, needs.heads);
      else writeHeadOfPart(response, answer, part, own);
      exchange.body = null;
      void writeRest(response, body, askedOf(exchange), needs);
      return null;
    }
    if (part === null) writeWhole(response, answer, body, own, needs.heads);
    else writePart(response, answer, body, part, own);
    return null;
  });
}

/** Writes the feed after the head. Its closure has no more of the request: streams last for minutes, and there are thousands. */
function sendFeed(response: ServerResponse, body: Feed, asked: FailedRequest, needs: AnsweringNeeds): void {
  writeFeed(response, body, (error) => cutOff(response, error, asked, needs));
}

/** Writes the pieces after the head. */
async function writeRest(
  response: ServerResponse,
  body: Pieces,
  asked: FailedRequest,
  needs: AnsweringNeeds,
): Promise<void> {
  try {
    await writePieces(response, body);
  } catch (error) {
    cutOff(response, error, asked, needs);
  } finally {
    body.release?.();
  }
}

/** Ends an answer that has begun: the client notices that it is not complete. */
function cutOff(response: ServerResponse, error: unknown, asked: FailedRequest, needs: AnsweringNeeds): void {
  failure(error, asked, needs);
  response.destroy();
}

function answerOf({ answer }: Exchange): Representation {
  return found(answer, 'the answer');
}

/** The header fields of this answer only. */
function ownHeaders({ requestId, admission, read, debited, waits }: Exchange, { site }: AnsweringNeeds): string[] {
  const own = ['X-Request-Id', requestId, ...transportFields(site.baseUrl)];
  if (admission !== null) own.push(...rateLimitFields(admission));
  if (read !== null) own.push('X-Service-Debited', String(debited));
  if (waits > 0) own.push('Preference-Applied', `wait=${waits}`);
  return own;
}

/** Adds what the key has left, if the request was refused before it was counted (docs/interface.md#response-headers). */
async function withCounted(refusal: Refusal, exchange: Exchange, needs: AnsweringNeeds): Promise<Refusal> {
  const { key, subject } = exchange;
  if (key === null || exchange.admission !== null) return refusal;
  exchange.admission = await needs.limiter.look(subject, needs.rateLimits[key.tier]);
  return refusal;
}

function refuseExchange(exchange: Exchange, response: ServerResponse, needs: AnsweringNeeds, refusal: Refusal): void {
  // After a response has begun, no problem document can follow: the connection is cut, so that the client notices the failure.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { admission } = exchange;
  const fields = admission === null ? [] : rateLimitFields(admission);
  const complete = { ...refusal, headers: [...(refusal.headers ?? []), ...fields] };
  needs.problems.write(response, complete, exchange.requestId, exchange.head.body);
}

/** The `reason` of a failure caused by damaged archive data (docs/interface.md#problem-types). */
function reasonOfDamage(error: unknown, { route }: FailedRequest): Pick<Refusal, 'members'> {
  if (!(error instanceof DamagedFile) || route.archived !== true) return {};
  return { members: { reason: error.missing ? 'archive_unreadable' : 'archive_corrupt' } };
}

type FailedRequest = Pick<Exchange, 'route' | 'requestId'>;

/** What is kept of a request while its body is written. */
function askedOf({ route, requestId }: Exchange): FailedRequest {
  return { route, requestId };
}

/** The refusal for a thrown error. Reveals nothing about the error. */
function failure(error: unknown, exchange: FailedRequest, needs: AnsweringNeeds): Refusal {
  if (error instanceof Unavailable) {
    return unavailable(
      error.dependency === 'catalog'
        ? 'The catalog cannot be reached for the moment.'
        : 'The file cannot be read for the moment.',
    );
  }
  const refusal = refuse('internal-error', reasonOfDamage(error, exchange));
  needs.log.error('request failed', {
    route: exchange.route.path,
    request_id: exchange.requestId,
    status: statusOf(refusal),
    error: messageOf(error),
    stack: error instanceof Error ? (error.stack ?? null) : null,
  });
  return refusal;
}
