import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { distinctLookups } from '../../../core/games/distinct-lookups.ts';
import type { GameLookup } from '../../../core/ports/catalog/games.ts';

const some = <T>(...values: T[]) => fc.constantFrom(...values);
const asWritten = { noNullPrototype: true } as const;
const event = fc.record(
  {
    by: fc.constant('event' as const),
    league: some('MLB', 'NBA'),
    eventId: some('a', 'b', 'c', 'd'),
    homeTeam: fc.constant('h'),
    awayTeam: some('w', 'x'),
    commenceTime: some(1, 2),
  },
  asWritten,
);
const id = fc.record({ by: fc.constant('id' as const), gameId: some('a', 'b') }, asWritten);
const lookups: fc.Arbitrary<GameLookup[]> = fc.array(fc.oneof(event, id), { maxLength: 12 });

describe('lookups without repetitions', () => {
  it('answer each lookup as it was given', () => {
    fc.assert(
      fc.property(lookups, (given) => {
        const { distinct, placeOf } = distinctLookups(given);
        assert.deepEqual(
          placeOf.map((place) => distinct[place]),
          given,
        );
      }),
    );
  });

  it('hold each id once, and each event once unless the push changes it', () => {
    fc.assert(
      fc.property(lookups, (given) => {
        const texts = distinctLookups(given).distinct.map((each) => JSON.stringify(each));
        const said = given.map((each) => JSON.stringify(each));
        const isChanged = (text: string): boolean => {
          const { by, eventId } = JSON.parse(text) as { by: string; eventId?: string };
          return by === 'event' && new Set(said.filter((each) => JSON.parse(each).eventId === eventId)).size > 1;
        };
        for (const text of new Set(said)) {
          const times = texts.filter((each) => each === text).length;
          assert.equal(times, isChanged(text) ? said.filter((each) => each === text).length : 1, text);
        }
      }),
    );
  });

  it('keep the order of the starts that a push reports of one event', () => {
    const start = (commenceTime: number): GameLookup => {
      return { by: 'event', league: 'MLB', eventId: 'e', homeTeam: 'h', awayTeam: 'a', commenceTime };
    };
    const given = [start(1), start(2), start(1)];
    assert.deepEqual(distinctLookups(given).distinct, given);
  });
});
