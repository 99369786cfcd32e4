// What a feed does on its bad days, told to the fold (docs/revisions.md#revision-rules): the same body again and again, a play that turns
// up in a finished game, lists that shrink or are empty, statistics with new names, ids that change their team, and bodies that are broken.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../core/json/value.ts';
import { playerUuid, teamUuid } from '../../../../core/msf/ids.ts';
import type { CutRevision, MsfDataset, MsfFeed } from '../../../../core/msf/types.ts';
import { type Micros, microsPerSecond } from '../../../../core/units.ts';
import { scopesOf } from '../../../support/arbitraries/msf.ts';
import { bodyOf, gameObject, log, msfTeam, noStats, play } from '../../../support/builders/msf-bodies.ts';
import { PureMsf } from '../../../support/folds/msf-log.ts';

const start: Micros = Date.UTC(2026, 0, 10, 1) * 1_000;
const { game } = scopesOf('NBA');
const bos = teamUuid('NBA', 'BOS', 501);
const cle = teamUuid('NBA', 'CLE', 502);

/** A feed pulled once a second. `cuts`: the revisions of a pull, by dataset. */
class Pulls {
  readonly msf = new PureMsf();
  #second = 0;

  pull(feed: MsfFeed, body: JsonObject) {
    const at = start + this.#second * microsPerSecond;
    this.#second += 1;
    const { folded, refusals } = this.msf.push({ league: 'NBA', feed, requested: at, at, body: bodyOf(body) });
    const revisions = folded.flatMap(({ effects }) => effects.revisions);
    return {
      refusals: refusals.map(({ pointer }) => pointer),
      results: folded.map(({ effects }) => effects.outcome?.result),
      revisions,
      of: (dataset: MsfDataset) => said(revisions.find((cut) => cut.dataset === dataset)),
    };
  }

  stream(dataset: MsfDataset) {
    return this.msf.scopes.get(game.uuid)!.streams.get(dataset)!;
  }
}

/** The kind, the rows of the change with their operations, and the rows of the state. */
function said(cut: CutRevision | undefined): unknown {
  return cut && [cut.kind, cut.change.map(({ op }) => op), cut.snapshotRows];
}

const plays = (seconds: readonly number[], playedStatus = 'LIVE', given: JsonObject = {}): JsonObject => ({
  game: gameObject({ playedStatus }),
  plays: seconds.map((secondsElapsed) => play({ quarter: 1, secondsElapsed }, given)),
});
const upTo = (count: number) => Array.from({ length: count }, (_, second) => 10 * second);

describe('the same body a thousand times', () => {
  it('cuts its revisions once, moves freshness, and does not enlarge the state', () => {
    const pulls = new Pulls();
    const first = pulls.pull('playbyplay', plays(upTo(20)));
    assert.deepEqual([first.revisions.length, first.results], [2, ['applied']]);
    const held = () => JSON.stringify([...pulls.msf.scopes.get(game.uuid)!.feeds.values()]).length;
    const before = held();
    for (let time = 1; time < 1_000; time += 1) {
      const { revisions, results } = pulls.pull('playbyplay', plays(upTo(20)));
      assert.deepEqual([revisions.length, results], [0, ['same']]);
    }
    assert.ok(held() <= before + 10, 'apart from the digits of its place');
    const { head, freshness, coverage } = pulls.stream('plays');
    assert.equal(head, 1);
    assert.equal(freshness.latest_request_started_at, start + 999 * microsPerSecond);
    assert.equal(freshness.last_changed_at, start);
    assert.equal(coverage?.coverage_end, coverage?.coverage_start);
  });

  it('of a game that is over verifies each of its streams once', () => {
    const pulls = new Pulls();
    const kinds: unknown[] = [];
    for (let time = 0; time < 1_000; time += 1) {
      const { revisions } = pulls.pull('playbyplay', plays(upTo(5), 'COMPLETED'));
      kinds.push(...revisions.map(({ dataset, kind, status, changeRows }) => [dataset, kind, status, changeRows]));
    }
    assert.deepEqual(kinds, [
      ['game-state', 'replace', 'provisional', 1],
      ['plays', 'replace', 'provisional', 5],
      ['game-state', 'patch', 'verified', 0],
      ['plays', 'patch', 'verified', 0],
    ]);
  });
});

