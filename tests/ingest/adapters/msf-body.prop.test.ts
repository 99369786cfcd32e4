// Claim: a body of entries that is read entry by entry has the elements, and the refusals, of the body read whole; and the members beside
// its entries are not copied into thousands of elements. A violation would need a member lost or doubled around the list, an entry given to
// another game, or a text whose numbers are formatted differently.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parseJsonElement } from '../../../ingest/adapters/json-body.ts';
import { jsonText } from '../../../ingest/adapters/json-text.ts';
import type { AdaptedMsfBody } from '../../../ingest/adapters/msf-adapted.ts';
import { adaptMsfBody } from '../../../ingest/adapters/msf-body.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { splitBody } from '../../support/builders/in-one-go.ts';
import { gamelogGame, gameObject, log, player } from '../../support/builders/msf-bodies.ts';

const feeds = ['games', 'player_gamelogs', 'team_gamelogs'] as const;
type EntriesFeed = (typeof feeds)[number];

const league = 'NBA';
const adapt = (feed: EntriesFeed, text: string, game: string | null = null): AdaptedMsfBody =>
  runToEnd(adaptMsfBody(Buffer.from(text), { league, feed, game }));

function entryText(feed: EntriesFeed, id: number, more: string): string {
  const entry = {
    games: { schedule: gameObject({ id }), score: {} },
    player_gamelogs: log({ game: gamelogGame({ id }), player }),
    team_gamelogs: log({ game: gamelogGame({ id }) }),
  }[feed];
  return `${JSON.stringify(entry).slice(0, -1)},"more":${more}}`;
}

/** Values short and longer than a piece of a body, with numbers that a double would print differently. */
const more = fc.constantFrom('1.50', '-0', '"é\\"\\u20ac"', '[[],{}]', `"${'x'.repeat(20_000)}"`, '"\\ud800"');
const entry = fc.oneof(
  { weight: 8, arbitrary: fc.record({ id: fc.integer({ min: 1, max: 4 }), more }) },
  { weight: 1, arbitrary: fc.constantFrom('{}', 'null', '7', '{"schedule":{"id":1}}') },
);
const besides = fc.array(
  fc.constantFrom(
    '"lastUpdatedOn":"2026-01-10T01:00:08.000Z"',
    '"references":{"teamReferences":[{"id":1,"name":"Celtics"}]}',
    '"x":1.50',
    '"1":{"y":[1,2]}',
    `"list":[${Array(5_000).fill('{"a":0}').join()}]`,
    '"__proto__":{"z":1}',
    '"games":[]',
    '"gamelogs":[{}]',
    '"games":5',
  ),
  { maxLength: 4 },
);

describe('a body of entries', () => {
  it('has the elements and the refusals that it would have if it were read whole', () => {
    const bodies = fc.record({
      feed: fc.constantFrom(...feeds),
      entries: fc.array(entry, { maxLength: 12 }),
      before: besides,
      behind: besides,
      game: fc.constantFrom(null, '7'),
    });
    fc.assert(
      fc.property(bodies, ({ feed, entries, before, behind, game }) => {
        const texts = entries.map((each) => (typeof each === 'string' ? each : entryText(feed, each.id, each.more)));
        const list = `"${feed === 'games' ? 'games' : 'gamelogs'}":[${texts.join(' , ')}]`;
        const text = `{${[...before, list, ...behind].join(',\n')}}`;
        const whole = parseJsonElement(Buffer.from(text));
        assert.ok(whole.kind === 'parsed');
        const { observations, refusals } = splitBody({ league, feed, game, body: whole.value });
        const adapted = adapt(feed, text, game);
        assert.deepEqual(
          adapted.elements.map(({ msfGameId, text: written }) => [msfGameId, String(written)]),
          observations.map(({ msfGameId, element }) => [msfGameId, jsonText(element)]),
        );
        assert.deepEqual(
          adapted.refused.map(({ pointer, detail }) => ({ pointer, detail })),
          refusals,
        );
        for (const { pointer, start, end } of adapted.refused) {
          if (!/\/[0-9]+\//.test(pointer)) assert.deepEqual([start, end], [0, text.length + extraBytes(text)]);
          else assert.doesNotThrow(() => JSON.parse(Buffer.from(text).subarray(start, end).toString()));
        }
      }),
      { numRuns: cases(300) },
    );
  });

  it('whose members beside the entries would be copied into many elements is refused, and not into few', () => {
    const bodyOf = (beside: number, games: number): string => {
      const texts = Array.from({ length: games }, (_, id) => entryText('games', id, '0'));
      return `{"x":"${'a'.repeat(beside)}","games":[${texts.join()}],"y":"${'a'.repeat(beside)}"}`;
    };
    assert.equal(adapt('games', bodyOf(500_000, 1)).elements.length, 1);
    assert.equal(adapt('games', bodyOf(500_000, 2)).elements.length, 2);
    assert.equal(adapt('games', bodyOf(100, 4_000)).elements.length, 4_000);
    for (const [beside, games] of [
      [500_000, 4],
      [5_000, 120],
      [100, 6_000],
    ] as const) {
      const { elements, refused } = adapt('games', bodyOf(beside, games));
      assert.equal(elements.length, 0);
      assert.deepEqual(
        refused.map(({ pointer }) => pointer),
        [''],
      );
    }
  });
});

function extraBytes(text: string): number {
  return Buffer.byteLength(text) - text.length;
}
