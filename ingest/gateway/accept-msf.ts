// Takes a body of MSF into the log (docs/revisions.md#observations): body → elements → scopes → records → broker → receipt. Its reference
// data are handled as any other, its game lines as quotes. As with quotes, nothing is acknowledged before the broker has it durably, and a
// refused part becomes a dead letter without affecting the others (I17). Independent of HTTP, so that polled bodies are handled alike.
import { whyNotLeague } from '../../core/access/feed-grant.ts';
import type { JsonValue } from '../../core/json/value.ts';
import { descriptorOf } from '../../core/msf/feeds/feeds.ts';
import { msfSource } from '../../core/msf/ids.ts';
import { receiptPlace } from '../../core/msf/receipt-place.ts';
import { blankObservations } from '../../core/msf/streams/blank-record.ts';
import type { OutgoingRecord } from '../../core/ports/broker.ts';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { ResolvedGame } from '../../core/ports/catalog/games.ts';
import type { MsfAuthoritiesCatalog } from '../../core/ports/catalog/msf-authorities.ts';
import type { Rejection } from '../../core/ports/catalog/pushes.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import { within } from '../../core/ports/tracer.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import { topics } from '../../schemas/events/topics.ts';
import { mostRefusals } from '../adapters/adapted.ts';
import type { AdaptedMsfBody, MsfRoute } from '../adapters/msf-adapted.ts';
import { adaptMsfBody } from '../adapters/msf-body.ts';
import { adaptGameLines } from '../adapters/msf-game-lines.ts';
import {
  acceptOnce,
  acceptQuotes,
  acknowledging,
  foundingStart,
  noteFounded,
  type Push,
  type PushAnswer,
  type PushTools,
  sendingTo,
} from './accept-push.ts';
import { mostReferences } from './accept-reference.ts';
import { appendReferenceData } from './append-reference-data.ts';
import type { Aside } from './body-scheduler.ts';
import { batchesOf, storeDeadLetters, unloggedDeadLetter } from './dead-letters.ts';
import { type CarriedElement, holdingElements } from './hold-elements.ts';
import { listed } from './listings.ts';
import { type Scoped, scopeElements } from './msf-scopes.ts';
import { RecentReferenceData } from './recent-reference-data.ts';
import { recordHeaders } from './record-headers.ts';

export type MsfTools = PushTools & {
  objects: Pick<ObjectStore, 'put' | 'get'>;
  msfAuthorities: Pick<MsfAuthoritiesCatalog, 'claim'>;
};

/** A body with what its route and headers say; `observedAt` replaces the receive time; `requestStartedAt` null: unknown. */
type MsfPush = Omit<Push, 'adapt' | 'eventsOf'> &
  MsfRoute & { season: string; observedAt: Micros | null; requestStartedAt: Micros | null };

export type AcceptMsf = (push: MsfPush) => Promise<PushAnswer>;

/** A push with more games would exceed the time limit of the catalog's statements. */
const mostElements = 20_000;

/**
 * Returns a function that accepts the acceptable parts of bodies. It rejects as `acceptPush` does, or with ElementNotHeld
 * (docs/operations.md#push-gateway). Keep it: it remembers which references it has appended.
 */
export function acceptingMsf(tools: MsfTools): AcceptMsf {
  const appended = new RecentReferenceData();
  return (push) => {
    const sent = { ...push, sentAs: `${push.league}/${push.season}/${push.feed}?${push.game ?? ''}\n` };
    return acceptOnce(tools, sent, (receipt, aside) => acceptUnder(tools, appended, push, receipt, aside));
  };
}

async function acceptUnder(
  tools: MsfTools,
  appended: RecentReferenceData,
  push: MsfPush,
  receipt: string,
  aside: Aside,
): Promise<PushAnswer> {
  const adapted = await tools.scheduler.run(push.schedulingKey, adaptMsfBody(push.body, push));
  const most = mostOf(adapted);
  if (most !== null) return most;
  const taken = adapted.elements.length + adapted.references.length;
  const refusal = tools.fairLog.refusal(push.schedulingKey) ?? (await push.beyondShare(taken));
  if (refusal !== null) return { kind: 'beyond-share', refusal };
  const unwanted = isAcceptable(adapted) ? await whyUnwanted(tools, push) : null;
  if (unwanted !== null) return await refuseAll(tools, push, receipt, adapted, unwanted);
  await appendReferenceData(tools, appended, { ...push, receipt }, adapted.references.splice(0));
  if (descriptorOf(push.feed).form.kind === 'game-lines' && adapted.refused.length === 0) {
    // The times of game lines are in the past by the nature of the feed, so they need no scope here (docs/revisions.md#feeds-and-datasets).
    const context = { ...push, mayBackfill: true, observedAt: null };
    const adapt = () => adaptGameLines(takenBody(adapted), push.league, context);
    return await acceptQuotes(tools, { ...push, adapt, eventsOf: msfSource }, receipt, aside);
  }
  return await acceptObservations(tools, push, receipt, adapted, aside);
}