describe('a finished game', () => {
  it('gets one new row for a play in its middle, whatever follows it, and is verified again', () => {
    const pulls = new Pulls();
    const whole = upTo(100);
    for (let time = 0; time < 2; time += 1) pulls.pull('playbyplay', plays(whole, 'COMPLETED'));
    assert.equal(pulls.stream('plays').status, 'verified');
    const before = new Map(pulls.stream('plays').state.map(({ row, line }) => [row.play_id, line]));
    const inserted = pulls.pull('playbyplay', plays(whole.toSpliced(50, 0, 495), 'COMPLETED'));
    assert.deepEqual(inserted.of('plays'), ['append', ['upsert'], 101]);
    assert.equal(pulls.stream('plays').status, 'provisional');
    for (const { row, line } of pulls.stream('plays').state) {
      assert.ok(row.clock_seconds_elapsed === 495 || before.get(row.play_id) === line);
    }
    const agreed = pulls.pull('playbyplay', plays(whole.toSpliced(50, 0, 495), 'COMPLETED'));
    assert.deepEqual(agreed.of('plays'), ['patch', [], 101]);
    assert.equal(pulls.stream('plays').status, 'verified');
  });
});

describe('a list that shrinks', () => {
  it('deletes the missing rows with their last content; the others stay', () => {
    const pulls = new Pulls();
    pulls.pull('playbyplay', plays(upTo(10)));
    const { of, revisions } = pulls.pull('playbyplay', plays(upTo(7)));
    assert.deepEqual(of('plays'), ['patch', ['delete', 'delete', 'delete'], 7]);
    const gone = revisions
      .find(({ dataset }) => dataset === 'plays')!
      .change.map(({ row }) => row.clock_seconds_elapsed);
    assert.deepEqual([...gone].sort(), [70, 80, 90]);
    const back = pulls.pull('playbyplay', plays(upTo(10)));
    assert.deepEqual(back.of('plays'), ['append', ['upsert', 'upsert', 'upsert'], 10]);
  });

  it('to an empty list is a state without rows; a value that is no list changes nothing', () => {
    const pulls = new Pulls();
    pulls.pull('playbyplay', plays(upTo(3)));
    const { line } = pulls.stream('plays').state[0]!;
    const broken: readonly (readonly [JsonObject, string])[] = [
      [{ game: gameObject() }, '/plays'],
      [{ game: gameObject(), plays: null }, '/plays'],
      [{ game: gameObject(), plays: {} }, '/plays'],
      [{ ...plays(upTo(3)), game: null }, '/game/id'],
      [{ game: gameObject(), plays: [...(plays(upTo(3)).plays as JsonValue[]), { play: {} }] }, '/plays/3/playStatus'],
      [{ game: gameObject(), scoring: {}, stats: noStats }, '/plays'],
    ];
    for (const [body, pointer] of broken) {
      const { refusals, revisions } = pulls.pull('playbyplay', body);
      assert.deepEqual([refusals, revisions], [[pointer], []]);
    }
    assert.equal(pulls.stream('plays').state[0]!.line, line);
    const empty = pulls.pull('playbyplay', plays([]));
    assert.deepEqual(empty.of('plays'), ['replace', [], 0]);
    assert.equal(pulls.stream('plays').state.length, 0);
    assert.deepEqual(pulls.pull('playbyplay', plays(upTo(3))).of('plays'), [
      'replace',
      ['upsert', 'upsert', 'upsert'],
      3,
    ]);
  });
});

