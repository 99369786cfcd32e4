// When archives are cut, when a stream settles and what is forgotten (docs/revisions.md#archives; docs/revisions.md#retention), at the edges
// of each time.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonObject } from '../../../../core/json/value.ts';
import { dueAt, passTime } from '../../../../core/msf/streams/archive.ts';
import { newStream, type StreamState } from '../../../../core/msf/streams/scope-state.ts';
import type { MsfDataset, MsfFeed, Scope } from '../../../../core/msf/types.ts';
import { type Micros, microsPerSecond } from '../../../../core/units.ts';
import { microsPerDay, scopesOf } from '../../../support/arbitraries/msf.ts';
import { bodyOf, gameObject, play } from '../../../support/builders/msf-bodies.ts';
import { observationRecord, PureMsf } from '../../../support/folds/msf-log.ts';

const start: Micros = Date.UTC(2026, 0, 10, 1) * 1_000;
const { game, league } = scopesOf('NBA');

/** The log of one scope, with pulls a second apart by default, and the archives of one dataset as they are cut. */
class Log {
  readonly msf = new PureMsf();
  readonly archives: [first: number, last: number, at: number][] = [];
  /** Whether the last record changed the stream. */
  touched = false;
  now = start;
  readonly #scope: Scope;
  readonly #feed: MsfFeed;
  readonly #dataset: MsfDataset;

  constructor(scope: Scope, feed: MsfFeed, dataset: MsfDataset) {
    this.#scope = scope;
    this.#feed = feed;
    this.#dataset = dataset;
  }

