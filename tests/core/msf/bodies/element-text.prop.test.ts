// Claim: what is remembered of the observation before changes nothing but the work: the same source revision, the same verdict on its text, the
// same content, however the entries of its lists come and go. A violation would need an entry that is taken for another, or whose
// reading follows from something beside its value and what it was read by.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../core/json/value.ts';
import { elementRefusal } from '../../../../core/msf/bodies/body.ts';
import { readText } from '../../../../core/msf/bodies/element-text.ts';
import { badValues } from '../../../../core/msf/states/bad-values.ts';
import { type FeedContent, readFeed } from '../../../../core/msf/states/feed-content.ts';
import type { MsfFeed, Scope } from '../../../../core/msf/types.ts';
import { leagues } from '../../../../schemas/reference/leagues.ts';
import { cases } from '../../../support/arbitraries/cases.ts';
import { sourceRevision } from '../../../support/builders/in-one-go.ts';
import { gameObject } from '../../../support/builders/msf-bodies.ts';
import { gameId, msfElement } from '../../../support/builders/msf-elements.ts';

const feeds: readonly MsfFeed[] = ['games', 'boxscore', 'playbyplay', 'player_gamelogs', 'team_gamelogs', 'injuries'];

/** How a list changes between two observations. */
type Turn = { from: number; cut: number; keep: boolean; twice: boolean };
const turns = fc.record({ from: fc.nat(30), cut: fc.nat(20), keep: fc.boolean(), twice: fc.boolean() });

const elementsOfFeed = fc.tuple(fc.constantFrom(...feeds), fc.constantFrom(...leagues)).chain(([feed, league]) =>
  fc.record({
    feed: fc.constant(feed),
    league: fc.constant(league),
    steps: fc.array(fc.tuple(msfElement(feed, league), turns), { minLength: 2, maxLength: 8 }),
  }),
);

/** `after` with its lists replaced by those of `before`, some items removed, added or repeated. */
function turned(before: JsonValue, after: JsonValue, turn: Turn): JsonValue {
  if (isJsonArray(before) && isJsonArray(after)) {
    const kept = before.toSpliced(turn.from % (before.length + 1), turn.cut, ...after);
    return turn.twice ? [...kept, ...kept] : kept;
  }
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const names = turn.keep ? Object.keys(before) : Object.keys(after);
  const member = (object: JsonObject, name: string) => (Object.hasOwn(object, name) ? object[name] : null) as JsonValue;
  return Object.fromEntries(names.map((name) => [name, turned(member(before, name), member(after, name), turn)]));
}

/** The element as a record brings it: parsed by JSON.parse. */
function parsed(value: JsonValue): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

const numRuns = cases(400);

