// Claims: a state is a function of the newest content of each feed — not of the order in which feeds arrive, of the order of members, or of
// the state before; an inserted play moves its own second and nothing else; any JSON gives rows that a file and a digest can hold.
// Violations would need a fold that remembers, a rule that follows the order of a body's members, an ordinal counted across seconds, or a
// value that reaches a row unconverted.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { JsonObject } from '../../../../core/json/value.ts';
import { elementRefusal } from '../../../../core/msf/bodies/body.ts';
import { rowOrder } from '../../../../core/msf/digest.ts';
import { msfFeeds } from '../../../../core/msf/feeds/feeds.ts';
import { type AppliedFeed, readFeed } from '../../../../core/msf/states/feed-content.ts';
import { gameFacts } from '../../../../core/msf/states/game-state.ts';
import { stateOf } from '../../../../core/msf/states/state.ts';
import { type DatasetState, type MsfFeed, msfDatasets, type Scope } from '../../../../core/msf/types.ts';
import type { Column } from '../../../../schemas/datasets/column.ts';
import type { PlaysRow } from '../../../../schemas/datasets/plays.ts';
import { datasetNamed } from '../../../../schemas/datasets/registry.ts';
import { type League, leagues } from '../../../../schemas/reference/leagues.ts';
import { cases } from '../../../support/arbitraries/cases.ts';
import { sourceRevision } from '../../../support/builders/in-one-go.ts';
import { gameObject } from '../../../support/builders/msf-bodies.ts';
import { clockedPlay, gameId, junk, msfElement, reversedMembers } from '../../../support/builders/msf-elements.ts';

const stateFeeds: readonly MsfFeed[] = [
  'games',
  'boxscore',
  'playbyplay',
  'player_gamelogs',
  'team_gamelogs',
  'injuries',
];
const scopeOf = (league: League): Scope => ({ kind: 'game', uuid: 'u', id: `${league}_BOS_CLE_20260109`, league });

function applied(feed: MsfFeed, league: League, element: JsonObject, contentSince = 0): AppliedFeed {
  return { feed, content: readFeed(feed, scopeOf(league), gameId, element), contentSince };
}

/** One element of a feed. */
const one = fc
  .tuple(fc.constantFrom(...stateFeeds), fc.constantFrom(...leagues))
  .chain(([feed, league]) => msfElement(feed, league).map((element) => ({ feed, league, element })));

/** Some feeds of a game, each with one or more contents in sequence. */
const contentsOfLeague = fc.constantFrom(...leagues).chain((league) =>
  fc.record({
    league: fc.constant(league),
    pushes: fc.array(
      fc.constantFrom(...stateFeeds).chain((feed) =>
        fc.record({
          feed: fc.constant(feed),
          element: msfElement(feed, league),
          since: fc.integer({ min: 0, max: 3 }),
        }),
      ),
      { maxLength: 8 },
    ),
  }),
);

describe('the elements of these tests', () => {
  it('are applied by the fold', () => {
    fc.assert(fc.property(one, ({ feed, league, element }) => elementRefusal(feed, league, gameId, element) === null));
  });
});

describe('a state', () => {
  it('depends only on the newest content of each feed, in whatever order it came', () => {
    fc.assert(
      fc.property(contentsOfLeague, ({ league, pushes }) => {
        const scope = scopeOf(league);
        const feeds = new Map<MsfFeed, AppliedFeed>();
        let before = new Map(msfDatasets.map((dataset) => [dataset, [] as DatasetState]));
        for (const { feed, element, since } of pushes) {
          const content = readFeed(feed, scope, gameId, element, feeds.get(feed)?.content ?? null);
          feeds.set(feed, { feed, content, contentSince: since });
          before = new Map(msfDatasets.map((each) => [each, stateOf(each, scope, feeds, before.get(each)!)]));
        }
        const newest = new Map(pushes.map(({ feed, element, since }) => [feed, applied(feed, league, element, since)]));
        const otherWay = new Map([...newest].reverse());
        for (const dataset of msfDatasets) {
          const state = stateOf(dataset, scope, newest, []);
          assert.deepEqual(before.get(dataset), state);
          assert.deepEqual(stateOf(dataset, scope, otherWay, []), state);
        }
        assert.deepEqual(gameFacts(otherWay), gameFacts(newest));
      }),
    );
  });

  it('reuses every unchanged row, and the whole state when no row changed', () => {
    fc.assert(
      fc.property(contentsOfLeague, contentsOfLeague, ({ league, pushes }, { pushes: others }) => {
        const scope = scopeOf(league);
        const feeds = new Map(pushes.map(({ feed, element }) => [feed, applied(feed, league, element)]));
        const later = new Map(others.map(({ feed, element }) => [feed, applied(feed, league, element)]));
        for (const dataset of msfDatasets) {
          const state = stateOf(dataset, scope, feeds, []);
          assert.equal(stateOf(dataset, scope, feeds, state), state);
          const held = new Map(state.map((row) => [row.line, row]));
          for (const row of stateOf(dataset, scope, later, state)) assert.equal(held.get(row.line) ?? row, row);
        }
      }),
    );
  });

  it('depends on the content, not on the order of members', () => {
    fc.assert(
      fc.property(one, ({ feed, league, element }) => {
        const turned = reversedMembers(element) as JsonObject;
        assert.equal(sourceRevision(turned), sourceRevision(element));
        assert.deepEqual(applied(feed, league, turned), applied(feed, league, element));
      }),
    );
  });

  it('survives a round trip through JSON', () => {
    fc.assert(
      fc.property(one, ({ feed, league, element }) => {
        const held = applied(feed, league, element);
        assert.deepEqual(JSON.parse(JSON.stringify(held)), held);
      }),
    );
  });
});

