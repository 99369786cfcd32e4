// Takes a push into the log: its key → its elements → their games and players → records → broker → receipt. Nothing is acknowledged before
// the broker has it durably (I17); a refused part becomes a dead letter without affecting the others. Independent of HTTP.
import { createHash } from 'node:crypto';
import type { PushGrant } from '../../core/access/feed-grant.ts';
import type { Broker, OutgoingRecord } from '../../core/ports/broker.ts';
import type { DeadLettersCatalog, SentQuotes } from '../../core/ports/catalog/dead-letters.ts';
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { GamesCatalog, ResolvedGame } from '../../core/ports/catalog/games.ts';
import type { PushCatalog, Rejection } from '../../core/ports/catalog/pushes.ts';
import type { ReferenceCatalog } from '../../core/ports/catalog/reference.ts';
import type { CrashPoints } from '../../core/ports/crash-points.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { noSpan, type Span, within } from '../../core/ports/tracer.ts';
import { blankRecord } from '../../core/quotes/blank-record.ts';
import type { QuoteRefusal } from '../../core/quotes/types.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { Micros } from '../../core/units.ts';
import type { Observation, QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import { type AdaptedElement, type AdaptedPush, type ElementFrame, mostRefusals } from '../adapters/adapted.ts';
import type { DecidedElement } from '../adapters/decide-elements.ts';
import type { Aside, BodyScheduler } from './body-scheduler.ts';
import { batchesOf, deadLettersOf, storeDeadLetters } from './dead-letters.ts';
import type { FairLog } from './fair-log.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';
import { type Judging, judgeQuotes } from './judge-quotes.ts';
import { inKeyMutex } from './key-mutex.ts';
import type { PushUse } from './key-share.ts';
import { type ListedElements, type ListedRejections, listed, listedElements } from './listings.ts';
import { logNotMinted } from './not-minted.ts';
import { resolvePlayers } from './player-ids.ts';
import { recordHeaders } from './record-headers.ts';
import type { RankOf } from './source-ranks.ts';

export type PushTools = {
  broker: Broker;
  games: GamesCatalog;
  reference: Pick<ReferenceCatalog, 'identify' | 'playersCalled'>;
  pushes: PushCatalog;
  deadLetters: Pick<DeadLettersCatalog, 'store'>;
  rankOf: RankOf;
  crash: CrashPoints;
  scheduler: BodyScheduler;
  fairLog: FairLog;
  log: Log;
  newReceipt: () => string;
};

export type Push = {
  source: string;
  /** The scheduler alternates between these keys: the feed key that pushed. */
  schedulingKey: string;
  receivedAt: Micros;
  /** The leagues and sportsbooks that its sender may push. */
  may: PushGrant;
  idempotencyKey: string | null;
  body: Uint8Array;
  /** The number of elements in its lists, or of its lines, counted before parsing. */
  elements: number;
  /** Takes this many elements from the share of the pushing key; a refusal if the share has too few left. Nothing is accepted then. */
  beyondShare(elements: number): Promise<GatewayRefusal | null>;
  use: PushUse;
  /** What it is a part of; left out: it is not traced. */
  span?: Span;
  /** Left out: neither strict nor validating. */
  judging?: Judging;
  /** Reads the body in its format. */
  adapt: () => Task<AdaptedPush>;
  /** The source that the body's event ids belong to, if not the pushing source. */
  eventsOf?: string;
  /** How it was sent, for its dead letters. */
  sent?: SentQuotes;
  /** What distinguishes equal bytes: under one Idempotency-Key, the same bytes for another feed are a conflict. */
  sentAs?: string;
};

export type PushAnswer =
  | ({ kind: 'accepted'; receipt: string; accepted: number; duplicates: number } & ListedRejections &
      Partial<ListedElements>)
  /** The push was only to be validated; nothing of it is kept. */
  | ({ kind: 'judged'; accepted: number } & ListedRejections & ListedElements)
  /** The body had records, but none was acceptable. */
  | ({ kind: 'all-rejected' } & ListedRejections)
  | { kind: 'malformed'; detail: string }
  | { kind: 'too-many-records'; most: number }
  | { kind: 'too-many-refusals'; most: number; rejected: readonly Rejection[] }
  | { kind: 'beyond-share'; refusal: GatewayRefusal }
  | { kind: 'idempotency-conflict' };

/**
 * Accepts the acceptable parts of a push. Rejects with BrokerUnavailable or CatalogUnavailable if they cannot be stored durably now; the
 * client then tries again. docs/operations.md#push-gateway.
 */
export function acceptPush(tools: PushTools, push: Push): Promise<PushAnswer> {
  return acceptOnce(tools, push, (receipt, aside) => acceptQuotes(tools, push, receipt, aside));
}

/** While records are made of it, a body takes about ten times its size: larger bodies are handled one at a time. */
const mostBytesBeside = 1024 * 1024;

const hashedAtOnce = 512 * 1024;

type Sent = Omit<Push, 'adapt'>;
/** `aside`: waits for the log without keeping other large bodies waiting. */
type AcceptUnder = (receipt: string, aside: Aside) => Promise<PushAnswer>;
const besideNone: Aside = (wait) => wait();

/** `acceptPush` for a push that has its receipt. */
export async function acceptQuotes(tools: PushTools, push: Push, receipt: string, aside: Aside): Promise<PushAnswer> {
  const refusal = tools.fairLog.refusal(push.schedulingKey) ?? (await push.beyondShare(push.elements));
  if (refusal !== null) return { kind: 'beyond-share', refusal };
  const judged = await judgeQuotes(tools, push);
  if (judged.kind === 'malformed') return judged;
  if (judged.kind === 'too-many-refusals')
    return { ...judged, most: mostRefusals, rejected: rejections(judged.elements) };

  const { source, use } = push;
  const { decided, body, warningsMore, observedAt } = judged;
  const listing = listed(decided.flatMap(({ element, refusals }) => refusals.map((each) => rejection(element, each))));
  const accepted = decided.filter((each) => each.kind === 'accepted');
  const isRefused = accepted.length === 0 && decided.length > 0;
  if (push.judging?.validate === true) {
    if (isRefused) return { kind: 'all-rejected', ...listing };
    return { kind: 'judged', accepted: accepted.length, ...listing, ...listedElements(decided, warningsMore) };
  }
  const sent = push.sent === undefined || observedAt === undefined ? push.sent : { ...push.sent, observedAt };
  const refused = deadLettersOf({ ...push, receipt, body, sent }, decided);
  const deadLetters = batchesOf(use.deadLettersToKeep(refused));
  if (isRefused) {
    await storeDeadLetters(tools, use, deadLetters);
    return { kind: 'all-rejected', ...listing };
  }
  const rank = await tools.rankOf(source);
  tools.crash('gateway:before-produce', 'quotes');
  for (const part of inParts(accepted)) {
    await resolvePlayers(tools.reference, source, part);
    const sending = sendingTo(topics.quotes, push.span, part.length);
    const records = recordsOf({ ...push, receipt, rank }, part, sending.traceparent);
    await within(sending, () =>
      aside(() => tools.fairLog.append(push.schedulingKey, topics.quotes, records, () => use.kept(0))),
    );
  }
  tools.crash('gateway:after-produce', 'quotes');
  const last = deadLetters.pop() ?? [];
  await storeDeadLetters(tools, use, deadLetters);
  const { receivedAt, idempotencyKey } = push;
  const acceptedIndexes = accepted.map(({ element }) => element.index);
  const entry = { receipt, source, receivedAt, accepted: accepted.length, acceptedIndexes, duplicates: 0, ...listing };
  await within(acknowledging(push.span), () => tools.pushes.acknowledge(entry, idempotencyKey, last));
  use.kept(last.length);
  await noteFounded(
    tools,
    push,
    accepted.map(({ game }) => game),
  );
  const elements = listedElements(decided, warningsMore);
  return { kind: 'accepted', receipt, accepted: accepted.length, duplicates: 0, ...listing, ...elements };
}

/** The span in which so many elements of a push are appended to a topic: their records carry its context. */
export function sendingTo(topic: string, push: Span = noSpan, elements: number): Span {
  const what = { 'messaging.operation.type': 'send', 'messaging.destination.name': topic };
  return push.child(`send ${topic}`, 'producer', { ...what, 'messaging.batch.message_count': elements });
}

/** The span of the transaction that stores the receipt. */
export function acknowledging(push: Span = noSpan): Span {
  return push.child('acknowledge', 'client');
}

/** Accepts a push under its receipt; of several with one Idempotency-Key, only the first. */
export function acceptOnce(tools: PushTools, sent: Sent, accept: AcceptUnder): Promise<PushAnswer> {
  const { idempotencyKey: key, source, schedulingKey, body, judging } = sent;
  const isLarge = body.length > mostBytesBeside;
  const acceptUnder = (receipt: string): Promise<PushAnswer> =>
    isLarge ? tools.scheduler.large(schedulingKey, (aside) => accept(receipt, aside)) : accept(receipt, besideNone);
  if (key === null || judging?.validate === true) return acceptUnder(tools.newReceipt());
  return inKeyMutex(source, key, () => acceptKeyed(tools, sent, key, acceptUnder));
}

async function acceptKeyed(
  tools: PushTools,
  push: Sent,
  key: string,
  accept: (receipt: string) => Promise<PushAnswer>,
): Promise<PushAnswer> {
  const { pushes } = tools;
  const receipt = tools.newReceipt();
  const bodySha256 = await tools.scheduler.run(push.schedulingKey, hashing(push));
  const use = await pushes.useKey(push.source, key, bodySha256, receipt);
  if (use.kind === 'conflict') return { kind: 'idempotency-conflict' };
  if (use.kind === 'repeated' && use.logged) {
    const first = await pushes.receipt(use.receipt);
    if (first !== null) {
      const { accepted, rejected, rejectedMore } = first;
      return { kind: 'accepted', receipt: use.receipt, accepted: 0, duplicates: accepted, rejected, rejectedMore };
    }
  }
  // If the push that claimed the key did not end, the key still belongs to it: its records may be in the log, and the fold recognises the
  // duplicates. So only a claim of this push may be released.
  if (use.kind === 'repeated') return accept(use.receipt);
  const answer = await accept(receipt);
  if (answer.kind !== 'accepted') await pushes.releaseKey(push.source, key, receipt);
  return answer;
}

function* hashing({ sentAs, body }: Sent): Task<string> {
  const hash = createHash('sha256').update(sentAs ?? '');
  for (let at = 0; at < body.length; at += hashedAtOnce) {
    hash.update(body.subarray(at, at + hashedAtOnce));
    yield;
  }
  return hash.digest('hex');
}

function rejections(elements: readonly AdaptedElement[]): Rejection[] {
  return elements.flatMap((element) => element.refusals.map((each) => rejection(element, each)));
}

function rejection({ index }: ElementFrame, { pointer, code, detail }: QuoteRefusal): Rejection {
  return { index, pointer, code, detail };
}

type Accepted = Extract<DecidedElement<ResolvedGame>, { kind: 'accepted' }>;

/** The push is accepted even if this fails: a start that is not known to be in the log is logged again. */
export async function noteFounded(
  tools: PushTools,
  push: Pick<Push, 'source' | 'receivedAt'>,
  games: readonly ResolvedGame[],
): Promise<void> {
  logNotMinted(tools.log, push.source, push.receivedAt, games);
  const founded = games.filter(({ startToLog }) => startToLog !== null).map(({ uuid }) => uuid);
  if (founded.length === 0) return;
  try {
    await tools.games.startsLogged([...new Set(founded)]);
  } catch (error) {
    if (!(error instanceof CatalogUnavailable)) throw error;
  }
}

/** An accepted element with its observation, and whether it is the first of its game in the push. */
type ToRecord = { observation: Observation; index: number; game: ResolvedGame; isFirst: boolean };

/** The records of elements in order; a game's founding start comes before its first observation. */
function recordsOf(
  push: Push & { receipt: string; rank: number },
  part: readonly ToRecord[],
  traceparent: string | null,
): OutgoingRecord[] {
  const { source, receivedAt, receipt, rank } = push;
  const records: OutgoingRecord[] = [];
  const headers = recordHeaders(source, traceparent);
  for (const { observation, index, game, isFirst } of part) {
    const start = isFirst ? foundingStart(game, receivedAt) : null;
    if (start !== null) records.push(start);
    const frame = blankRecord(game, source, receivedAt);
    const value: QuotesRecord = { ...frame, push: receipt, push_index: index, rank, observation };
    records.push({ key: game.uuid, value, headers });
  }
  return records;
}

/** Most quotes that are made into records and encoded without a pause: some milliseconds of work. */
const quotesAtOnce = 4_000;

/** Divides the elements into parts that are made into records one by one; a small push is one part. */
function* inParts(accepted: readonly Accepted[]): Generator<ToRecord[]> {
  const started = new Set<string>();
  let part: ToRecord[] = [];
  let quotes = 0;
  for (const { element, game } of accepted) {
    const { observation, index } = element;
    // A record without quotes costs as much as a few quotes.
    const weight = 4 + observation.operators.reduce((sum, operator) => sum + operator.quotes.length, 0);
    if (quotes + weight > quotesAtOnce && part.length > 0) {
      yield part;
      part = [];
      quotes = 0;
    }
    quotes += weight;
    part.push({ observation, index, game, isFirst: !started.has(game.uuid) });
    started.add(game.uuid);
  }
  if (part.length > 0) yield part;
}

/** The start reported by the game's founder, if it is not known to be in the log: it must precede all other records of the game. */
export function foundingStart(game: ResolvedGame, receivedAt: Micros): OutgoingRecord | null {
  if (game.startToLog === null) return null;
  const { scheduledStart, source } = game.startToLog;
  const start = { scheduled_start: scheduledStart, from_schedule: false };
  return { key: game.uuid, value: { ...blankRecord(game, source, receivedAt), start } satisfies QuotesRecord };
}
