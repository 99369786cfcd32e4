// The reference data of bodies, and the injuries of a game out of its league's (docs/revisions.md#feeds-and-datasets;
// docs/revisions.md#injuries).

import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../core/json/value.ts';
import { currentAbbreviations } from '../../../../core/msf/bodies/injuries.ts';
import { teamUuid } from '../../../../core/msf/ids.ts';
import { injuriesOfGame, referencesOf } from '../../../support/builders/in-one-go.ts';
import { msfTeam } from '../../../support/builders/msf-bodies.ts';

const player = (given: JsonObject = {}): JsonObject => ({
  id: 71,
  firstName: 'Jo',
  lastName: 'Roe',
  primaryPosition: 'PG',
  jerseyNumber: 11,
  currentTeam: msfTeam(82, 'BOS'),
  currentRosterStatus: 'ROSTER',
  ...given,
});

function elementsOf(body: JsonValue, feed: 'players' | 'injuries' | 'games' = 'games'): unknown[] {
  return referencesOf('NBA', feed, body).map((each) =>
    each.kind === 'read' ? each.element : [each.pointer, each.refusal.pointer],
  );
}

describe('references of a body', () => {
  it('are teams, venues and players, teams first', () => {
    const references = {
      playerReferences: [player()],
      venueReferences: [{ id: 27, name: 'Garden', city: 'Boston, MA', country: 'USA' }],
      teamReferences: [{ id: 82, city: 'Boston', name: 'Celtics', abbreviation: 'BOS' }],
    };
    const team = { name: 'Boston Celtics', abbreviation: 'BOS', aliases: [], city: 'Boston', nickname: 'Celtics' };
    const frame = { league: 'NBA' };
    assert.deepEqual(elementsOf({ references }), [
      { ...frame, sourceId: '82', kind: 'team', facts: { ...team, conference: null, division: null, is_active: null } },
      { ...frame, sourceId: '27', kind: 'venue', facts: { name: 'Garden', city: 'Boston, MA', country: 'USA' } },
      {
        ...frame,
        sourceId: '71',
        kind: 'player',
        facts: { first_name: 'Jo', last_name: 'Roe', position: 'PG', jersey_number: 11, is_active: true },
        team: { by: 'name', name: 'BOS' },
        playerId: null,
      },
    ]);
  });
  it('are missing without a fault', () => {
    for (const references of [null, [], {}, { teamReferences: {} }]) assert.deepEqual(elementsOf({ references }), []);
    assert.deepEqual(elementsOf(null), []);
  });
  it('are read once, from the feed’s own list before the others', () => {
    const body = {
      players: [{ player: player({ jerseyNumber: 5 }), teamAsOfDate: null }],
      references: { playerReferences: [player()] },
    };
    const jersey = (elements: unknown[]) =>
      elements.map((each) => (each as { facts: { jersey_number: number } }).facts.jersey_number);
    assert.deepEqual(jersey(elementsOf(body, 'players')), [5]);
    assert.deepEqual(jersey(elementsOf({ ...body, players: [player({ jerseyNumber: 6 })] }, 'injuries')), [6]);
    assert.deepEqual(jersey(elementsOf(body)), [11]);
  });
  it('that name no player are refused alone', () => {
    const playerReferences = [player({ id: 'x' }), player({ firstName: null, lastName: '' }), 1, player()];
    const [venueReferences, teamReferences] = [[{ id: 1 }], [{ id: 1, city: 'Boston' }, null]];
    const elements = elementsOf({ references: { playerReferences, venueReferences, teamReferences } });
    assert.deepEqual(elements.slice(0, -1), [
      ['/references/teamReferences/0', '/name'],
      ['/references/teamReferences/1', '/id'],
      ['/references/venueReferences/0', '/name'],
      ['/references/playerReferences/0', '/id'],
      ['/references/playerReferences/1', '/lastName'],
      ['/references/playerReferences/2', '/id'],
    ]);
    assert.equal((elements.at(-1) as { sourceId: string }).sourceId, '71');
  });
  it('are not read where a member has the wrong type', () => {
    const [read] = elementsOf({
      references: {
        playerReferences: [
          player({ jerseyNumber: 1000, primaryPosition: 7, currentRosterStatus: 'RETIRED', currentTeam: null }),
        ],
      },
    });
    const facts = { first_name: 'Jo', last_name: 'Roe', position: null, jersey_number: null, is_active: false };
    assert.deepEqual(read, { league: 'NBA', sourceId: '71', kind: 'player', facts, team: null, playerId: null });
  });
  it('know a player of one name by it', () => {
    const [read] = elementsOf({ references: { playerReferences: [player({ firstName: 'Nené', lastName: '' })] } });
    const { facts } = read as { facts: { first_name: string; last_name: string } };
    assert.deepEqual([facts.first_name, facts.last_name], ['', 'Nené']);
  });
  it('give a player a team of the table, or one that the same body describes', () => {
    const teamOf = (currentTeam: JsonValue, ...teamReferences: JsonValue[]) => {
      const elements = elementsOf({ references: { playerReferences: [player({ currentTeam })], teamReferences } });
      return (elements.at(-1) as { team: unknown }).team;
    };
    const allStars = { id: 999, city: 'All', name: 'Stars', abbreviation: 'ALL' };
    assert.deepEqual(teamOf(msfTeam(84, 'BRO')), { by: 'name', name: 'BRO' });
    assert.deepEqual(teamOf(msfTeam(999, 'ALL'), allStars), { by: 'id', id: '999' });
    assert.equal(teamOf(msfTeam(999, 'ALL')), null);
    assert.equal(teamOf('BOS'), null);
  });
});

describe('the injuries of a game', () => {
  const home = teamUuid('NBA', 'BKN', 0);
  const away = teamUuid('NBA', null, 999);
  const players = [
    player({ id: 1 }),
    player({ id: 2, currentTeam: msfTeam(84, 'BRO'), currentInjury: { description: 'knee' } }),
    player({ id: 3, currentTeam: msfTeam(999, 'XYZ'), currentInjury: null }),
    player({ id: 4, currentTeam: null }),
    player({ id: 5, currentTeam: { abbreviation: 'BKN' } }),
    null,
  ];
  it('are those of the players, injured or not, of its two teams', () => {
    const element = injuriesOfGame({ players, extra: 1 }, 'NBA', home, away);
    assert.deepEqual(element, { players: [players[1], players[2], players[4]], extra: 1 });
  });
  it('are found by what the catalog calls a team, before the table does', () => {
    const named = new Map([
      ['XYZ', home],
      ['BRO', away],
    ]);
    const element = injuriesOfGame({ players }, 'NBA', home, 'nobody', named);
    assert.deepEqual(element, { players: [players[2], players[4]] });
    assert.deepEqual(currentAbbreviations({ players }), ['BOS', 'BRO', 'XYZ', 'BKN']);
  });
  it('are an empty list when there are none', () => {
    assert.deepEqual(injuriesOfGame({ players }, 'NBA', 'x', 'y'), { players: [] });
  });
});
