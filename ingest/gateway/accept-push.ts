// The way of a push into the log: adapted elements → their games → records → broker → receipt. Nothing is acknowledged that the broker
// does not have durably (I17); what is refused is a dead letter beside its good neighbours. Unaware of HTTP.
import { createHash } from 'node:crypto';
import type { Broker, OutgoingRecord } from '../../core/ports/broker.ts';
import type { GamesCatalog, ResolvedGame } from '../../core/ports/catalog/games.ts';
import type { DeadLetter } from '../../core/ports/catalog/live.ts';
import type { PushCatalog, Rejection } from '../../core/ports/catalog/pushes.ts';
import type { CrashPoints } from '../../core/ports/crash-points.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { recordIdOfKey } from '../../core/quotes/record-id.ts';
import type { QuoteRefusal } from '../../core/quotes/types.ts';
import type { Micros } from '../../core/units.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { AdaptedElement } from '../adapters/adapted.ts';

export type PushTools = {
  broker: Broker;
  games: GamesCatalog;
  pushes: PushCatalog;
  crash: CrashPoints;
  log: Log;
  newReceipt: () => string;
};

export type Push = {
  source: string;
  receivedAt: Micros;
  idempotencyKey: string | null;
  body: Uint8Array;
  elements: readonly AdaptedElement[];
};

export type PushAnswer =
  | { kind: 'accepted'; receipt: string; accepted: number; duplicates: number; rejected: readonly Rejection[] }
  /** The body had records and none was acceptable. */
  | { kind: 'all-rejected'; rejected: readonly Rejection[] }
  | { kind: 'idempotency-conflict' };

type Accepted = Extract<AdaptedElement, { kind: 'accepted' }>;

/**
 * Accepts what is acceptable of a push. Rejects with BrokerUnavailable or CatalogUnavailable when it cannot be had durably:
 * then the client tries again. operations.md, "Push gateway".
 */
export async function acceptPush(tools: PushTools, push: Push): Promise<PushAnswer> {
  const candidates = push.elements.filter((element): element is Accepted => element.kind === 'accepted');
  const resolutions = await tools.games.resolve(
    push.source,
    candidates.map((element) => element.game),
  );
  const receipt = tools.newReceipt();
  const rejected = push.elements.flatMap((element) => rejectionsOf(element));
  const deadLetters = push.elements.flatMap((element) => deadLettersOf(push, receipt, element));
  const games: { element: Accepted; game: ResolvedGame }[] = [];
  candidates.forEach((element, at) => {
    const resolution = resolutions[at];
    if (resolution === undefined) throw new Error('a reference was left unresolved');
    if (resolution.kind === 'resolved') {
      if (resolution.game.warning !== null)
        tools.log.warn('game not minted', { game: resolution.game.gameId, reason: resolution.game.warning });
      games.push({ element, game: resolution.game });
      return;
    }
    const refusal: QuoteRefusal = { code: resolution.code, pointer: '/game', detail: resolution.detail };
    rejected.push({ index: element.index, ...refusal });
    deadLetters.push(deadLetter(push, receipt, element, refusal));
  });
  rejected.sort((a, b) => a.index - b.index);

  if (games.length === 0 && push.elements.length > 0) {
    await tools.pushes.bury(deadLetters);
    return { kind: 'all-rejected', rejected };
  }
  let first = receipt;
  if (push.idempotencyKey !== null) {
    const use = await tools.pushes.useKey(
      push.source,
      push.idempotencyKey,
      createHash('sha256').update(push.body).digest('hex'),
      receipt,
    );
    if (use.kind === 'conflict') return { kind: 'idempotency-conflict' };
    if (use.kind === 'repeated' && use.logged) {
      return { kind: 'accepted', receipt: use.receipt, accepted: 0, duplicates: games.length, rejected };
    }
    if (use.kind === 'repeated') first = use.receipt;
  }
  tools.crash('gateway:before-produce');
  await tools.broker.produce(topics.quotes, recordsOf(push, first, games));
  tools.crash('gateway:after-produce');
  await tools.pushes.acknowledge(
    {
      receipt: first,
      source: push.source,
      receivedAt: push.receivedAt,
      accepted: games.length,
      duplicates: 0,
      rejected,
    },
    push.idempotencyKey,
    deadLetters,
  );
  const started = games.filter(({ game }) => game.startToLog !== null).map(({ game }) => game.uuid);
  if (started.length > 0) await tools.games.startsLogged([...new Set(started)]);
  return { kind: 'accepted', receipt: first, accepted: games.length, duplicates: 0, rejected };
}

/** The records of a push in order; a game's founding start goes before its first observation. */
function recordsOf(
  push: Push,
  receipt: string,
  games: readonly { element: Accepted; game: ResolvedGame }[],
): OutgoingRecord[] {
  const records: OutgoingRecord[] = [];
  const started = new Set<string>();
  for (const { element, game } of games) {
    const frame = frameOf(game, push.source, push.receivedAt);
    if (game.startToLog !== null && !started.has(game.uuid)) {
      started.add(game.uuid);
      const start = { scheduled_start: game.startToLog.scheduledStart, from_schedule: false };
      records.push({
        key: game.uuid,
        value: { ...frame, source: game.startToLog.source, start } satisfies QuotesRecord,
      });
    }
    const { observation } = element;
    const value: QuotesRecord = {
      ...frame,
      push: receipt,
      push_index: element.index,
      observation: withRecordId(push, element, observation),
    };
    records.push({ key: game.uuid, value, headers: { source: push.source } });
  }
  return records;
}

function withRecordId(push: Push, element: Accepted, observation: Accepted['observation']): Accepted['observation'] {
  if (push.idempotencyKey === null || element.sha256 === null || observation.record_id !== null) return observation;
  const parts = { source: push.source, key: push.idempotencyKey, index: element.index, sha256: element.sha256 };
  return { ...observation, record_id: recordIdOfKey(parts) };
}

/** A record of `sds.quotes.v1` that says nothing yet. */
export function frameOf(
  game: { uuid: string; gameId: string; league: string },
  source: string,
  receivedAt: Micros,
): QuotesRecord {
  return {
    game_uuid: game.uuid,
    game_id: game.gameId,
    league: game.league,
    source,
    received_at: receivedAt,
    push: null,
    push_index: null,
    observation: null,
    start: null,
    status: null,
    owner: null,
    tick: null,
  };
}

function refusalsOf(element: AdaptedElement): readonly QuoteRefusal[] {
  return element.kind === 'refused' ? [element.refusal] : element.refusals;
}

function rejectionsOf(element: AdaptedElement): Rejection[] {
  return refusalsOf(element).map((refusal) => ({ index: element.index, ...refusal }));
}

function deadLettersOf(push: Push, receipt: string, element: AdaptedElement): DeadLetter[] {
  return refusalsOf(element).map((refusal) => deadLetter(push, receipt, element, refusal));
}

function deadLetter(push: Push, receipt: string, element: AdaptedElement, refusal: QuoteRefusal): DeadLetter {
  return {
    topic: topics.quotes,
    partition: null,
    offset: null,
    code: refusal.code,
    detail: refusal.detail,
    pointer: refusal.pointer,
    source: push.source,
    gameUuid: null,
    gameId: null,
    receipt,
    pushIndex: element.index,
    payload: push.body.subarray(element.start, element.end),
  };
}