/** Takes the body out of the result, so that its memory is released; the log only waits for what was made of it. */
function takenBody(adapted: AdaptedMsfBody): JsonValue {
  const { body } = adapted;
  adapted.body = null;
  return body;
}

/** Whether any part of the body could go into the log, from a permitted sender. */
function isAcceptable({ elements, references, refused }: AdaptedMsfBody): boolean {
  return elements.length > 0 || references.length > 0 || refused.length === 0;
}

/** Why nothing of this sender's body is accepted: its key may not push the league, or another source is the authority. */
async function whyUnwanted({ msfAuthorities }: MsfTools, { may, league, source }: MsfPush): Promise<Unwanted | null> {
  const forbidden = whyNotLeague(may, league);
  if (forbidden !== null) return { code: 'forbidden-league', detail: forbidden, isNews: true };
  const claim = await msfAuthorities.claim(league, source);
  if (claim.kind === 'held') return null;
  const detail =
    `bodies of ${league} are those of ${claim.authority}, which pushed last at ${formatMicros(claim.heardAt)}: another source of its ` +
    `rank takes over when it is silent for 10 minutes, or when the administrator says so (./sds sources assign-msf ${league} ${source})`;
  return { code: 'other-source', detail, isNews: claim.isNews };
}

/** `isNews`: its dead letters are kept. As for the other sources of a sportsbook, that is once an hour (docs/quotes.md#ownership). */
type Unwanted = { code: string; detail: string; isNews: boolean };

/** Refuses every part of the body; a body without parts is refused as one part. */
async function refuseAll(
  tools: MsfTools,
  push: MsfPush,
  receipt: string,
  adapted: AdaptedMsfBody,
  { code, detail, isNews }: Unwanted,
): Promise<PushAnswer> {
  const parts = adapted.elements.map(({ pointer, text }) => ({ pointer, payload: Buffer.from(text) }));
  if (parts.length + adapted.refused.length === 0) parts.push({ pointer: '', payload: Buffer.from(push.body) });
  const refused = parts.map((part, index): Refusal => ({ index, ...part, code, detail }));
  const wrong = refusedParts(push, parts.length, adapted);
  const refusals = [...refused, ...wrong];
  const deadLetters = (isNews ? refusals : wrong).map((each) => deadLetterOf(push, receipt, each));
  await storeDeadLetters(tools, push.use, batchesOf(push.use.deadLettersToKeep(deadLetters)));
  return { kind: 'all-rejected', ...listed(refusals.map(({ payload: _, ...each }) => each)) };
}

function mostOf({ elements, references, refused }: AdaptedMsfBody): PushAnswer | null {
  if (elements.length > mostElements) return { kind: 'too-many-records', most: mostElements };
  if (references.length > mostReferences) return { kind: 'too-many-records', most: mostReferences };
  if (refused.length <= mostRefusals) return null;
  return { kind: 'too-many-refusals', most: mostRefusals, rejected: refused.map(rejectionOf(elements.length)) };
}

/** Records that are made at once before they are appended: a body may have tens of thousands, or hundreds that are as large as itself. */
const atOnce = { records: 500, textLength: 4 * 1024 * 1024 } as const;

