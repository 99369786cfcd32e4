// Ids of what MSF names: the vectors, the table of teams, and the teams of a game, which its object names.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { serviceUuid } from '../../../core/games/uuid.ts';
import {
  gameEventId,
  gameUuid,
  isInTable,
  leagueUuid,
  playerUuid,
  teamUuid,
  teamUuidIn,
  venueUuid,
} from '../../../core/msf/ids.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { msfVectors } from '../../support/vectors/msf-vectors.ts';

type IdCase = { name: string; rule: string; uuid_name: string; expect: { uuid: string } };

describe('id vectors of the specification', () => {
  for (const { name, rule, uuid_name: uuidName, expect } of msfVectors<IdCase>('ids')) {
    it(`${name}: ${rule}`, () => assert.equal(made(uuidName), expect.uuid));
  }
});

/** The UUID of a vector's name, made by the function for such names. */
function made(name: string): string {
  const parts = name.split('/');
  const [league, id] = parts.slice(-2) as [League, string];
  if (parts[0] === 'league') return leagueUuid(id as League);
  if (parts[0] === 'team') return teamUuid(league, id, 1);
  if (parts[1] === 'team') return teamUuid(league, null, Number(id));
  if (parts[1] === 'player') return playerUuid(league, Number(id));
  return parts[1] === 'venue' ? venueUuid(league, Number(id)) : gameUuid(league, Number(id));
}

describe('a team of MSF', () => {
  const team = (league: League, abbreviation: string) => serviceUuid('team', league, abbreviation);

  it('is that of its abbreviation or an alias of one, in any case', () => {
    assert.equal(teamUuid('NBA', 'BOS', 82), team('NBA', 'BOS'));
    assert.equal(teamUuid('NBA', 'BRO', 84), team('NBA', 'BKN'));
    assert.equal(teamUuid('NBA', 'okl', 96), team('NBA', 'OKC'));
    assert.equal(teamUuid('NHL', 'BOS', 11), team('NHL', 'BOS'));
    assert.equal(isInTable('NBA', 'BRO'), true);
  });
  it('is one of its own where the table knows none, and none without an id', () => {
    assert.equal(teamUuid('NBA', 'XYZ', 999), serviceUuid('msf', 'team', 'NBA', '999'));
    assert.equal(teamUuid('NBA', null, 999), serviceUuid('msf', 'team', 'NBA', '999'));
    assert.equal(teamUuid('NBA', 'XYZ', null), null);
    assert.equal(isInTable('NBA', 'XYZ'), false);
  });
  it('of colleges has the abbreviation made from what MSF calls it', () => {
    assert.equal(teamUuid('NCAAM', 'Texas A&M', 1), team('NCAAM', 'TEXASAM'));
    assert.equal(teamUuid('NCAAM', '?', 1), serviceUuid('msf', 'team', 'NCAAM', '1'));
  });
  it('is in a game the side of its id, whatever abbreviation stands beside it', () => {
    const sides = { away: { id: 82, abbreviation: 'BOS' }, home: { id: 86, abbreviation: 'CLE' } };
    assert.equal(teamUuidIn('NBA', sides, { id: 86, abbreviation: null }), team('NBA', 'CLE'));
    assert.equal(teamUuidIn('NBA', sides, { id: 82, abbreviation: 'CLE' }), team('NBA', 'BOS'));
    assert.equal(teamUuidIn('NBA', sides, { id: 84, abbreviation: 'BRO' }), team('NBA', 'BKN'));
    assert.equal(teamUuidIn('NBA', sides, { id: null, abbreviation: 'CLE' }), team('NBA', 'CLE'));
    const nameless = { away: { id: null, abbreviation: 'BOS' }, home: { id: null, abbreviation: 'CLE' } };
    assert.equal(teamUuidIn('NBA', nameless, { id: null, abbreviation: 'MIA' }), team('NBA', 'MIA'));
  });
});

describe('a game of MSF', () => {
  it('has the id that its event founds under the source msf', () => {
    assert.equal(gameUuid('NBA', 42070), serviceUuid('msf', gameEventId('NBA', 42070)));
  });
});
