// A refused element that is replayed is not put into a game that waits for the close that ticks bring. It has the record id that its push gives it, in both formats: so the fold finds whichever comes second, the
// letter or its sender's repeat under the same Idempotency-Key (docs/operations.md#replaying-dead-letters).
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, it } from 'vitest';
import { everything } from '../../../core/access/feed-grant.ts';
import { applyingRecord } from '../../../core/live/fold.ts';
import { newGame } from '../../../core/live/game-state.ts';
import type { OutgoingRecord } from '../../../core/ports/broker.ts';
import type { SentQuotes } from '../../../core/ports/catalog/dead-letters.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { microsPerHour } from '../../../core/units.ts';
import type { AdaptedPush } from '../../../ingest/adapters/adapted.ts';
import { adaptNativePush } from '../../../ingest/adapters/native.ts';
import { adaptTheOddsApiPush, readPollTerms } from '../../../ingest/adapters/the-odds-api-v4.ts';
import { openBodyScheduler } from '../../../ingest/gateway/body-scheduler.ts';
import { replayQuotes } from '../../../ingest/gateway/replay-quotes.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import type { Observation, QuotesRecord } from '../../../schemas/events/quotes.ts';

const uuid = '11111111-2222-5333-8444-555555555555';
const game = { uuid, gameId: 'NFL_DET_PHI_20251116', league: 'NFL', settled: false, startToLog: null, warning: null };
const key = 'evening-0001';
const receivedAt = Date.parse('2025-11-16T20:00:00Z') * 1_000;
const context = { source: 'feed', receivedAt, may: everything, mayBackfill: false, observedAt: null };
const unused = {} as never;

const native = {
  kind: 'delta',
  operator: 'draftkings',
  game: { game_id: game.gameId },
  quotes: [{ market: 'moneyline', selection: 'home', price: { american: -145 } }],
};

const outcomes = [
  { name: 'Philadelphia Eagles', price: -145 },
  { name: 'Detroit Lions', price: 125 },
];
const theOddsApi = {
  id: 'e1',
  sport_key: 'americanfootball_nfl',
  commence_time: '2025-11-17T01:20:00Z',
  home_team: 'Philadelphia Eagles',
  away_team: 'Detroit Lions',
  bookmakers: [{ key: 'draftkings', markets: [{ key: 'h2h', outcomes }] }],
};

type Format = { element: unknown; format: SentQuotes['format']; adapted(elements: readonly unknown[]): AdaptedPush };

const query = { oddsFormat: 'american', markets: null, bookmakers: null } as const;
const formats: readonly Format[] = [
  {
    element: native,
    format: { name: 'native' },
    adapted: (events) => {
      const body = Buffer.from(JSON.stringify({ events }));
      return runToEnd(adaptNativePush(body, 'json', { ...context, idempotencyKey: key }));
    },
  },
  {
    element: theOddsApi,
    format: { name: 'the-odds-api-v4', ...query },
    adapted: (events) => {
      const body = Buffer.from(JSON.stringify(events));
      const terms = readPollTerms(query);
      assert.ok(terms.kind === 'terms');
      return runToEnd(adaptTheOddsApiPush(body, terms, { ...context, idempotencyKey: key }));
    },
  },
];

/** What the push under `key` says with the element at `index`. */
function pushed({ element, adapted }: Format, index: number): Observation {
  const push = adapted(Array.from({ length: index + 1 }, () => element));
  assert.ok(push.kind === 'elements');
  const of = push.elements[index];
  assert.ok(of?.kind === 'accepted', JSON.stringify(of));
  return of.observation;
}

/** What a replay of the letter of the same element answers and appends. `waits`: its game is to be closed by ticks. */
async function replayedInto({ element, format }: Format, index: number, waits: boolean) {
  const produced: OutgoingRecord[] = [];
  const answer = await replayQuotes(
    {
      broker: {
        produce: async (_: string, records: readonly OutgoingRecord[]) => void produced.push(...records),
      } as never,
      games: {
        resolve: async (_: string, lookups: readonly unknown[]) => lookups.map(() => ({ kind: 'resolved', game })),
        startsLogged: async () => {},
      } as never,
      reference: { playersCalled: async () => new Map() } as never,
      pushes: unused,
      closesByTicks: async (gameUuid) => waits && gameUuid === uuid,
      rankOf: async () => 0,
      scheduler: openBodyScheduler(systemClock),
      log: silentLog,
      now: () => receivedAt + microsPerHour,
    },
    {
      ...{ source: 'feed', receipt: 'r1', index, receivedAt, may: everything },
      payload: Buffer.from(JSON.stringify(element)),
      sent: { format, key: null, mayBackfill: false, observedAt: null, keySha256: hash('sha256', key) },
    },
  );
  return { answer, produced };
}

async function replayed(format: Format, index: number): Promise<QuotesRecord> {
  const { answer, produced } = await replayedInto(format, index, false);
  assert.equal(answer.kind, 'appended');
  const [record] = produced;
  assert.ok(record !== undefined);
  return record.value as QuotesRecord;
}

describe('a replayed element of a push with an Idempotency-Key', () => {
  for (const format of formats) {
    it(`has the record id of its push: ${format.format.name}`, async () => {
      for (const index of [0, 2]) {
        const { observation } = await replayed(format, index);
        assert.equal(observation?.record_id, pushed(format, index).record_id);
        assert.notEqual(observation?.record_id, null);
      }
    });

    it(`is applied once, before or after the repeat of its push: ${format.format.name}`, async () => {
      const at = receivedAt + 2 * microsPerHour;
      const repeat = { ...blankRecord(game, 'feed', at), push: 'r2', push_index: 0, rank: 0 };
      const records: QuotesRecord[] = [await replayed(format, 0), { ...repeat, observation: pushed(format, 0) }];
      for (const order of [records, records.toReversed()]) {
        const into = newGame(uuid, { generation: 1, firstSeq: 1 });
        const outcomesOf = order.map(
          (value, offset) =>
            runToEnd(applyingRecord(into, value, { partition: 0, offset, timestamp: at })).outcome?.state,
        );
        assert.deepEqual(outcomesOf, ['applied', 'duplicate']);
      }
    });
  }
});

describe('a replayed element of a game that waits for the close that ticks bring', () => {
  for (const format of formats)
    it(`stays a letter: ${format.format.name}`, async () => {
      const { answer, produced } = await replayedInto(format, 0, true);
      assert.deepEqual(answer, { kind: 'refused', code: 'game-waits-for-close' });
      assert.deepEqual(produced, []);
    });
});
