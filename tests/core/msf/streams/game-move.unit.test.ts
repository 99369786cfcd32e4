// What bodies move of their game in the catalog: statuses by the table of docs/quotes.md#game-statuses, the start by the schedule; and the
// line-ups that settlement asks for.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type GameStatus, statuses } from '../../../../core/games/status.ts';
import { mayMove, movesByHand } from '../../../../core/games/status-moves.ts';
import type { JsonObject } from '../../../../core/json/value.ts';
import { playerUuid } from '../../../../core/msf/ids.ts';
import { chooseStarters, readLineups } from '../../../../core/msf/states/lineups.ts';
import { dueAt } from '../../../../core/msf/streams/archive.ts';
import { gameStatusOf } from '../../../../core/msf/streams/status-of-game.ts';
import type { MsfFeed } from '../../../../core/msf/types.ts';
import { parseRfc3339 } from '../../../../core/time/rfc3339.ts';
import { type Micros, microsPerSecond } from '../../../../core/units.ts';
import { microsPerDay, scopesOf } from '../../../support/arbitraries/msf.ts';
import { bodyOf, gameObject, msfTeam, noStats, wholeBodies } from '../../../support/builders/msf-bodies.ts';
import { frameOf, observationRecord, PureMsf } from '../../../support/folds/msf-log.ts';
import { msfRecordings, msfRecordingsAbsent } from '../../../support/recordings/msf-recordings.ts';
import { skipFor } from '../../../support/vitest/skip-for.ts';

const start: Micros = Date.UTC(2026, 0, 10, 1) * 1_000;
const { game } = scopesOf('NBA');

const legal = new Set(
  [
    'SCHEDULED DELAYED STARTED COMPLETED POSTPONED CANCELLED',
    'DELAYED SCHEDULED STARTED COMPLETED POSTPONED CANCELLED',
    'POSTPONED SCHEDULED DELAYED STARTED COMPLETED CANCELLED',
    'STARTED SUSPENDED COMPLETED POSTPONED CANCELLED',
    'SUSPENDED STARTED COMPLETED POSTPONED CANCELLED',
  ].flatMap((line) => {
    const [from, ...to] = line.split(' ');
    return to.map((each) => `${from} ${each}`);
  }),
);

describe('the statuses of a game', () => {
  it('are those of the table', () => {
    const table: readonly (readonly [string | null, string | null, GameStatus | null])[] = [
      ['UNPLAYED', 'NORMAL', 'SCHEDULED'],
      ['UNPLAYED', 'DELAYED', 'DELAYED'],
      ['UNPLAYED', 'POSTPONED', 'POSTPONED'],
      ['UNPLAYED', 'ABANDONED', null],
      ['UNPLAYED', null, null],
      ['LIVE', 'NORMAL', 'STARTED'],
      ['LIVE', 'POSTPONED', 'STARTED'],
      ['COMPLETED_PENDING_REVIEW', 'NORMAL', 'COMPLETED'],
      ['COMPLETED', 'DELAYED', 'COMPLETED'],
      ['live', 'NORMAL', null],
      [null, 'NORMAL', null],
    ];
    for (const [played, schedule, status] of table)
      assert.equal(gameStatusOf(played, schedule), status, String(played));
  });

  it('move as the table allows, and from nothing to any', () => {
    for (const to of statuses) {
      assert.ok(mayMove(null, to));
      for (const from of statuses) assert.equal(mayMove(from, to), legal.has(`${from} ${to}`), `${from} to ${to}`);
    }
  });

  it('move by hand as the table allows, and from COMPLETED back to STARTED', () => {
    for (const from of statuses) {
      const more = from === 'COMPLETED' ? ['STARTED'] : [];
      const allowed = [...statuses.filter((to) => legal.has(`${from} ${to}`)), ...more];
      assert.deepEqual([...movesByHand(from)].sort(), allowed.sort(), from);
    }
  });
});