  get stream(): StreamState {
    return this.msf.scopes.get(this.#scope.uuid)!.streams.get(this.#dataset)!;
  }

  get due(): Micros | null {
    return dueAt(this.stream, this.msf.scopes.get(this.#scope.uuid)!);
  }

  get kept(): [listedFrom: number, deletedBelow: number] {
    return [this.stream.listedFrom, this.stream.deletedBelow];
  }

  pull(body: JsonObject, wait: Micros = microsPerSecond): this {
    this.now += wait;
    const push = { feed: this.#feed, requested: this.now, at: this.now, body: bodyOf(body) };
    const record = observationRecord(this.#scope, push, this.#scope.kind === 'game' ? 900001 : null, body);
    this.#note(this.msf.fold(record, this.now));
    return this;
  }

  tick(wait: Micros): this {
    this.now += wait;
    this.#note(this.msf.tick(this.#scope.uuid, this.now));
    return this;
  }

  #note({ effects }: ReturnType<PureMsf['fold']>): void {
    this.touched = effects.touched.includes(this.#dataset);
    for (const { dataset, first, last } of effects.archiveCuts) {
      if (dataset === this.#dataset) this.archives.push([first, last, this.now]);
    }
  }
}

const ofPlays = () => new Log(game, 'playbyplay', 'plays');
const ofInjuries = () => new Log(league, 'injuries', 'injuries');

const played = (count: number, playedStatus = 'LIVE'): JsonObject => ({
  game: gameObject({ playedStatus }),
  plays: Array.from({ length: count }, (_, secondsElapsed) => play({ quarter: 1, secondsElapsed })),
});
const completed = (count: number) => played(count, 'COMPLETED');
const injured = (...ids: readonly number[]): JsonObject => ({
  players: ids.map((id) => ({ id, currentInjury: { description: 'knee' } })),
});

describe('the archives of a game', () => {
  it('are cut at 64 revisions, at once', () => {
    const log = ofPlays();
    for (let count = 1; count <= 130; count += 1) log.pull(played(count));
    assert.deepEqual(
      log.archives.map(([first, last, at]) => [first, last, (at - start) / microsPerSecond]),
      [
        [1, 64, 64],
        [65, 128, 128],
      ],
    );
    assert.equal(log.due, null);
  });

  it('are cut with the revision that verifies', () => {
    const log = ofPlays().pull(played(1)).pull(completed(2)).pull(completed(2));
    assert.deepEqual(log.archives, [[1, 3, log.now]]);
    assert.equal(log.stream.settledAt, log.now);
  });

  it('are cut 24 h after COMPLETED where nothing agrees, by the first tick then', () => {
    const log = ofPlays().pull(played(1)).pull(completed(2));
    const done = log.now;
    assert.equal(log.due, done + microsPerDay);
    log.pull(completed(3), 60 * microsPerSecond).tick(microsPerDay - 60 * microsPerSecond - 1);
    assert.deepEqual([log.archives, log.stream.settledAt], [[], null]);
    log.tick(1);
    assert.deepEqual([log.archives, log.stream.settledAt], [[[1, 3, done + microsPerDay]], done + microsPerDay]);
  });

  it('count COMPLETED from the review that goes before it, and once', () => {
    const log = ofPlays().pull(played(1, 'COMPLETED_PENDING_REVIEW'));
    const done = log.now;
    log.pull(completed(1), microsPerDay / 2).tick(microsPerDay / 2 - 1);
    assert.deepEqual(log.archives, []);
    log.tick(1);
    assert.deepEqual(log.archives, [[1, 1, done + microsPerDay]]);
  });

  it('take late corrections 24 h after the last of them', () => {
    const log = ofPlays().pull(completed(1)).pull(completed(1));
    log.archives.pop();
    log.pull(completed(2)).pull(completed(2), microsPerDay / 2);
    assert.equal(log.stream.status, 'verified');
    const last = log.now;
    assert.equal(log.due, last + microsPerDay);
    log.tick(microsPerDay - 1);
    assert.deepEqual(log.archives, []);
    log.tick(1);
    assert.deepEqual(log.archives, [[3, 4, last + microsPerDay]]);
  });

  it('depend on log time, which never goes back', () => {
    const log = ofPlays().pull(played(1)).tick(microsPerDay);
    log.pull(completed(2), -microsPerDay / 2).tick(microsPerDay);
    assert.deepEqual(log.archives, []);
    log.tick(microsPerDay / 2);
    assert.deepEqual(log.archives, [[1, 2, start + microsPerSecond + 2 * microsPerDay]]);
  });

  it('are not due while the game is in play', () => {
    const log = ofPlays()
      .pull(played(1))
      .tick(100 * microsPerDay);
    assert.deepEqual([log.archives, log.kept, log.due], [[], [1, 1], null]);
  });
});

describe('the archives of a league', () => {
  it('are cut 24 h after the last revision', () => {
    const log = ofInjuries()
      .pull(injured(1))
      .pull(injured(1, 2), microsPerDay - 1)
      .tick(microsPerDay - 1);
    assert.deepEqual(log.archives, []);
    log.tick(1);
    assert.deepEqual(log.archives, [[1, 2, log.now]]);
    // A pull without changes makes no revision.
    log.pull(injured(1, 2), microsPerDay).tick(2 * microsPerDay);
    assert.equal(log.archives.length, 1);
  });

  it('are cut before retention would take an unarchived revision', () => {
    const log = ofInjuries();
    for (let pull = 1; pull <= 40; pull += 1) log.pull(injured(pull), 0.8 * microsPerDay).tick(1);
    const [[first, last, at]] = log.archives as [[number, number, number]];
    assert.deepEqual([first, last], [1, Math.ceil((at - start) / microsPerDay / 0.8) - 1]);
    // With the first tick 30 days after the publication of the first revision.
    const published = start + 0.8 * microsPerDay;
    assert.ok(at >= published + 30 * microsPerDay && at < published + 31 * microsPerDay);
    assert.equal(log.archives.length, 1);
  });
});

describe('what is forgotten', () => {
  it('is every revision of a game but the head, 30 days after settlement; it is deleted a week later', () => {
    const log = ofPlays().pull(completed(1)).pull(completed(2)).pull(completed(2));
    const settled = log.now;
    log.tick(microsPerDay);
    assert.equal(log.due, settled + 30 * microsPerDay);
    log.tick(29 * microsPerDay - 1);
    assert.deepEqual(log.kept, [1, 1]);
    log.tick(1);
    assert.deepEqual([log.kept, log.touched], [[3, 1], true]);
    assert.equal(log.due, settled + 37 * microsPerDay);
    log.tick(7 * microsPerDay - 1);
    assert.deepEqual([log.kept, log.touched], [[3, 1], false]);
    log.tick(1);
    assert.deepEqual([log.kept, log.touched, log.due], [[3, 3], true, null]);
  });

  it("is a correction's old revisions after 30 days; the former head is unlisted at once, and deleted a week later", () => {
    const log = ofPlays()
      .pull(completed(1))
      .pull(completed(1))
      .tick(40 * microsPerDay);
    assert.deepEqual(log.kept, [2, 2]);
    log.pull(completed(2)).pull(completed(3), microsPerDay).tick(1);
    const corrected = log.now - 1;
    assert.deepEqual(log.kept, [3, 2]);
    log.tick(microsPerDay - 1);
    assert.equal(log.due, corrected + 6 * microsPerDay);
    log.tick(5 * microsPerDay - 1);
    assert.deepEqual(log.kept, [3, 2]);
    log.tick(1);
    assert.deepEqual(log.kept, [3, 3]);
    log.tick(23 * microsPerDay);
    assert.deepEqual(log.kept, [4, 3]);
    assert.equal(log.due, corrected - microsPerDay + 37 * microsPerDay);
    assert.deepEqual(log.archives.at(-1)?.slice(0, 2), [3, 4]);
  });

  it('of a league counts from each publication', () => {
    const log = ofInjuries().pull(injured(1)).pull(injured(1, 2), microsPerDay).pull(injured(), microsPerDay);
    log.tick(28 * microsPerDay);
    assert.deepEqual(log.kept, [2, 1]);
    log.tick(microsPerDay);
    assert.deepEqual(log.kept, [3, 1]);
    log.tick(7 * microsPerDay);
    assert.deepEqual([log.kept, log.due], [[3, 3], null]);
    // Deleted archives are forgotten.
    assert.deepEqual(
      log.stream.runs.map(({ through }) => through),
      [3],
    );
    assert.deepEqual(
      log.archives.map(([first, last]) => [first, last]),
      [[1, 3]],
    );
  });

  it('needs no more than a time that is due', () => {
    const stream: StreamState = { ...newStream('plays', 'E'), head: 2, firstUnarchived: 3, settledAt: 0 };
    assert.deepEqual(passTime(stream, 0, true, 10 * microsPerDay), { archives: [], forgot: false });
  });
});