async function acceptObservations(
  tools: MsfTools,
  push: MsfPush,
  receipt: string,
  adapted: AdaptedMsfBody,
  aside: Aside,
): Promise<PushAnswer> {
  const scoped = await scopeElements(tools.games, push, adapted.elements, push.observedAt ?? push.receivedAt);
  const refusals = refusalsOf(push, scoped, adapted);
  const listing = listed(refusals.map(({ payload: _, ...each }) => each));
  const deadLetters = batchesOf(push.use.deadLettersToKeep(refusals.map((each) => deadLetterOf(push, receipt, each))));
  const accepted = scoped.flatMap((each, index) => (each.kind === 'scoped' ? [{ ...each, index }] : []));
  if (accepted.length === 0 && refusals.length > 0) {
    await storeDeadLetters(tools, push.use, deadLetters);
    return { kind: 'all-rejected', ...listing };
  }
  const games = accepted.flatMap(({ game }) => game ?? []);
  const hold = holdingElements(tools.objects);
  const sending = sendingTo(topics.observations, push.span, accepted.length);
  const headers = recordHeaders(push.source, sending.traceparent);
  const recordsFrom = async (from: number): Promise<OutgoingRecord[]> => {
    const records: OutgoingRecord[] = [];
    let textLength = 0;
    for (const each of accepted.slice(from, from + atOnce.records)) {
      if (textLength >= atOnce.textLength) break;
      const text = each.text();
      textLength += text.length;
      records.push(recordOf(push, receipt, adapted.lastUpdatedOn, each, await hold(text), headers));
    }
    return records;
  };
  const kept = (): void => push.use.kept(0);
  // If an element cannot be stored, nothing is in the log, at least of the first records.
  await within(sending, async () => {
    let records = await recordsFrom(0);
    tools.crash('gateway:before-produce', 'msf');
    await aside(() => produceStarts(tools, games, push));
    for (let from = 0; from < accepted.length; records = await recordsFrom(from)) {
      const some = records;
      await aside(() => tools.fairLog.append(push.schedulingKey, topics.observations, some, kept));
      from += some.length;
    }
  });
  tools.crash('gateway:after-produce', 'msf');
  const last = deadLetters.pop() ?? [];
  await storeDeadLetters(tools, push.use, deadLetters);
  const { source, receivedAt, idempotencyKey } = push;
  const acceptedIndexes = accepted.map(({ index, scope }) => receiptPlace(index, push.feed, scope));
  const entry = { receipt, source, receivedAt, accepted: accepted.length, acceptedIndexes, duplicates: 0, ...listing };
  await within(acknowledging(push.span), () => tools.pushes.acknowledge(entry, idempotencyKey, last));
  push.use.kept(last.length);
  await noteFounded(tools, push, games);
  return { kind: 'accepted', receipt, accepted: accepted.length, duplicates: 0, ...listing };
}

/** Writes the starts of games that MSF has founded to the log of quotes, whose folds depend on them. */
async function produceStarts(
  { fairLog }: MsfTools,
  games: readonly ResolvedGame[],
  { schedulingKey, receivedAt, use }: MsfPush,
): Promise<void> {
  const starts = games.flatMap((game) => foundingStart(game, receivedAt) ?? []);
  if (starts.length > 0) await fairLog.append(schedulingKey, topics.quotes, starts, () => use.kept(0));
}

type Accepted = Extract<Scoped, { kind: 'scoped' }> & { index: number };

function recordOf(
  { source, receivedAt, season, feed, observedAt, requestStartedAt }: MsfPush,
  receipt: string,
  lastUpdatedOn: string | null,
  { scope, msfGameId, index }: Accepted,
  carried: CarriedElement,
  headers: Readonly<Record<string, string>>,
): OutgoingRecord {
  const value: ObservationsRecord = {
    ...blankObservations(scope, source, receivedAt),
    push: receipt,
    push_index: index,
    observation: {
      season,
      feed,
      msf_game_id: msfGameId,
      observed_at: observedAt,
      request_started_at: requestStartedAt,
      last_updated_on: lastUpdatedOn,
      ...carried,
      rebuild: null,
    },
  };
  return { key: scope.uuid, value, headers };
}

type Refusal = Rejection & { payload: Uint8Array };

/** The refusals: elements by the game that they name, under their own index; parts of the body after all elements, in its order. */
function refusalsOf(push: MsfPush, scoped: readonly Scoped[], adapted: AdaptedMsfBody): Refusal[] {
  const byGame = scoped.flatMap((each, index): Refusal[] => {
    if (each.kind === 'scoped') return [];
    const { code, detail, element } = each;
    return [{ index, pointer: element.pointer, code, detail, payload: Buffer.from(element.text) }];
  });
  return [...byGame, ...refusedParts(push, scoped.length, adapted)];
}

/** The faults of the body, numbered after its elements. */
function refusedParts({ body }: MsfPush, before: number, { refused }: AdaptedMsfBody): Refusal[] {
  return refused.map((part, index) => ({
    ...rejectionOf(before)(part, index),
    payload: body.subarray(part.start, part.end),
  }));
}

function rejectionOf(before: number): (part: { pointer: string; detail: string }, index: number) => Rejection {
  return ({ pointer, detail }, index) => ({ index: before + index, pointer, code: 'bad-body', detail });
}

function deadLetterOf({ source }: MsfPush, receipt: string, { index, ...refused }: Refusal): DeadLetter {
  return unloggedDeadLetter({ ...refused, topic: topics.observations, source, receipt, pushIndex: index });
}
