// Claim: a record in a partition where its game is not becomes a dead letter and changes nothing, and its neighbours are folded as always.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { nilUuid } from '../../../core/games/uuid.ts';
import { blankObservations } from '../../../core/msf/streams/blank-record.ts';
import { BrokerUnavailable, type DeliveredRecord } from '../../../core/ports/broker.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { noLiveChanges } from '../../../projectors/live/changes.ts';
import type { LiveGames } from '../../../projectors/live/fold-record.ts';
import { type LiveProjectorCatalog, liveProjector } from '../../../projectors/live/live-projector.ts';
import { noMsfChanges } from '../../../projectors/revisions/changes.ts';
import { foldRecord as foldObservation } from '../../../projectors/revisions/fold-record.ts';
import { HeldScopes } from '../../../projectors/revisions/held-scopes.ts';
import { type KeyPlaces, withPlaces } from '../../../projectors/worker/with-places.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { foldRecord } from '../../support/folds/fold-record.ts';

const stream = { topic: topics.quotes, partition: 1 };
const here = '00000000-0000-4000-8000-000000000001';
const elsewhere = '00000000-0000-4000-8000-000000000002';

const record = (key: string | null): DeliveredRecord => ({
  offset: 0,
  timestamp: 0,
  key,
  headers: {},
  value: {},
  bytes: Buffer.alloc(0),
  undecodable: null,
});

function toolsOf(partitionOf: KeyPlaces['partitionOf']) {
  const pauses: number[] = [];
  const clock = { now: () => 0, sleep: async (ms: number) => void pauses.push(ms) };
  return { clock, log: silentLog, places: { partitionOf }, pauses };
}

const placed = async (_: string, key: string) => (key === here ? 1 : 4);

describe('the place of a record', () => {
  it('is marked where it is another one; ticks of all games and keys of nothing are where they are', async () => {
    const records = [here, elsewhere, nilUuid, null, 'no UUID', elsewhere].map(record);
    const marked = await withPlaces(toolsOf(placed), stream, records);
    assert.deepEqual(
      marked.map(({ belongsIn }) => belongsIn),
      [undefined, 4, undefined, undefined, undefined, 4],
    );
    const asked: string[] = [];
    const counting = toolsOf(async (topic, key) => {
      asked.push(key);
      return placed(topic, key);
    });
    await withPlaces(counting, stream, records);
    assert.deepEqual(asked, [here, elsewhere], 'each key is asked for once');
  });

  it('is nothing that a topic which does not grow has, nor where there are no places to ask for', async () => {
    const records = [record(elsewhere)];
    assert.equal(await withPlaces(toolsOf(placed), { ...stream, topic: topics.games }, records), records);
    const { places: _, ...without } = toolsOf(placed);
    assert.equal(await withPlaces(without, stream, records), records);
  });

  it('is waited for while it cannot be asked', async () => {
    let tries = 0;
    const tools = toolsOf(async (topic, key) => {
      tries += 1;
      if (tries < 4) throw new BrokerUnavailable('away');
      return placed(topic, key);
    });
    const [marked] = await withPlaces(tools, stream, [record(elsewhere)]);
    assert.deepEqual([marked?.belongsIn, tools.pauses.length], [4, 3]);
  });

  it('has the fold refuse a misplaced record whole, and fold the others', () => {
    const live: LiveGames = { partition: 1, games: new Map(), touched: new Set(), closed: new Set() };
    const changes = noLiveChanges();
    foldRecord(live, changes, { ...start(elsewhere), belongsIn: 4 });
    foldRecord(live, changes, start(here));
    assert.deepEqual([...live.games.keys()], [here]);
    assert.deepEqual(
      changes.deadLetters.map(({ code, gameUuid, partition }) => [code, gameUuid, partition]),
      [['misplaced', elsewhere, 1]],
    );
  });

  it('has the fold of observations refuse one as well', () => {
    const scopes = new HeldScopes(null);
    const changes = noMsfChanges();
    const value = { ...blankObservations({ uuid: elsewhere, id: elsewhere, league: 'NBA' }, 'msf', 1) };
    const tick: DeliveredRecord = { ...record(elsewhere), value: { ...value, tick: { at: 1 } }, belongsIn: 4 };
    foldObservation({ partition: 1, scopes }, changes, tick);
    assert.deepEqual(
      changes.deadLetters.map(({ code, gameUuid }) => [code, gameUuid]),
      [['misplaced', elsewhere]],
    );
  });

  it('keeps an order to rebuild a game from being carried out where the game is not', () => {
    const projector = liveProjector({} as LiveProjectorCatalog).open(1, null);
    const order = { ...start(here), value: { ...blankOf(here), rebuild: { generation: 2 } } };
    assert.equal(projector.ordersRebuild?.(order), true);
    assert.equal(projector.ordersRebuild?.({ ...order, belongsIn: 4 }), false);
  });
});

function blankOf(uuid: string): QuotesRecord {
  return blankRecord({ uuid, gameId: uuid, league: 'NBA' }, 'feed', 1);
}

function start(uuid: string): DeliveredRecord {
  return { ...record(uuid), value: { ...blankOf(uuid), start: { scheduled_start: 1 } } };
}