/** Sends statuses, a second apart, from the schedule by default. */
function observe(
  statuses: readonly (readonly [played: string, schedule?: string, feed?: MsfFeed, startTime?: string])[],
) {
  const msf = new PureMsf();
  return statuses.map(([playedStatus, scheduleStatus = 'NORMAL', feed = 'games', startTime], index) => {
    const at = start + index * microsPerSecond;
    const named = { playedStatus, scheduleStatus, ...(startTime === undefined ? {} : { startTime }) };
    const body: JsonObject =
      feed === 'games' ? { games: [{ schedule: gameObject(named) }] } : { game: gameObject(named), stats: noStats };
    const record = observationRecord(game, { feed, requested: at, at, body: bodyOf(body) }, 900001, body);
    const { effects } = msf.fold({ ...record, scope_id: index === 0 && feed === 'boxscore' ? game.uuid : game.id }, at);
    const { move, refusals, outcome } = effects;
    return { status: move?.status ?? null, start: move?.scheduledStart ?? null, move, refusals, outcome };
  });
}

const firstStart = parseRfc3339('2026-01-10T00:30:00Z');

describe('the moves of a game', () => {
  it('are emitted once each, the first one always', () => {
    const moves = observe([['LIVE'], ['LIVE'], ['COMPLETED_PENDING_REVIEW'], ['COMPLETED'], ['COMPLETED']]);
    assert.deepEqual(
      moves.map(({ status }) => status),
      ['STARTED', null, 'COMPLETED', null, null],
    );
    assert.ok(moves.every(({ refusals }) => refusals.length === 0));
    assert.deepEqual(moves[0]?.move, {
      gameUuid: game.uuid,
      gameId: game.id,
      league: 'NBA',
      status: 'STARTED',
      statusAt: start,
      scheduledStart: firstStart,
    });
  });

  it('that are illegal become one dead letter each, while the observation is applied', () => {
    const moves = observe([['COMPLETED'], ['LIVE'], ['LIVE', 'DELAYED'], ['COMPLETED'], ['UNPLAYED']]);
    assert.deepEqual(
      moves.map(({ status, refusals, outcome }) => [status, refusals.map(({ detail }) => detail), outcome?.result]),
      [
        ['COMPLETED', [], 'applied'],
        [null, ['a game that is COMPLETED does not become STARTED'], 'applied'],
        [null, [], 'applied'],
        [null, [], 'applied'],
        [null, ['a game that is COMPLETED does not become SCHEDULED'], 'applied'],
      ],
    );
    assert.equal(moves[1]?.refusals[0]?.code, 'illegal-status-move');
  });

  it('are none where the table names no status', () => {
    assert.deepEqual(
      observe([['UNPLAYED', 'ABANDONED', 'boxscore'], ['LIVE']]).map(({ status }) => status),
      [null, 'STARTED'],
    );
  });

  it('take the start from the schedule alone, whenever it moves', () => {
    const later = '2026-01-10T01:00:00Z';
    const moves = observe([
      ['UNPLAYED', 'NORMAL', 'boxscore', later],
      ['UNPLAYED', 'NORMAL', 'games'],
      ['UNPLAYED', 'NORMAL', 'boxscore', later],
      ['UNPLAYED', 'DELAYED', 'games', later],
    ]);
    assert.deepEqual(
      moves.map(({ start: moved }) => moved),
      [null, firstStart, null, parseRfc3339(later)],
    );
  });

  it("do not come from a reset's repeats, or from late observations", () => {
    const msf = new PureMsf();
    const record = (playedStatus: string, requested: Micros) => {
      const body = { games: [{ schedule: gameObject({ playedStatus }) }] };
      return observationRecord(game, { feed: 'games', requested, at: start, body: bodyOf(body) }, 900001, body);
    };
    msf.fold(record('LIVE', start), start);
    assert.equal(msf.fold(record('COMPLETED', start - 1), start).effects.move, null);
    msf.fold(
      { ...record('LIVE', start), observation: null, reset: { id: 'r', dataset: 'plays', phase: 'begin', gaps: [] } },
      start,
    );
    const again = record('COMPLETED', start + 1);
    const { effects } = msf.fold({ ...again, observation: { ...again.observation!, rebuild: 'r' } }, start);
    assert.deepEqual([effects.outcome?.result, effects.move], ['applied', null]);
  });
});