describe('statistics', () => {
  const boxscore = (away: readonly JsonObject[], home: readonly JsonObject[] = []): JsonObject => ({
    game: gameObject(),
    scoring: {},
    stats: { away: { players: away }, home: { players: home } },
  });
  const player = (id: number, stats: JsonObject) => ({ player: { id }, playerStats: [stats] });
  const rowsOf = (pulls: Pulls) =>
    pulls.stream('player-stats').state.map(({ row }) => [row.stat, row.value, row.team_id]);

  it('of a new name are new rows and nothing else', () => {
    const pulls = new Pulls();
    pulls.pull('boxscore', boxscore([player(71, { offense: { pts: 2, ast: 1 } })]));
    const { of } = pulls.pull(
      'boxscore',
      boxscore([player(71, { offense: { pts: 2, ast: 1 }, 'späť/~': { 'ne.w': 3 } })]),
    );
    assert.deepEqual(of('player-stats'), ['append', ['upsert'], 3]);
    assert.deepEqual(rowsOf(pulls), [
      ['offense.ast', 10_000, bos],
      ['offense.pts', 20_000, bos],
      ['späť/~.ne.w', 30_000, bos],
    ]);
  });

  it('of a player who is listed for the other side are the same rows with the other team', () => {
    const pulls = new Pulls();
    const stats = { offense: { pts: 2, ast: 1 } };
    const others = [81, 82].map((id) => player(id, { offense: { pts: 9, ast: 9 } }));
    pulls.pull('boxscore', boxscore([player(71, stats)], others));
    const { of, revisions } = pulls.pull('boxscore', boxscore([], [...others, player(71, stats)]));
    assert.deepEqual(of('player-stats'), ['patch', ['upsert', 'upsert'], 6]);
    const changed = revisions.find(({ dataset }) => dataset === 'player-stats')!.change;
    for (const { row } of changed) assert.deepEqual([row.player_id, row.team_id], [playerUuid('NBA', 71), cle]);
  });

  it('of a player whose log names a new team move with him', () => {
    const pulls = new Pulls();
    const of = (team: JsonObject) => ({ gamelogs: [log({ player: { id: 71 }, team })] });
    pulls.pull('player_gamelogs', of(msfTeam(501, 'BOS')));
    assert.deepEqual(rowsOf(pulls), [['offense.pts', 20_000, bos]]);
    pulls.pull('player_gamelogs', of(msfTeam(7, 'LAL')));
    assert.deepEqual(rowsOf(pulls), [['offense.pts', 20_000, teamUuid('NBA', 'LAL', 7)]]);
  });

  it('of a team follow the game object, when an id stands for another team', () => {
    const pulls = new Pulls();
    const swapped = { awayTeam: msfTeam(502, 'BOS'), homeTeam: msfTeam(501, 'CLE') };
    const of = (given: JsonObject) => ({
      game: gameObject(given),
      scoring: { teamInPossession: { id: 501 } },
      stats: {
        away: { players: [], teamStats: [{ offense: { pts: 1 } }] },
        home: { players: [], teamStats: [{ offense: { pts: 2 } }] },
      },
    });
    const state = () => pulls.stream('team-stats').state.map(({ row }) => [row.team_id, row.value]);
    const possession = () => pulls.stream('game-state').state[0]!.row.possession_team_id;
    const expected = new Map([
      [bos, 10_000],
      [cle, 20_000],
    ]);
    pulls.pull('boxscore', of({}));
    assert.deepEqual([new Map(state() as [string, number][]), possession()], [expected, bos]);
    const { of: cut } = pulls.pull('boxscore', of(swapped));
    assert.deepEqual([cut('team-stats'), possession()], [undefined, cle]);
  });
});

describe('two feeds that disagree', () => {
  it('each count for their own columns, and a repeat of either changes nothing', () => {
    const pulls = new Pulls();
    const schedule = (score: number) => ({
      games: [{ schedule: gameObject({ attendance: 100 }), score: { awayScoreTotal: score, homeScoreTotal: score } }],
    });
    const boxscore = (score: number) => ({
      game: gameObject({ attendance: 200 }),
      scoring: { awayScoreTotal: score, homeScoreTotal: score },
      stats: noStats,
    });
    const state = () => pulls.stream('game-state').state.map(({ row }) => [row.home_score, row.attendance]);
    pulls.pull('games', schedule(1));
    pulls.pull('boxscore', boxscore(2));
    assert.deepEqual(state(), [[2, 100]]);
    for (let time = 0; time < 3; time += 1) {
      assert.deepEqual(pulls.pull('games', schedule(1)).revisions, []);
      assert.deepEqual(pulls.pull('boxscore', boxscore(2)).revisions, []);
    }
    pulls.pull('games', schedule(3));
    assert.deepEqual(
      [state(), pulls.stream('game-state').head],
      [[[2, 100]], 2],
      'a score that is not heard is no change',
    );
  });
});

describe('a poisoned body amid good ones', () => {
  it('is refused alone: its neighbours are folded as if it had not come', () => {
    const [clean, poisoned] = [new Pulls(), new Pulls()];
    const good = [plays(upTo(3)), plays(upTo(4)), plays(upTo(6))];
    const poison: JsonObject[] = [
      { ...plays(upTo(5)), note: '\ud800' },
      { ...plays(upTo(5)), game: gameObject({ id: 2 ** 53 }) },
      plays(upTo(5), 'LIVE', { playStatus: { quarter: 1, secondsElapsed: 100_000 } }),
    ];
    for (const [index, body] of good.entries()) {
      clean.pull('playbyplay', body);
      poisoned.pull('playbyplay', body);
      const { refusals, revisions } = poisoned.pull('playbyplay', poison[index]!);
      assert.deepEqual([refusals.length, revisions], [1, []]);
    }
    const digests = (pulls: Pulls) =>
      pulls.msf.revisionsOf('plays', game.uuid).map(({ revision, snapshotDigest }) => [revision, snapshotDigest]);
    assert.deepEqual(digests(poisoned), digests(clean));
  });
});