describe('an inserted play', () => {
  it('changes only the rows of its own second', () => {
    const plays = fc.array(clockedPlay, { minLength: 1, maxLength: 15 });
    fc.assert(
      fc.property(fc.constantFrom(...leagues), plays, clockedPlay, fc.nat(), (given, body, inserted, place) => {
        const league = given === 'MLB' ? 'NBA' : given;
        const rowsOf = (list: readonly JsonObject[]) => {
          const feed = applied('playbyplay', league, { game: gameObject(), plays: list });
          return stateOf('plays', scopeOf(league), new Map([['playbyplay', feed]]), []);
        };
        const [before, after] = [rowsOf(body), rowsOf(body.toSpliced(place % (body.length + 1), 0, inserted))];
        assert.equal(after.length, before.length + 1);
        const [old, fresh] = [before, after].map((state) => new Set(state.map(({ line }) => line)));
        const changed = [
          ...before.filter(({ line }) => !fresh!.has(line)),
          ...after.filter(({ line }) => !old!.has(line)),
        ];
        const { quarter, secondsElapsed } = inserted.playStatus as { quarter: number; secondsElapsed: number };
        for (const { row } of changed) {
          const { period, clock_seconds_elapsed } = row as PlaysRow;
          assert.deepEqual([period, clock_seconds_elapsed], [quarter, secondsElapsed]);
        }
      }),
    );
  });
});

describe('any JSON', () => {
  const members = fc.constantFrom('game', 'games', 'gamelogs', 'players', 'plays', 'atBats', 'stats', 'scoring');
  const wild = fc.dictionary(members, junk) as fc.Arbitrary<JsonObject>;
  const feed = fc.constantFrom(...msfFeeds);
  const league = fc.constantFrom(...leagues);
  const element = fc.tuple(feed, league).chain(([each, of]) =>
    fc
      .oneof(
        wild,
        msfElement(each, of),
        fc.tuple(msfElement(each, of), wild).map(([sound, bad]) => ({ ...sound, ...bad })),
      )
      .map((value) => ({ feed: each, league: of, value })),
  );

  it('gives rows that fit their columns, in key order, each key once', () => {
    fc.assert(
      fc.property(element, fc.constantFrom(null, gameId), (said, id) => {
        const content = readFeed(said.feed, scopeOf(said.league), id, said.value);
        const feeds = new Map([[said.feed, { feed: said.feed, content, contentSince: 0 }]]);
        for (const name of msfDatasets) {
          const dataset = datasetNamed(name);
          const state = stateOf(name, scopeOf(said.league), feeds, []);
          for (const { row, line } of state) {
            assert.deepEqual(Object.keys(row).sort(), dataset.columns.map((column) => column.name).sort());
            for (const column of dataset.columns)
              assert.ok(fits(column, row[column.name]), `${name} ${column.name} ${line}`);
            assert.equal((JSON.parse(line) as unknown[]).length, dataset.columns.length);
          }
          const order = rowOrder(dataset);
          for (const [at, row] of state.entries()) assert.ok(at === 0 || order(state[at - 1]!, row) < 0);
        }
      }),
      { numRuns: cases(300) },
    );
  });
});

function fits({ type, nullable }: Column, value: unknown): boolean {
  if (value === null) return nullable;
  switch (type.kind) {
    case 'utf8':
      return typeof value === 'string';
    case 'int32':
      return Number.isInteger(value) && Object.is((value as number) | 0, value);
    case 'int64':
    case 'ts':
      return Number.isSafeInteger(value) && !Object.is(value, -0);
    case 'dec':
      return Number.isSafeInteger(value) && !Object.is(value, -0) && Math.abs(value as number) < 10 ** type.precision;
    case 'list':
      return Array.isArray(value) && value.every((each) => fits({ type: { kind: type.of } } as Column, each));
    default:
      return false;
  }
}