describe('a status by hand', () => {
  type StatusReport = { msf: string } | { from: GameStatus; to: GameStatus };

  /**
   * What happens to the game: moves sent to the catalog, with `!` for refusals. Saving and loading the fold in between
   * must not change it.
   */
  function follow(...reports: readonly StatusReport[]): string[] {
    const outcomes = [false, true].map((checkpoints) => {
      const msf = new PureMsf({ checkpoints });
      return reports.map((each, index) => {
        const at = start + index * microsPerSecond;
        const { effects } = msf.fold('msf' in each ? pull(each.msf, at) : byHand(each, at), at);
        return [effects.move?.status ?? '-', ...effects.refusals.map(({ detail }) => `! ${detail}`)].join(' ');
      });
    });
    assert.deepEqual(outcomes[0], outcomes[1]);
    return outcomes[0] ?? [];
  }

  const pull = (playedStatus: string, at: Micros) => {
    const body = { games: [{ schedule: gameObject({ playedStatus }) }] };
    return observationRecord(game, { feed: 'games', requested: at, at, body: bodyOf(body) }, 900001, body);
  };
  const byHand = ({ from, to }: { from: GameStatus; to: GameStatus }, at: Micros) => {
    return { ...frameOf(game), source: 'service', status: { from, to, at } };
  };

  it('is the basis for judging the next status of the feeds', () => {
    assert.deepEqual(
      follow({ msf: 'COMPLETED' }, { msf: 'LIVE' }, { from: 'COMPLETED', to: 'STARTED' }, { msf: 'COMPLETED' }),
      ['COMPLETED', '- ! a game that is COMPLETED does not become STARTED', '-', 'COMPLETED'],
    );
    assert.deepEqual(follow({ msf: 'LIVE' }, { from: 'STARTED', to: 'CANCELLED' }, { msf: 'COMPLETED' }), [
      'STARTED',
      '-',
      '- ! a game that is CANCELLED does not become COMPLETED',
    ]);
  });

  it('counts before the feeds have reported any', () => {
    assert.deepEqual(follow({ from: 'SCHEDULED', to: 'CANCELLED' }, { msf: 'LIVE' }), [
      '-',
      '- ! a game that is CANCELLED does not become STARTED',
    ]);
  });

  it('holds until the feeds report another status than before', () => {
    assert.deepEqual(
      follow({ msf: 'LIVE' }, { from: 'STARTED', to: 'SUSPENDED' }, { msf: 'LIVE' }, { msf: 'COMPLETED' }),
      ['STARTED', '-', '-', 'COMPLETED'],
    );
  });

  it('holds if the feeds moved the game between the command and its record', () => {
    assert.deepEqual(follow({ msf: 'LIVE' }, { msf: 'COMPLETED' }, { from: 'STARTED', to: 'CANCELLED' }), [
      'STARTED',
      'COMPLETED',
      'CANCELLED',
    ]);
  });

  it('that ends the game makes its streams wait for settlement; one that undoes the end does not', () => {
    const msf = new PureMsf({ checkpoints: true });
    const waits = () =>
      [...msf.scopes.get(game.uuid)!.streams.values()].map((s) => dueAt(s, msf.scopes.get(game.uuid)!));
    msf.fold(pull('LIVE', start), start);
    assert.deepEqual(waits(), [null]);
    const over = msf.fold(byHand({ from: 'STARTED', to: 'COMPLETED' }, start), start);
    assert.deepEqual([waits(), over.effects.touched], [[start + microsPerDay], ['game-state']]);
    const back = msf.fold(byHand({ from: 'COMPLETED', to: 'STARTED' }, start + 1), start + 1);
    assert.deepEqual([waits(), back.effects.touched], [[null], ['game-state']]);
  });
});

