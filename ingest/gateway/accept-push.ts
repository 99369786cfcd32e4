// The way of a push into the log: its key → its elements → their games and players → records → broker → receipt. Nothing is acknowledged that the
// broker does not have durably (I17); what is refused is a dead letter beside its good neighbours. Unaware of HTTP.
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
import { blankRecord } from '../../core/quotes/blank-record.ts';
import type { QuoteRefusal } from '../../core/quotes/types.ts';
import type { Steps } from '../../core/steps.ts';
import type { Micros } from '../../core/units.ts';
import type { Observation, QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import { type AdaptedElement, type AdaptedPush, type ElementFrame, mostRefusals } from '../adapters/adapted.ts';
import type { DecidedElement } from '../adapters/decide-elements.ts';
import { batchesOf, deadLettersOf, storeDeadLetters } from './dead-letters.ts';
import type { FairLog } from './fair-log.ts';
import type { GatewayRefusal } from './gateway-refusal.ts';
import { type Judging, judgeQuotes } from './judge-quotes.ts';
import type { PushUse } from './key-share.ts';
import { inTurnOfKey } from './key-turns.ts';
import { type ListedElements, type ListedRejections, listed, listedElements } from './listings.ts';
import { sayNotMinted } from './not-minted.ts';
import { resolvePlayers } from './player-ids.ts';
import type { RankOf } from './source-ranks.ts';
import type { Aside, Turns } from './turns.ts';

export type PushTools = {
  broker: Broker;
  games: GamesCatalog;
  reference: Pick<ReferenceCatalog, 'identify' | 'playersCalled'>;
  pushes: PushCatalog;
  deadLetters: Pick<DeadLettersCatalog, 'store'>;
  rankOf: RankOf;
  crash: CrashPoints;
  turns: Turns;
  fairLog: FairLog;
  log: Log;
  newReceipt: () => string;
};

export type Push = {
  source: string;
  /** Whose turns the work on it takes. */
  turn: string;
  receivedAt: Micros;
  /** Of what its sender may speak. */
  may: PushGrant;
  idempotencyKey: string | null;
  body: Uint8Array;
  /** Elements of its lists, or its lines, as they were counted before anything was made of them. */
  elements: number;
  /** Takes so many elements of the share of the key that pushes; the refusal where that has too few left. Nothing is accepted then. */
  beyondShare(elements: number): Promise<GatewayRefusal | null>;
  use: PushUse;
  /** Left out: as usual. */
  judging?: Judging;
  /** Reads the body as its format says. */
  adapt: () => Steps<AdaptedPush>;
  /** Whose event ids the body has, where they are not the source's own. */
  eventsOf?: string;
  /** How it was sent, for its dead letters. */
  sent?: SentQuotes;
  /** What is said of the body beside its bytes that makes it another body: under one key, the same bytes of another feed are a conflict. */
  sentAs?: string;
};

export type PushAnswer =
  | ({ kind: 'accepted'; receipt: string; accepted: number; duplicates: number } & ListedRejections &
      Partial<ListedElements>)
  /** Nothing of it is kept: it was to be judged alone. */
  | ({ kind: 'judged'; accepted: number } & ListedRejections & ListedElements)
  /** The body had records and none was acceptable. */
  | ({ kind: 'all-rejected' } & ListedRejections)
  | { kind: 'malformed'; detail: string }
  | { kind: 'too-many-records'; most: number }
  | { kind: 'too-many-refusals'; most: number; rejected: readonly Rejection[] }
  | { kind: 'beyond-share'; refusal: GatewayRefusal }
  | { kind: 'idempotency-conflict' };

/**
 * Accepts what is acceptable of a push. Rejects with BrokerUnavailable or CatalogUnavailable when it cannot be had durably:
 * then the client tries again. docs/operations.md#push-gateway.
 */
export function acceptPush(tools: PushTools, push: Push): Promise<PushAnswer> {
  return acceptOnce(tools, push, (receipt, aside) => acceptQuotes(tools, push, receipt, aside));
}

/** A body turns into some ten times its size while records are made of it: beyond this, there is room for one at a time. */
const mostBytesBeside = 1024 * 1024;

const hashedAtOnce = 512 * 1024;

type Sent = Omit<Push, 'adapt'>;
/** `aside`: how it waits for the log, so that the large bodies of others need not. */
type AcceptUnder = (receipt: string, aside: Aside) => Promise<PushAnswer>;
const besideNone: Aside = (wait) => wait();

/** As `acceptPush`, of a push that has its receipt. */
export async function acceptQuotes(tools: PushTools, push: Push, receipt: string, aside: Aside): Promise<PushAnswer> {
  const refusal = tools.fairLog.refusal(push.turn) ?? (await push.beyondShare(push.elements));
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
    const records = recordsOf({ ...push, receipt, rank }, part);
    await aside(() => tools.fairLog.append(push.turn, topics.quotes, records, () => use.kept(0)));
  }
  tools.crash('gateway:after-produce', 'quotes');
  const last = deadLetters.pop() ?? [];
  await storeDeadLetters(tools, use, deadLetters);
  const { receivedAt, idempotencyKey } = push;
  const acceptedIndexes = accepted.map(({ element }) => element.index);
  const entry = { receipt, source, receivedAt, accepted: accepted.length, acceptedIndexes, duplicates: 0, ...listing };
  await tools.pushes.acknowledge(entry, idempotencyKey, last);
  use.kept(last.length);
  await noteFounded(
    tools,
    push,
    accepted.map(({ game }) => game),
  );
  const elements = listedElements(decided, warningsMore);
  return { kind: 'accepted', receipt, accepted: accepted.length, duplicates: 0, ...listing, ...elements };
}

