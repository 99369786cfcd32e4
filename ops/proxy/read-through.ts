// Decides a request's answer: bytes on disk, or the API's answer. A file is charged once: the API is asked for it once, however many
// clients want it or parts of it; after that only whether it has changed, which is free (docs/metering.md#free-answers). Independent of how
// answers are written.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { monotonicMs, wallClockNow } from '../../platform/process/clock.ts';
import { ChargedBody, CutOff, NotAsPromised } from './charged-body.ts';
import type { KeptAnswer, KeptAnswers, NewAnswer } from './kept-answers.ts';
import { digestOf, keptKindOf, secondsFresh } from './kept-kind.ts';
import { type Origin, OriginAway } from './origin.ts';
import { OriginSilence } from './origin-silence.ts';
import { fieldsToKeep, type ProxyAnswer, type ProxyRequest } from './proxy-answer.ts';

/** Files that a read always debits whole, and that may have a second address: the game's id in another case, `version`. */
const filesWithAliases =
  /^\/v1\/(?:games|leagues)\/[^/]+\/[^/]+(?:$|\?|\/(?:revisions\/[^/?]+\/[^/?]+|archives\/[^/?]+)\/(?:snapshot|change|changes)\/)/;
const notAFile = /^\/v1\/(?:games|leagues)\/[^/]+\/odds(?:$|\?)/;

/** Header fields of clients that are passed to the API. */
const handedOn = ['accept', 'if-match', 'if-none-match', 'prefer', 'user-agent', 'x-request-id'];

export type ReadThrough = { answer(request: ProxyRequest): Promise<ProxyAnswer> };

export function openReadThrough(kept: KeptAnswers, origin: Origin): ReadThrough {
  const asking = new Map<string, { fields: IncomingHttpHeaders; answer: Promise<ProxyAnswer> }>();
  const silence = new OriginSilence();

  const send: Origin['ask'] = async (...request) => {
    try {
      const response = await origin.ask(...request);
      silence.ended();
      return response;
    } catch (error) {
      if (error instanceof OriginAway && error.wasSilent) silence.silent(monotonicMs());
      else silence.ended();
      throw error;
    }
  };

  /** Finds out whether the API answers again, by a request that is free and that no reader waits for. */
  function probe(target: string): void {
    if (!silence.beginProbe()) return;
    void send('HEAD', target, {}, true).then(
      (response) => response.resume(),
      () => {},
    );
  }

  /** Asks the API; if it is unreachable or cannot answer, what is kept is served as stale. */
  async function ask(
    { method, target, fields }: ProxyRequest,
    held: KeptAnswer | null,
    then: (response: IncomingMessage) => Promise<ProxyAnswer> | ProxyAnswer,
  ): Promise<ProxyAnswer> {
    // A reader that waits for changes is better kept waiting than asking again and again.
    if (held !== null && fields.prefer === undefined && silence.isRemembered(monotonicMs())) {
      probe(target);
      return stale(held);
    }
    try {
      const response = await send(method, target, fields, held !== null);
      if (held !== null && isGone(response)) kept.drop(held);
      if (held === null || !isAway(response)) return await then(response);
      response.resume();
      return stale(held);
    } catch (error) {
      if (error instanceof OriginAway)
        return held === null ? { kind: 'unavailable', detail: error.message } : stale(held);
      throw error;
    }
  }

  /** Handles the response to a GET: keeps it if that is allowed. What the disk cannot take goes to its readers from memory. */
  async function take(target: string, response: IncomingMessage): Promise<ProxyAnswer> {
    const found = newAnswer(target, response);
    if (found === null) return { kind: 'passed', response };
    const length = response.headers['content-length'];
    const size = length === undefined ? null : Number(length);
    const promised = { size, sha256: found.kind === 'document' ? null : digestOf(response.headers.etag) };
    const body = new ChargedBody(response);
    try {
      const answer = await kept.keep(found, body, promised);
      if (answer !== null) return { kind: 'kept', answer, how: 'stored', asked: response.headers };
      const { bytes, sha256 } = await body.inMemory(promised);
      const received = { ...found, sha256, size: bytes.length, checkedAt: wallClockNow() };
      return { kind: 'kept', answer: received, how: 'received', bytes, asked: response.headers };
    } catch (error) {
      response.destroy();
      if (!(error instanceof CutOff || error instanceof NotAsPromised)) throw error;
      return { kind: 'unavailable', detail: `The answer ${error.message}: nothing of it was kept.` };
    }
  }

  /** The whole file at this address, kept or not. */
  async function fetchFile(request: ProxyRequest, held: KeptAnswer | null): Promise<ProxyAnswer> {
    const { target } = request;
    const fields = handOn(request.fields);
    // The tag is of what is kept: its reader has not said that it has that, and must not wait until it changes.
    delete fields.prefer;
    if (held?.etag != null) fields['if-none-match'] = held.etag;
    if (held === null && filesWithAliases.test(target) && !notAFile.test(target)) {
      const named = await adoptByHead({ method: 'HEAD', target, fields: { ...fields, 'if-none-match': undefined } });
      if (named !== null) return named;
    }
    return ask({ method: 'GET', target, fields }, held, (response) => {
      if (response.statusCode !== 304 || held === null) return take(target, response);
      response.resume();
      return confirmed(held, response.headers);
    });
  }

  /** Checks with a HEAD, which is free, whether the address has bytes that are kept under another one. */
  async function adoptByHead(request: ProxyRequest): Promise<ProxyAnswer | null> {
    const response = await send('HEAD', request.target, present(request.fields), false).catch((error: unknown) => {
      if (error instanceof OriginAway) return null;
      throw error;
    });
    response?.resume();
    const found = response === null ? null : newAnswer(request.target, response);
    const sha256 = found === null ? null : digestOf(response?.headers.etag);
    if (response === null || found === null || sha256 === null) return null;
    const answer = kept.adopt(found, sha256);
    return answer === null ? null : { kind: 'kept', answer, how: 'confirmed', asked: response.headers };
  }

  function confirmed(held: KeptAnswer, asked: IncomingHttpHeaders): ProxyAnswer {
    kept.confirm(held);
    return { kind: 'kept', answer: held, how: 'confirmed', asked };
  }

  /**
   * One request to the API for all concurrent clients that want the same, whatever versions of it they know. What cannot be kept cannot be
   * shared: each client asks itself.
   */
  async function shared(request: ProxyRequest, fetch: () => Promise<ProxyAnswer>): Promise<ProxyAnswer> {
    const { target, fields } = request;
    const running = asking.get(target);
    if (running !== undefined) {
      const found = await running.answer;
      // The debit belongs to the request that asked.
      if (found.kind === 'kept') return { ...found, how: found.how === 'stale' ? 'stale' : 'hit', asked: {} };
      if (found.kind === 'unavailable') return found;
      return isOfConditions(found.response, running.fields, fields) ? answer(request) : fetch();
    }
    const started = fetch().finally(() => asking.delete(target));
    asking.set(target, { fields, answer: started });
    return started;
  }

  async function answer(request: ProxyRequest): Promise<ProxyAnswer> {
    const { method, target } = request;
    const fields = handOn(request.fields);
    const held = kept.find(target);
    if (held?.kind === 'immutable') return { kind: 'kept', answer: held, how: 'hit', asked: {} };
    if (method === 'HEAD') {
      if (held?.kind !== 'file' || held.etag === null || fields.prefer !== undefined)
        return ask({ method, target, fields }, held, (response) => ({ kind: 'passed', response }));
      return ask({ method, target, fields: { ...fields, 'if-none-match': held.etag } }, held, (response) => {
        if (response.statusCode !== 304) return { kind: 'passed', response };
        response.resume();
        return confirmed(held, response.headers);
      });
    }
    // A wait for changes of a file refers to what its reader has.
    if (held?.kind === 'file' && (fields.prefer === undefined || fields['if-none-match'] === undefined)) {
      // Parts of a file are read one after another, and must be of the file that the reader began with.
      if (request.fields.range !== undefined && isFresh(held))
        return { kind: 'kept', answer: held, how: 'hit', asked: {} };
      return shared(request, () => fetchFile(request, held));
    }
    if (held === null && fields.prefer === undefined) return shared(request, () => fetchFile(request, null));
    return ask({ method, target, fields }, held, (response) => take(target, response));
  }

  return { answer };
}

