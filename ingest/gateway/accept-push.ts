// The way of a push into the log: adapted elements → their games → records → broker → receipt. Nothing is acknowledged that the broker
// does not have durably (I17); what is refused is a dead letter beside its good neighbours. Unaware of HTTP.
import { createHash } from 'node:crypto';
import type { Broker, OutgoingRecord } from '../../core/ports/broker.ts';
import type { GamesCatalog, ResolvedGame } from '../../core/ports/catalog/games.ts';
import type { DeadLetter } from '../../core/ports/catalog/live.ts';
import type { PushCatalog, Rejection } from '../../core/ports/catalog/pushes.ts';
import type { CrashPoints } from '../../core/ports/crash-points.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { QuoteRefusal } from '../../core/quotes/types.ts';
import type { Micros } from '../../core/units.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import type { AdaptedElement } from '../adapters/adapted.ts';
import { referencesOf, type SettledElement, settleElements } from '../adapters/settle.ts';

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

/**
 * Accepts what is acceptable of a push. Rejects with BrokerUnavailable or CatalogUnavailable when it cannot be had durably:
 * then the client tries again. operations.md, "Push gateway".
 */
export async function acceptPush(tools: PushTools, push: Push): Promise<PushAnswer> {
  const answers = await tools.games.resolve(push.source, referencesOf(push.elements));
  const settled = settleElements(push.elements, answers);
  const accepted = settled.filter((each) => each.kind === 'accepted');
  const receipt = tools.newReceipt();
  const rejected = settled.flatMap((each) =>
    each.refusals.map((refusal) => ({ index: each.element.index, ...refusal })),
  );
  const deadLetters = settled.flatMap((each) =>
    each.refusals.map((refusal) => deadLetter(push, receipt, each, refusal)),
  );
  for (const { game } of accepted) {
    if (game.warning !== null) tools.log.warn('game not minted', { game: game.gameId, reason: game.warning });
  }
  if (accepted.length === 0 && settled.length > 0) {
    await tools.pushes.bury(deadLetters);
    return { kind: 'all-rejected', rejected };
  }
  let first = receipt;
  if (push.idempotencyKey !== null) {
    const bodySha256 = createHash('sha256').update(push.body).digest('hex');
    const use = await tools.pushes.useKey(push.source, push.idempotencyKey, bodySha256, receipt);
    if (use.kind === 'conflict') return { kind: 'idempotency-conflict' };
    if (use.kind === 'repeated') first = use.receipt;
    if (use.kind === 'repeated' && use.logged) {
      return { kind: 'accepted', receipt: first, accepted: 0, duplicates: accepted.length, rejected };
    }
  }
  tools.crash('gateway:before-produce');
  await tools.broker.produce(topics.quotes, recordsOf(push, first, accepted));
  tools.crash('gateway:after-produce');
  const entry = {
    receipt: first,
    source: push.source,
    receivedAt: push.receivedAt,
    accepted: accepted.length,
    duplicates: 0,
    rejected,
  };
  await tools.pushes.acknowledge(entry, push.idempotencyKey, deadLetters);
  const founded = accepted.filter(({ game }) => game.startToLog !== null).map(({ game }) => game.uuid);
  if (founded.length > 0) await tools.games.startsLogged([...new Set(founded)]);
  return { kind: 'accepted', receipt: first, accepted: accepted.length, duplicates: 0, rejected };
}

type Settled = SettledElement<ResolvedGame>;
type Accepted = Extract<Settled, { kind: 'accepted' }>;

/** The records of a push in order; a game's founding start goes before its first observation. */
function recordsOf(push: Push, receipt: string, accepted: readonly Accepted[]): OutgoingRecord[] {
  const records: OutgoingRecord[] = [];
  const started = new Set<string>();
  for (const { element, game } of accepted) {
    const frame = frameOf(game, push.source, push.receivedAt);
    if (game.startToLog !== null && !started.has(game.uuid)) {
      started.add(game.uuid);
      const start = { scheduled_start: game.startToLog.scheduledStart, from_schedule: false };
      records.push({
        key: game.uuid,
        value: { ...frame, source: game.startToLog.source, start } satisfies QuotesRecord,
      });
    }
    const value: QuotesRecord = {
      ...frame,
      push: receipt,
      push_index: element.index,
      observation: element.observation,
    };
    records.push({ key: game.uuid, value, headers: { source: push.source } });
  }
  return records;
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

function deadLetter(push: Push, receipt: string, { element, ...settled }: Settled, refusal: QuoteRefusal): DeadLetter {
  return {
    topic: topics.quotes,
    partition: null,
    offset: null,
    code: refusal.code,
    detail: refusal.detail,
    pointer: refusal.pointer,
    source: push.source,
    gameUuid: settled.kind === 'accepted' ? settled.game.uuid : null,
    gameId: settled.kind === 'accepted' ? settled.game.gameId : null,
    receipt,
    pushIndex: element.index,
    payload: push.body.subarray(element.start, element.end),
  };
}
