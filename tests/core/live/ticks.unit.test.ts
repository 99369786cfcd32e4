// Ticks of a whole partition (docs/quotes.md#ticks): which games hear one, that it moves no clock further than the broker's, and what the
// live projector makes of it. Random mixtures are core/live/fold-against-oracle.prop's and projectors/live/live-projector.sim's.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { nilUuid } from '../../../core/games/uuid.ts';
import type { GameState } from '../../../core/live/game-state.ts';
import { loadGame } from '../../../core/live/saved-game.ts';
import { takesTicks, tickGames } from '../../../core/live/ticks.ts';
import { partitionTickRecords } from '../../../ingest/ticker/tick-records.ts';
import { noLiveChanges } from '../../../projectors/live/changes.ts';
import type { LiveGames } from '../../../projectors/live/fold-record.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import type { TopicRecord } from '../../oracle/records.ts';
import { deliveredRecord } from '../../support/builders/delivered-record.ts';
import {
  delta,
  heartbeat,
  image,
  quote,
  seconds,
  startRecord,
  suspended,
  tick,
  withdrawn,
} from '../../support/builders/live-records.ts';
import { foldRecord } from '../../support/folds/fold-record.ts';
import { LiveLog } from '../../support/folds/live-log.ts';
import { saveGame } from '../../support/folds/save-game.ts';

const home = [quote('home', -110)];
const offered = image('X', home);
const recorded = image('X', home, { observedAt: 0 });

function status(name: string): QuotesRecord {
  return { ...tick(0), source: 'feed', received_at: seconds(0), tick: null, status: { status: name, at: seconds(0) } };
}

function gameAfter(...records: QuotesRecord[]): GameState {
  return new LiveLog().applyAll(records).game;
}

/** The log times, in seconds, of the games that a tick at `after` applies to, which the broker appended at `taken`. */
function ticked(games: readonly GameState[], after: number, taken = after): (number | null)[] {
  const times: (number | null)[] = [];
  tickGames(games, seconds(after), seconds(taken), ({ logTime }) => {
    times.push(logTime === null ? null : (logTime - seconds(0)) / 1_000_000);
  });
  return times;
}

describe('a tick of the partition speaks to a game', () => {
  const table: readonly [what: string, records: QuotesRecord[], heard: boolean][] = [
    ['of which nothing was told', [], false],
    ['that has a start alone', [startRecord(seconds(300))], false],
    ['that has an open offer', [offered], true],
    ['that has a suspended quote', [image('X', [suspended('home')])], true],
    ['whose offer is withdrawn', [offered, delta('X', [withdrawn('home')])], false],
    ['that has an open offer, of a recording', [recorded], false],
    ['that was live before it was recorded', [offered, image('X', home, { observedAt: 9 })], false],
    ['that was recorded before it was live', [recorded, heartbeat('X', { at: 5 })], true],
    ['whose newest record was late, and not applied', [offered, image('X', home, { observedAt: -9 })], true],
    ['that is COMPLETED, without an observation', [status('COMPLETED')], true],
    ['that is CANCELLED, without an observation', [status('CANCELLED')], true],
    ['that is POSTPONED', [status('POSTPONED')], false],
    ['that is STARTED', [status('STARTED')], false],
    ['that is COMPLETED, its offer withdrawn', [offered, delta('X', [withdrawn('home')]), status('COMPLETED')], true],
    ['that is COMPLETED, of a recording', [recorded, status('COMPLETED')], false],
    ['whose COMPLETED was taken back', [status('COMPLETED'), status('STARTED')], false],
  ];
  for (const [what, records, takes] of table) {
    it(`${what}: ${takes ? 'yes' : 'no'}`, () => {
      const game = gameAfter(...records);
      assert.equal(takesTicks(game), takes);
      assert.equal(
        takesTicks(loadGame(JSON.parse(JSON.stringify(saveGame(game))))),
        takes,
        'also when saved and loaded',
      );
    });
  }

  it('as it was saved by releases that knew but receive-timed and not', () => {
    for (const [records, receiveTimed, takes] of [
      [[status('COMPLETED')], false, true],
      [[offered], true, true],
      [[recorded], false, false],
    ] as const) {
      const saved = { ...(saveGame(gameAfter(...records)) as object), receiveTimed };
      assert.equal(takesTicks(loadGame(saved)), takes);
    }
  });
});

