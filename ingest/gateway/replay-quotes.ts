// Replays an element of quotes that the gateway refused: reads it as its route did, with what its key may push now, and appends it under
// its own push, index and time. It is source-timed, so that it never counts as newer than later observations, and is a duplicate if it was
// applied already (docs/operations.md#replaying-dead-letters). If it is refused again, nothing is kept.
import type { PushGrant } from '../../core/access/feed-grant.ts';
import type { OutgoingRecord } from '../../core/ports/broker.ts';
import type { DeadLetter, SentQuotes } from '../../core/ports/catalog/dead-letters.ts';
import type { GamesCatalog } from '../../core/ports/catalog/games.ts';
import { recordIdOfKey } from '../../core/quotes/record-id.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { Micros } from '../../core/units.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import type { AdaptedPush, PushContext } from '../adapters/adapted.ts';
import { adaptNativePush } from '../adapters/native.ts';
import { adaptTheOddsApiPush, readPollTerms } from '../adapters/the-odds-api-v4.ts';
import { tickRecords } from '../ticker/tick-records.ts';
import { acceptPush, type PushTools } from './accept-push.ts';
import { noUse } from './key-share.ts';

/** A refused element; `receipt` and `index` are those of its push. */
export type RefusedElement = {
  source: string;
  receipt: string;
  index: number;
  receivedAt: Micros;
  sent: SentQuotes;
  payload: Uint8Array;
  may: PushGrant;
};

export type ElementTools = Pick<
  PushTools,
  'broker' | 'games' | 'reference' | 'pushes' | 'rankOf' | 'scheduler' | 'log'
> & {
  /** Whether the game has ended and ticks are to close it: what is source-timed would end them. */
  closesByTicks(gameUuid: string): Promise<boolean>;
  now: () => Micros;
};

/** Why a letter stays open whose game is to be closed by ticks. */
export const waitsForClose = 'game-waits-for-close';

/** By the gateway's current rules. `appended`: without the parts in `still`, which are refused again and become letters of its game. */
export type ReplayAnswer = { kind: 'appended'; still: readonly DeadLetter[] } | { kind: 'refused'; code: string };

/** Rejects as `acceptPush` does. */
export async function replayQuotes(tools: ElementTools, element: RefusedElement): Promise<ReplayAnswer> {
  const { source, receipt, receivedAt, may, sent } = element;
  const reading = readingOf(sent.format, element.payload);
  if (reading === null) return { kind: 'refused', code: 'bad-event' };
  const { mayBackfill, observedAt, strict = false } = sent;
  const context = { source, receivedAt, may, mayBackfill, observedAt, idempotencyKey: null, strict };
  let still: readonly DeadLetter[] = [];
  const deadLettersToKeep = (refused: readonly DeadLetter[]) => {
    still = refused;
    return [];
  };
  let waits = false;
  /** A game that ticks are to close refuses the element as a settled one does. */
  const resolve: GamesCatalog['resolve'] = async (...lookups) => {
    const [found] = await tools.games.resolve(...lookups);
    if (found === undefined) return [];
    waits = found.kind === 'resolved' && !found.game.settled && (await tools.closesByTicks(found.game.uuid));
    return [found.kind === 'resolved' && waits ? { ...found, game: { ...found.game, settled: true } } : found];
  };
  const answer = await acceptPush(
    {
      ...tools,
      games: { ...tools.games, resolve },
      crash: () => {},
      // The dead letter already exists, and the push has its receipt.
      deadLetters: { store: async () => {} },
      pushes: { ...tools.pushes, acknowledge: async () => {} },
      newReceipt: () => receipt,
      fairLog: {
        async append(_key, topic, records) {
          await tools.broker.produce(
            topic,
            records.flatMap((each) => own(tools, element, each)),
          );
        },
        refusal: () => null,
        close() {},
      },
    },
    {
      ...{ source, schedulingKey: source, receivedAt, may, idempotencyKey: null, body: reading.body, elements: 1 },
      judging: { strict, validate: false },
      beyondShare: async () => null,
      use: { ...noUse, deadLettersToKeep },
      adapt: () => reading.adapt(context),
    },
  );
  if (answer.kind === 'accepted') return { kind: 'appended', still };
  const code = answer.kind === 'all-rejected' ? answer.rejected[0]?.code : undefined;
  return { kind: 'refused', code: waits && code === 'game-settled' ? waitsForClose : (code ?? 'bad-event') };
}

type Reading = { body: Uint8Array; adapt: (context: PushContext) => Task<AdaptedPush> };

/** Reads the element as the only one of a body in its format. */
function readingOf(format: SentQuotes['format'], payload: Uint8Array): Reading | null {
  if (format.name === 'native') {
    const body = Buffer.concat([Buffer.from('{"events":['), payload, Buffer.from(']}')]);
    return { body, adapt: (context) => adaptNativePush(body, 'json', context) };
  }
  const terms = readPollTerms(format);
  if (terms.kind === 'invalid') return null;
  const body = Buffer.concat([Buffer.from('['), payload, Buffer.from(']')]);
  return { body, adapt: (context) => adaptTheOddsApiPush(body, terms, context) };
}

/**
 * The record under its own push, index, record id and time. If the element had no time of its own, a tick follows, so that its age shows at
 * once. A game's start is appended unchanged.
 */
function own({ now }: ElementTools, element: RefusedElement, outgoing: OutgoingRecord): OutgoingRecord[] {
  const value = outgoing.value as QuotesRecord;
  const { observation } = value;
  if (observation === null) return [outgoing];
  const { source, index, receivedAt, sent } = element;
  const { sha256, observed_at: given } = observation;
  const { keySha256 } = sent;
  const record_id = keySha256 === null || sha256 === null ? null : recordIdOfKey({ source, keySha256, index, sha256 });
  const timed = { ...observation, record_id, observed_at: given ?? receivedAt };
  const record = { ...outgoing, value: { ...value, push_index: index, observation: timed } };
  return given === null ? [record, ...tickRecords([gameOf(value)], now())] : [record];
}

function gameOf({ game_uuid: gameUuid, game_id: gameId, league }: QuotesRecord) {
  return { gameUuid, gameId, league };
}