describe('an element whose entries were there before', () => {
  it('is read the same without the earlier ones', () => {
    let met = 0;
    fc.assert(
      fc.property(elementsOfFeed, ({ feed, league, steps }) => {
        const scope: Scope = { kind: 'game', uuid: 'u', id: `${league}_BOS_CLE_20260109`, league };
        let last: JsonValue = steps[0]![0];
        let before: FeedContent | null = null;
        for (const [element, turn] of steps) {
          last = turned(last, element, turn);
          const value = parsed(last);
          const text = readText(feed, league, value, before);
          assert.equal(text.sourceRevision, sourceRevision(value));
          const refusal = elementRefusal(feed, league, gameId, value);
          assert.deepEqual(elementRefusal(feed, league, gameId, value, text.isWellFormed), refusal);
          if (refusal !== null) continue;
          const content = readFeed(feed, scope, gameId, value, before, text);
          assert.deepEqual(content, readFeed(feed, scope, gameId, parsed(last)));
          assert.deepEqual(badValues(feed, value, text), badValues(feed, value));
          text.remember(content);
          before = content;
          met += 1;
        }
      }),
      { numRuns },
    );
    assert.ok(met > 2 * numRuns, `${met} elements were read`);
  });

  it('is refused for text that is no Unicode, wherever it stands', () => {
    const element = '{"game":{},"plays":[{"description":"%"}],"more":{"%":1}}';
    const readings = [
      [String.raw`\ud800`, false],
      [String.raw`\\ud800`, true],
      [String.raw`\ud83d\ude00`, true],
      [String.raw`\udc00\ud800`, false],
    ] as const;
    for (const [text, isWellFormed] of readings) {
      for (const place of [1, 2]) {
        const value = JSON.parse(
          element.split('%').reduce((a, b, at) => a + (at === place ? text : 'x') + b),
        ) as JsonObject;
        assert.equal(readText('playbyplay', 'NBA', value, null).isWellFormed, isWellFormed, `${text} at ${place}`);
      }
    }
    const leftOut = JSON.parse(String.raw`{"plays":[],"references":"\ud800"}`) as JsonObject;
    assert.equal(readText('playbyplay', 'NBA', leftOut, null).isWellFormed, false);
  });

  it('names a bad statistic again that was beyond the listed ones', () => {
    const body = (ofFirst: JsonValue) => {
      const players = [ofFirst, 'x'].map((a, id) => ({ player: { id }, playerStats: [{ a }] }));
      return parsed({ game: gameObject(), stats: { away: { players }, home: { players: [] } } });
    };
    const many = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`s${index}`, 'x']));
    const first = readText('boxscore', 'NBA', body(many), null);
    assert.equal(badValues('boxscore', body(many), first).length, 10);
    const content = {};
    first.remember(content);
    const second = readText('boxscore', 'NBA', body(1), content);
    assert.deepEqual(badValues('boxscore', body(1), second), ['/stats/away/players/1/playerStats/0/a']);
  });

  it('says of a player in the other side’s list that the other side is the team', () => {
    const scope: Scope = { kind: 'game', uuid: 'u', id: 'u', league: 'NBA' };
    const player = '{"player":{"id":7},"playerStats":[{"offense":{"pts":2}}]}';
    const body = (away: string, home: string) =>
      parsed({
        game: gameObject(),
        stats: { away: { players: JSON.parse(`[${away}]`) }, home: { players: JSON.parse(`[${home}]`) } },
      });
    let before: FeedContent | null = null;
    const teams = [body(player, ''), body('', player), body(player, '')].map((element) => {
      const text = readText('boxscore', 'NBA', element, before);
      before = readFeed('boxscore', scope, gameId, element, before, text);
      text.remember(before);
      return before.playerStats[0]?.team;
    });
    assert.equal(new Set(teams).size, 2);
    assert.equal(teams[0], teams[2]);
  });

  it('is read by its game and its two teams, and again when those are others', () => {
    const body = (home: string, id = 1) =>
      JSON.parse(`{"game":{"id":${id},"startTime":"2026-01-10T00:30:00Z","awayTeam":{"id":1,"abbreviation":"BOS"},
        "homeTeam":{"id":2,"abbreviation":"${home}"},"scheduleStatus":"NORMAL","playedStatus":"LIVE"},"plays":[{"description":"d",
        "freeThrowAttempt":{"team":{"id":2},"result":"SCORED"},"playStatus":{"quarter":1,"secondsElapsed":3}}]}`) as JsonObject;
    const scope: Scope = { kind: 'game', uuid: 'u', id: 'u', league: 'NBA' };
    let before: FeedContent | null = null;
    const teams = [body('CLE'), body('CLE'), body('LAL'), body('LAL', 2)].map((element) => {
      const text = readText('playbyplay', 'NBA', element, before);
      const content = readFeed('playbyplay', scope, 1, element, before, text);
      text.remember(content);
      assert.deepEqual(content, readFeed('playbyplay', scope, 1, element));
      const same = before !== null && content.plays[0] === before.plays[0];
      before = content;
      return same;
    });
    assert.deepEqual(teams, [false, true, false, false]);
  });
});