const slot = (position: string, id: number | null) => ({ position, player: id === null ? null : { id } });
const lineup = (teams: readonly JsonObject[]): JsonObject => ({ ...wholeBodies.lineup, teamLineups: teams });
const away = msfTeam(501, 'BOS');
const home = msfTeam(502, 'CLE');
const ids = (...players: readonly number[]) => players.map((id) => playerUuid('NBA', id));

describe('the line-ups of a game', () => {
  it('are the actual ones, else the expected, without the bench, in the order of the slots', () => {
    const body = lineup([
      {
        team: home,
        expected: { lineupPositions: [slot('Starter2', 81), slot('Starter1', 82)] },
        actual: { lineupPositions: [slot('Starter1', null), slot('Bench1', 83)] },
      },
      {
        team: away,
        expected: { lineupPositions: [slot('Starter1', 71)] },
        actual: {
          lineupPositions: [slot('Starter3', 73), slot('Bench2', 74), slot('Starter1', 72), slot('Starter2', 72)],
        },
      },
    ]);
    assert.deepEqual(readLineups('NBA', body), { home: ids(82, 81), away: ids(72, 73) });
  });

  it('are empty where nothing is known', () => {
    const none = { home: [], away: [] };
    assert.deepEqual(readLineups('NBA', lineup([])), none);
    assert.deepEqual(
      readLineups('NBA', lineup([{ team: msfTeam(7, 'XYZ'), actual: { lineupPositions: [slot('A', 1)] } }])),
      none,
    );
    assert.deepEqual(readLineups('NBA', { teamLineups: 3 }), none);
    assert.deepEqual(
      readLineups('NBA', lineup([{ team: home, actual: null, expected: { lineupPositions: 'x' } }])),
      none,
    );
  });

  it('go by the bytes of the slots, slots of one name as the body has them', () => {
    const slots = (...each: readonly (readonly [string, number | null])[]) =>
      each.map(([name, player]) => ({ slot: name, player }));
    assert.deepEqual(chooseStarters(slots(['\u{1F3C8}', 1], ['～', 2], ['S10', 3], ['S2', 4]), []), [3, 4, 2, 1]);
    assert.deepEqual(chooseStarters(slots(['P', 9], ['P', 8], ['C', 8]), []), [8, 9]);
    assert.deepEqual(chooseStarters(slots(['BENCH', 1], ['S', null]), slots(['bencher', 2], ['Workbench', 3])), [3]);
  });

  it('are kept with their scope, the newest applied', () => {
    const msf = new PureMsf({ checkpoints: true });
    const one = (player: number, requested: Micros) => {
      const body = lineup([{ team: home, actual: { lineupPositions: [slot('Starter1', player)] } }]);
      msf.fold(observationRecord(game, { feed: 'lineup', requested, at: start, body }, 900001, body), start);
      return msf.scopes.get(game.uuid)?.lineups?.home;
    };
    assert.deepEqual([one(81, start), one(82, start + 1), one(83, start)], [ids(81), ids(82), ids(82)]);
    const players = { players: [] };
    msf.fold(
      observationRecord(game, { feed: 'injuries', requested: start, at: start, body: {} }, 900001, players),
      start,
    );
    assert.deepEqual(msf.scopes.get(game.uuid)?.lineups?.home, ids(82));
    assert.deepEqual([...msf.scopes.get(game.uuid)!.streams.keys()], ['injuries']);
  });

  it('of the recordings have five starters a side in the NBA', skipFor(msfRecordingsAbsent), () => {
    const recorded = msfRecordings().filter(({ feed }) => feed === 'lineup');
    assert.ok(recorded.length > 10);
    for (const { name, league, body } of recorded) {
      const { home: ours, away: theirs } = readLineups(league, body);
      if (league === 'NBA') assert.deepEqual([ours.length, theirs.length], [5, 5], name);
      else assert.ok(ours.length > 10 && theirs.length > 10, name);
      for (const side of [ours, theirs]) assert.equal(new Set(side).size, side.length, name);
    }
  });
});