function newAnswer(target: string, { statusCode = 0, headers }: IncomingMessage): NewAnswer | null {
  const kind = keptKindOf(target, statusCode, headers);
  return kind === null ? null : { target, kind, etag: headers.etag ?? null, fields: fieldsToKeep(headers) };
}

/** Whether the response is to the conditions of the one reader, and not to those of the other. */
function isOfConditions(
  { statusCode = 0 }: IncomingMessage,
  one: IncomingHttpHeaders,
  other: IncomingHttpHeaders,
): boolean {
  if (statusCode !== 304 && statusCode !== 412) return false;
  return (['if-match', 'if-none-match'] as const).some((name) => one[name] !== other[name]);
}

function stale(answer: KeptAnswer): ProxyAnswer {
  return { kind: 'kept', answer, how: 'stale', asked: {} };
}

/** A dependency of the API is unreachable, or the API itself behind its proxy. */
function isAway({ statusCode = 0 }: IncomingMessage): boolean {
  return [502, 503, 504].includes(statusCode);
}

/** The game became final or its log was rebuilt: what is kept would be misleading. */
function isGone({ statusCode = 0 }: IncomingMessage): boolean {
  return [404, 409, 410].includes(statusCode);
}

function isFresh({ fields, checkedAt }: KeptAnswer): boolean {
  const policy = fields[fields.indexOf('cache-control') + 1];
  const age = wallClockNow() - checkedAt;
  return age >= 0 && age < secondsFresh(policy) * 1_000_000;
}

function handOn(fields: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(handedOn.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
}

/** Without undefined fields, which Node refuses to send. */
function present(fields: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
