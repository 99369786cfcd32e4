// Claims: every parsable body can be split; every element that the split accepts is valid in a record; and the identity of content ignores
// what each poll changes. A violation would need a member read from something that is no object, a fault that only one of the two finds, or
// a hash over the raw text.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { canonicalJson } from '../../../../core/json/canonical.ts';
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../../../../core/json/value.ts';
import { elementRefusal } from '../../../../core/msf/bodies/body.ts';
import { placePlays } from '../../../../core/msf/bodies/play-places.ts';
import { msfFeeds } from '../../../../core/msf/feeds/feeds.ts';
import { leagues } from '../../../../schemas/reference/leagues.ts';
import { injuriesOfGame, referencesOf, sourceRevision, splitBody } from '../../../support/builders/in-one-go.ts';
import { badBodies } from '../../../support/builders/msf-bad-bodies.ts';
import { bodyOf, wholeBodies } from '../../../support/builders/msf-bodies.ts';

const feed = fc.constantFrom(...msfFeeds);
const league = fc.constantFrom(...leagues);
const game = fc.constantFrom(null, '', '900001', '42070', '20260109-BOS-CLE');
const scope = fc.constantFrom(null, 900001, 42070);

/** Names that bodies use, more often than chance would make them. */
const names = fc.constantFrom(
  ...[
    'id',
    'game',
    'games',
    'schedule',
    'gamelogs',
    'stats',
    'away',
    'home',
    'players',
    'player',
    'plays',
    'playStatus',
  ],
  ...[
    'quarter',
    'secondsElapsed',
    'atBats',
    'atBatPlay',
    'inning',
    'teamLineups',
    'gameLines',
    'currentTeam',
    'startTime',
  ],
  ...[
    'references',
    'teamReferences',
    'venueReferences',
    'playerReferences',
    'name',
    'abbreviation',
    '__proto__',
    'toString',
  ],
);
const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 6, depthSize: 'medium' },
    fc.oneof(
      fc.constantFrom<JsonValue>(
        null,
        true,
        1,
        1.5,
        -1,
        2 ** 53,
        'BOS',
        '2026-01-10T00:30:00Z',
        new JsonNumber('2.0'),
        new JsonNumber('1e400'),
      ),
      fc.string({ unit: 'binary' }),
      fc.constant('\ud800'),
    ),
    fc.array(tie('json'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(names, fc.string()), tie('json')), { maxLength: 6 })
      .map((members): JsonValue => Object.fromEntries(members)),
  ),
}));

/** A complete body, or a body that is bad in one way, with any value in one place. */
const nearlyWhole: fc.Arbitrary<JsonValue> = fc
  .record({
    body: fc.constantFrom<JsonValue>(...Object.values(wholeBodies), ...badBodies.map((each) => each.body)),
    at: fc.array(fc.nat(30), { minLength: 1, maxLength: 6 }),
    value: json,
  })
  .map(({ body, at, value }) => replaced(body, at, value));

function replaced(value: JsonValue, [at, ...rest]: readonly number[], by: JsonValue): JsonValue {
  if (at === undefined) return by;
  if (isJsonArray(value) && value.length > 0) {
    return value.map((each, index) => (index === at % value.length ? replaced(each, rest, by) : each));
  }
  if (!isJsonObject(value)) return by;
  const members = Object.entries(value);
  if (members.length === 0) return by;
  const changed = members.map(
    ([name, each], index) => [name, index === at % members.length ? replaced(each, rest, by) : each] as const,
  );
  return Object.fromEntries(changed);
}

describe('any body', () => {
  const input = { feed, league, game, body: fc.oneof(json, nearlyWhole) };

  it('is split, or refused by a pointer', () => {
    fc.assert(
      fc.property(fc.record(input), (pushed) => {
        const { observations, refusals } = splitBody(pushed);
        for (const { pointer } of refusals) assert.match(pointer, /^(\/[^/]+)*$/);
        for (const { msfGameId, element } of observations) {
          assert.equal(elementRefusal(pushed.feed, pushed.league, msfGameId, element), null);
          assert.ok(!('references' in element) && !('lastUpdatedOn' in element));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('of a record is judged', () => {
    fc.assert(
      fc.property(feed, league, scope, input.body, (ofFeed, ofLeague, msfGameId, element) => {
        const refusal = elementRefusal(ofFeed, ofLeague, msfGameId, element);
        assert.ok(refusal === null || typeof refusal.pointer === 'string');
        placePlays(ofLeague, element);
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives references, and injuries of a game', () => {
    fc.assert(
      fc.property(feed, league, input.body, (ofFeed, ofLeague, body) => {
        for (const { pointer } of referencesOf(ofLeague, ofFeed, body))
          assert.match(pointer, /^\/(references|players)/);
        if (isJsonObject(body)) injuriesOfGame(body, ofLeague, 'a', 'b');
      }),
    );
  });
});

describe('the source revision', () => {
  it('does not see the order of members, the spelling of numbers, the stamp and the references', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json, { maxKeys: 5 }), json, json, (content, stamp, references) => {
        const revision = sourceRevision(content);
        assert.equal(sourceRevision(respelled(content)), revision);
        assert.equal(sourceRevision({ ...content, lastUpdatedOn: stamp, references }), revision);
      }),
    );
  });

  it('is that of the element which the split made, and of its canonical text', () => {
    for (const body of Object.values(wholeBodies)) {
      const revision = sourceRevision(body);
      assert.equal(sourceRevision(bodyOf(body)), revision);
      assert.equal(sourceRevision(JSON.parse(canonicalJson(body)) as JsonValue), revision);
    }
  });

  it('sees any other change of content', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json, { maxKeys: 5 }), fc.string(), json, (content, name, value) => {
        fc.pre(name !== 'lastUpdatedOn' && name !== 'references');
        const changed: JsonObject = { ...content, [name]: value };
        const isSame = canonicalJson(changed) === canonicalJson(content);
        assert.equal(sourceRevision(changed) === sourceRevision(content), isSame);
      }),
    );
  });
});

/** The same content spelled differently: members in reverse order, numbers with a trailing zero. */
function respelled(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(respelled);
  if (typeof value === 'number') {
    const text = String(value);
    return new JsonNumber(/^-?[0-9]+$/.test(text) ? `${text}.0` : text);
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, respelled(member)]),
  );
}