/** Accepts a push under its receipt; of those with one Idempotency-Key the first alone. */
export function acceptOnce(tools: PushTools, sent: Sent, accept: AcceptUnder): Promise<PushAnswer> {
  const { idempotencyKey: key, source, turn, body, judging } = sent;
  const isLarge = body.length > mostBytesBeside;
  const acceptUnder = (receipt: string): Promise<PushAnswer> =>
    isLarge ? tools.turns.large(turn, (aside) => accept(receipt, aside)) : accept(receipt, besideNone);
  if (key === null || judging?.validate === true) return acceptUnder(tools.newReceipt());
  return inTurnOfKey(source, key, () => acceptKeyed(tools, sent, key, acceptUnder));
}

async function acceptKeyed(
  tools: PushTools,
  push: Sent,
  key: string,
  accept: (receipt: string) => Promise<PushAnswer>,
): Promise<PushAnswer> {
  const { pushes } = tools;
  const receipt = tools.newReceipt();
  const bodySha256 = await tools.turns.steps(push.turn, hashing(push));
  const use = await pushes.useKey(push.source, key, bodySha256, receipt);
  if (use.kind === 'conflict') return { kind: 'idempotency-conflict' };
  if (use.kind === 'repeated' && use.logged) {
    const first = await pushes.receipt(use.receipt);
    if (first !== null) {
      const { accepted, rejected, rejectedMore } = first;
      return { kind: 'accepted', receipt: use.receipt, accepted: 0, duplicates: accepted, rejected, rejectedMore };
    }
  }
  // A key whose push did not come to its end belongs to that push: its records may be in the log, and the fold tells them apart.
  const claimed = use.kind === 'repeated' ? use.receipt : receipt;
  const answer = await accept(claimed);
  if (answer.kind !== 'accepted') await pushes.releaseKey(push.source, key, claimed);
  return answer;
}

function* hashing({ sentAs, body }: Sent): Steps<string> {
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

/** The push stands even if this fails: a start that is not known to be in the log is logged again. */
export async function noteFounded(
  tools: PushTools,
  push: Pick<Push, 'source' | 'receivedAt'>,
  games: readonly ResolvedGame[],
): Promise<void> {
  sayNotMinted(tools.log, push.source, push.receivedAt, games);
  const founded = games.filter(({ startToLog }) => startToLog !== null).map(({ uuid }) => uuid);
  if (founded.length === 0) return;
  try {
    await tools.games.startsLogged([...new Set(founded)]);
  } catch (error) {
    if (!(error instanceof CatalogUnavailable)) throw error;
  }
}

/** An accepted element with its observation at hand, and whether it is the first of its game in the push. */
type ToRecord = { observation: Observation; index: number; game: ResolvedGame; isFirst: boolean };

/** The records of elements in order; a game's founding start goes before its first observation. */
function recordsOf(push: Push & { receipt: string; rank: number }, part: readonly ToRecord[]): OutgoingRecord[] {
  const { source, receivedAt, receipt, rank } = push;
  const records: OutgoingRecord[] = [];
  for (const { observation, index, game, isFirst } of part) {
    const start = isFirst ? foundingStart(game, receivedAt) : null;
    if (start !== null) records.push(start);
    const frame = blankRecord(game, source, receivedAt);
    const value: QuotesRecord = { ...frame, push: receipt, push_index: index, rank, observation };
    records.push({ key: game.uuid, value, headers: { source } });
  }
  return records;
}

/** Most quotes of the records that are made and encoded without a pause between them: some milliseconds. */
const quotesAtOnce = 4_000;

/** The elements in as many parts as are made into records one by one; a push that is not large is one. */
function* inParts(accepted: readonly Accepted[]): Generator<ToRecord[]> {
  const started = new Set<string>();
  let part: ToRecord[] = [];
  let quotes = 0;
  for (const { element, game } of accepted) {
    const { observation, index } = element;
    // A record without quotes costs as much as some of them.
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

/** The start that the game's founder told, where it is not known to be in the log: it goes before all else that is said of the game. */
export function foundingStart(game: ResolvedGame, receivedAt: Micros): OutgoingRecord | null {
  if (game.startToLog === null) return null;
  const { scheduledStart, source } = game.startToLog;
  const start = { scheduled_start: scheduledStart, from_schedule: false };
  return { key: game.uuid, value: { ...blankRecord(game, source, receivedAt), start } satisfies QuotesRecord };
}
