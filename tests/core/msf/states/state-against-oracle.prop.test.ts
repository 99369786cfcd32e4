// Claim: the rows of every dataset are what docs/revisions.md says of the bodies. Elements of every feed and league, with any JSON between
// their members, go through the product and through the naive rows of tests/oracle, which share no rule with it: the lines must be the same,
// digit by digit.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { readFeed } from '../../../../core/msf/states/feed-content.ts';
import { stateOf } from '../../../../core/msf/states/state.ts';
import { type MsfFeed, msfDatasets, type Scope } from '../../../../core/msf/types.ts';
import { leagues } from '../../../../schemas/reference/leagues.ts';
import { teamRows } from '../../../../schemas/reference/teams.ts';
import { lines } from '../../../oracle/msf-rows.ts';
import { cases } from '../../../support/arbitraries/cases.ts';
import { gameId, msfElement } from '../../../support/builders/msf-elements.ts';

const runs = cases(500);
const feeds: readonly MsfFeed[] = ['games', 'boxscore', 'playbyplay', 'player_gamelogs', 'team_gamelogs', 'injuries'];

/** Names and abbreviations take precedence over aliases. */
const teams = new Map(
  [6, 1, 0].flatMap((column) =>
    Object.entries(teamRows).flatMap(([league, rows]) =>
      rows.flatMap((row): [string, string][] => {
        const names = row[column] as string | readonly string[];
        return [names].flat().map((name) => [`${league}/${name.toLowerCase()}`, row[0]]);
      }),
    ),
  ),
);

/** The current element of some feeds, and when each was first requested. */
const elementsOfLeague = fc.constantFrom(...leagues).chain((league) =>
  fc.record({
    league: fc.constant(league),
    present: fc.tuple(
      ...feeds.map((feed) =>
        fc.option(fc.record({ feed: fc.constant(feed), element: msfElement(feed, league), since: fc.nat(2) })),
      ),
    ),
  }),
);

it('has the same rows as the naive oracle, for any bodies', () => {
  let compared = 0;
  fc.assert(
    fc.property(elementsOfLeague, ({ league, present }) => {
      const id = `${league}_BOS_CLE_20260109`;
      const scope: Scope = { kind: 'game', uuid: 'u', id, league };
      // As a record brings it, with numbers as doubles.
      const said = present
        .filter((each) => each !== null)
        .map((each) => ({ ...each, element: JSON.parse(JSON.stringify(each.element)) as typeof each.element }));
      const applied = new Map(
        said.map(({ feed, element, since }) => [
          feed,
          { feed, content: readFeed(feed, scope, gameId, element), contentSince: since },
        ]),
      );
      for (const dataset of msfDatasets) {
        const ours = stateOf(dataset, scope, applied, []).map(({ line }) => line);
        const oracle = lines({ league, id, gameId, teams }, dataset, said);
        assert.deepEqual(ours, oracle, dataset);
        compared += ours.length;
      }
    }),
    { numRuns: runs },
  );
  assert.ok(compared > 2 * runs, `${compared} rows`);
});