describe('a tick of the partition', () => {
  it('moves the log time of each game that hears it and no other’s, and never back', () => {
    const games = [gameAfter(offered), gameAfter(recorded), gameAfter(status('CANCELLED')), gameAfter()];
    assert.deepEqual(ticked(games, 40), [40, 40]);
    assert.deepEqual(ticked(games, 30), [40, 40]);
    assert.deepEqual(
      games.map(({ logTime }) => logTime),
      [seconds(40), seconds(0), seconds(40), null],
    );
  });

  it('is held against the broker’s clock: one from the future has the broker’s time', () => {
    assert.deepEqual(ticked([gameAfter(offered)], 15, 10), [15]);
    assert.deepEqual(ticked([gameAfter(offered)], 15.000001, 10), [10]);
    assert.deepEqual(ticked([gameAfter(offered)], 9_000_000, 10), [10]);
  });

  it('closes a game that has ended, ten minutes on, and is heard by it no more', () => {
    const game = gameAfter(offered, status('COMPLETED'));
    assert.deepEqual([ticked([game], 599.999999), game.closed], [[599.999999], false]);
    assert.deepEqual([ticked([game], 600), game.closed], [[600], true]);
    assert.deepEqual([ticked([game], 601), game.logTime], [[], seconds(600)]);
  });

  it('names the boards that it makes stale, once', () => {
    const game = gameAfter(offered, image('Y', home, { at: 60 }));
    const boards: (readonly string[])[] = [];
    for (const after of [120, 121, 122, 181]) {
      tickGames([game], seconds(after), seconds(after), (_, { boardsChanged }) => boards.push(boardsChanged));
    }
    assert.deepEqual(boards, [[], ['X'], [], ['Y']]);
  });
});

describe('in the live projector', () => {
  const other = '22222222-2222-5333-8444-555555555555';

  /** The games of a partition after these records, and what the last record left to publish. */
  function folded(...values: QuotesRecord[]) {
    const live: LiveGames = { partition: 0, games: new Map(), touched: new Set(), closed: new Set() };
    let changes = noLiveChanges();
    for (const [offset, value] of values.entries()) {
      live.touched.clear();
      changes = noLiveChanges();
      const timestamp = value.received_at ?? value.tick?.at ?? seconds(0);
      foldRecord(live, changes, deliveredRecord({ offset, timestamp, value } as TopicRecord));
    }
    return { ...live, changes };
  }

  /** The ticks that the ticker writes to this partition. */
  function ticksAt(after: number): QuotesRecord {
    const [record] = partitionTickRecords([0], seconds(after));
    assert.equal(record?.key, nilUuid);
    return record.value as QuotesRecord;
  }

  it('reaches the games that hear it, and has the boards written that change', () => {
    const { games, touched, changes } = folded(
      offered,
      { ...recorded, game_uuid: other, game_id: other },
      ticksAt(121),
    );
    assert.deepEqual(
      [...games.values()].map(({ uuid, logTime }) => [uuid, logTime]),
      [
        [offered.game_uuid, seconds(121)],
        [other, seconds(0)],
      ],
    );
    const changed = [...touched].map(({ uuid }) => uuid);
    assert.deepEqual(changed, [offered.game_uuid], 'only this game has a new digest');
    const published = [...changes.games].map(([uuid, { boards, pieces }]) => [uuid, [...boards], pieces]);
    assert.deepEqual(published, [[offered.game_uuid, ['X'], []]]);
    assert.deepEqual(changes.deadLetters, []);
  });

  it('has nothing published where no board changes, and founds no game', () => {
    assert.equal(folded(offered, ticksAt(3)).changes.games.size, 0);
    assert.deepEqual([...folded(ticksAt(3)).games], []);
  });

  it('has the log published once when its time reaches a start that only odds report', () => {
    // Its board is stale by then, and does not change any more.
    const offer = image('X', home, { start: seconds(300) });
    const publishes = (...records: QuotesRecord[]) => folded(offer, ...records).changes.games.has(offer.game_uuid);
    assert.equal(publishes(ticksAt(298), ticksAt(299)), false);
    assert.equal(publishes(ticksAt(299), ticksAt(300)), true);
    assert.equal(publishes(ticksAt(300), ticksAt(301)), false);
    assert.equal(publishes(tick(299), tick(300)), true, 'by a tick of the game alone');
    assert.equal(publishes(tick(300), tick(301)), false);
    const scheduled = startRecord(seconds(300), { fromSchedule: true });
    assert.equal(publishes(scheduled, ticksAt(299), ticksAt(300)), false, 'the schedule has statuses of its own');
  });

  it('is all that the nil UUID can be of: anything else is a dead letter', () => {
    const ofNobody = { game_uuid: nilUuid, game_id: nilUuid };
    for (const record of [offered, status('COMPLETED'), startRecord(seconds(3))]) {
      const { games, changes } = folded({ ...record, ...ofNobody });
      assert.equal(games.size, 0);
      assert.deepEqual(
        changes.deadLetters.map(({ code, pointer }) => [code, pointer]),
        [['bad-record', '/game_uuid']],
      );
    }
  });
});
