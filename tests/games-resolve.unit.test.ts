import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type BoundEvent,
  type GameResolution,
  type Known,
  type KnownGame,
  resolvePush,
} from '../core/games/resolve.ts';
import { teamId } from '../core/games/team-directory.ts';
import { referenceDirectory } from '../core/games/teams.ts';
import { serviceUuid } from '../core/games/uuid.ts';
import type { GameReference } from '../core/ports/catalog/games.ts';
import { parseRfc3339 } from '../core/time/rfc3339.ts';
import { microsPerHour } from '../core/units.ts';

const start = parseRfc3339('2026-07-04T17:00:00Z') as number;
const hours = (count: number) => count * microsPerHour;
const teams = referenceDirectory();

function reference(eventId: string, time = start, home = 'NYM', away = 'CHC', league = 'MLB'): GameReference {
  return { by: 'event', league, eventId, homeTeam: home, awayTeam: away, commenceTime: time };
}

function game(uuid: string, given: Partial<KnownGame> = {}): KnownGame {
  return {
    uuid,
    publicId: `MLB_CHC_NYM_20260704${uuid === 'g1' ? '' : `_${uuid.slice(1)}`}`,
    league: 'MLB',
    homeName: 'New York Mets',
    awayName: 'Chicago Cubs',
    homeTeamId: teamId('MLB', 'NYM'),
    awayTeamId: teamId('MLB', 'CHC'),
    firstStart: start,
    scheduledStart: start,
    ...given,
  };
}

function bound(eventId: string, gameUuid: string, commenceTime = start): BoundEvent {
  return { eventId, league: 'MLB', gameUuid, commenceTime };
}

function resolve(
  references: readonly GameReference[],
  games: readonly KnownGame[] = [],
  events: readonly BoundEvent[] = [],
): GameResolution[] {
  const known: Known = { teams, games, events };
  return resolvePush('s', references, known);
}

const shown = (resolution: GameResolution | undefined) =>
  resolution?.kind === 'refused'
    ? resolution.code
    : `${resolution?.kind} ${resolution?.game.publicId ?? resolution?.game.uuid}`;
const one = (time: number, games: readonly KnownGame[], events: readonly BoundEvent[] = []) =>
  shown(resolve([reference('e', time)], games, events)[0]);

const created = 'new MLB_CHC_NYM_20260704';

describe('a known event', () => {
  it('is its game, whatever it says', () => {
    const events = [bound('e', 'g1')];
    for (const said of [
      reference('e'),
      reference('e', start + hours(100)),
      reference('e', start, 'CHC', 'NYM'),
      reference('e', start, 'Nobody', 'Nobody'),
    ]) {
      assert.equal(shown(resolve([said], [game('g1')], events)[0]), 'known MLB_CHC_NYM_20260704');
    }
  });

  it('tells its newest start', () => {
    const [same] = resolve([reference('e')], [game('g1')], [bound('e', 'g1')]);
    const [moved] = resolve([reference('e', start + 1)], [game('g1')], [bound('e', 'g1')]);
    assert.ok(same?.kind === 'known' && moved?.kind === 'known');
    assert.equal(same.event, null);
    assert.deepEqual(moved.event, bound('e', 'g1', start + 1));
  });

  it('of another league is refused', () => {
    assert.equal(
      shown(resolve([reference('e', start, 'PHI', 'DET', 'NFL')], [game('g1')], [bound('e', 'g1')])[0]),
      'game-conflict',
    );
  });
});

describe('the nearest game', () => {
  it('is at most 12 hours away', () => {
    assert.equal(one(start + hours(12), [game('g1')]), 'matched MLB_CHC_NYM_20260704');
    assert.equal(one(start - hours(12), [game('g1')]), 'matched MLB_CHC_NYM_20260704');
    assert.equal(one(start + hours(12) + 1, [game('g1')]), 'new MLB_CHC_NYM_20260705');
    assert.equal(one(start - hours(12) - 1, [game('g1')]), 'new MLB_CHC_NYM_20260704_2');
  });

  it('counts by its current or first start', () => {
    const moved = game('g1', { scheduledStart: start + hours(48) });
    for (const time of [start - hours(12), start + hours(12), start + hours(36), start + hours(60)]) {
      assert.equal(one(time, [moved]), 'matched MLB_CHC_NYM_20260704');
    }
    assert.match(one(start + hours(24), [moved]), /^new/);
  });

  it('is the nearer one; of two equally near the earlier; of two at once the smaller id', () => {
    const early = game('g2', { firstStart: start - hours(2), scheduledStart: start - hours(2) });
    const late = game('g1', { firstStart: start + hours(2), scheduledStart: start + hours(2) });
    assert.match(one(start + 1, [early, late]), /0704$/);
    assert.match(one(start - 1, [early, late]), /_2$/);
    assert.match(one(start, [late, early]), /_2$/);
    assert.match(one(start, [early, late]), /_2$/);
    const nines = game('g9', { firstStart: start - hours(2), scheduledStart: start - hours(2) });
    const tens = game('g10', { firstStart: start - hours(2), scheduledStart: start - hours(2) });
    assert.match(one(start, [nines, tens]), /_10$/);
  });

  it('is not one that another event of this source has', () => {
    assert.equal(one(start, [game('g1')], [bound('other', 'g1')]), 'new MLB_CHC_NYM_20260704_2');
    const [first, second] = resolve([reference('a'), reference('b')], [game('g1')]);
    assert.deepEqual([shown(first), shown(second)], ['matched MLB_CHC_NYM_20260704', 'new MLB_CHC_NYM_20260704_2']);
  });

  it('has the same teams in the same places, in the same league', () => {
    assert.equal(shown(resolve([reference('e', start, 'NYM', 'STL')], [game('g1')])[0]), 'new MLB_STL_NYM_20260704');
    assert.equal(
      shown(resolve([reference('e', start, 'new york mets', 'chicago cubs')], [game('g1')])[0]),
      'matched MLB_CHC_NYM_20260704',
    );
  });

  it('is at most 3 hours away beside another event of this source with these teams', () => {
    const far = game('g2', { firstStart: start + hours(12), scheduledStart: start + hours(12) });
    const events = [bound('other', 'g2', start + hours(12))];
    assert.equal(one(start + hours(3), [game('g1'), far], events), 'matched MLB_CHC_NYM_20260704');
    assert.equal(one(start + hours(3) + 1, [game('g1'), far], events), 'new MLB_CHC_NYM_20260704_3');
    assert.equal(
      one(start - 1, [game('g1'), far], events),
      'matched MLB_CHC_NYM_20260704',
      'the other one is too far off',
    );
    assert.equal(one(start - hours(4), [game('g1'), far], events), 'matched MLB_CHC_NYM_20260704');
  });

  it('counts another event by the start it told last', () => {
    const far = game('g2', { firstStart: start + hours(30), scheduledStart: start + hours(30) });
    const events = [bound('other', 'g2', start + hours(5))];
    assert.match(one(start + hours(4), [game('g1'), far], events), /^new/);
    const [, moved] = resolve(
      [reference('other', start + hours(30)), reference('e', start + hours(4))],
      [game('g1'), far],
      events,
    );
    assert.equal(shown(moved), 'matched MLB_CHC_NYM_20260704');
    const [before] = resolve(
      [reference('e', start + hours(4)), reference('other', start + hours(30))],
      [game('g1'), far],
      events,
    );
    assert.match(shown(before), /^new/);
  });

  it('counts the events of the push, those behind it too', () => {
    const [first, second] = resolve(
      [reference('v', start + hours(3) + 1), reference('w', start + hours(6))],
      [game('g1')],
    );
    assert.deepEqual([shown(first), shown(second)], ['new MLB_CHC_NYM_20260704_2', 'new MLB_CHC_NYM_20260704_3']);
    const [alone, same] = resolve([reference('v', start + hours(4)), reference('v', start + hours(6))], [game('g1')]);
    assert.deepEqual([shown(alone), shown(same)], ['matched MLB_CHC_NYM_20260704', 'known MLB_CHC_NYM_20260704']);
  });
});

describe('teams the other way round', () => {
  it('within 12 hours are a conflict', () => {
    const turned = (time: number) => shown(resolve([reference('e', time, 'CHC', 'NYM')], [game('g1')])[0]);
    assert.equal(turned(start), 'game-conflict');
    assert.equal(turned(start + hours(12)), 'game-conflict');
    assert.equal(turned(start - hours(12)), 'game-conflict');
    assert.equal(turned(start + hours(12) + 1), 'new MLB_NYM_CHC_20260705');
    assert.equal(turned(start - hours(12) - 1), 'new MLB_NYM_CHC_20260704');
  });

  it('are none where a game matches', () => {
    const turned = game('g2', { homeTeamId: teamId('MLB', 'CHC'), awayTeamId: teamId('MLB', 'NYM') });
    assert.equal(one(start, [turned, game('g1')]), 'matched MLB_CHC_NYM_20260704');
  });

  it('conflict within one push, and neighbours go on', () => {
    const answers = resolve([reference('a'), reference('b', start, 'CHC', 'NYM'), reference('c', start, 'STL', 'PIT')]);
    assert.deepEqual(answers.map(shown), [created, 'game-conflict', 'new MLB_PIT_STL_20260704']);
  });
});

describe('a new game', () => {
  it('has the UUID of its source and event, and is minted at once', () => {
    const [resolution] = resolve([reference('e')]);
    assert.ok(resolution?.kind === 'new');
    assert.deepEqual(resolution.game, { ...game('g1'), uuid: serviceUuid('s', 'e') });
    assert.deepEqual(resolution.event, bound('e', serviceUuid('s', 'e')));
    assert.deepEqual([resolution.newTeams, resolution.warning], [[], null]);
  });

  it('of an unknown team is not minted, and says so', () => {
    const [resolution, again] = resolve([
      reference('e', start, 'London Monarchs', 'DET', 'NFL'),
      reference('e', start, 'London Monarchs', 'DET', 'NFL'),
    ]);
    assert.ok(resolution?.kind === 'new');
    assert.deepEqual(
      [resolution.game.publicId, resolution.game.homeTeamId, resolution.game.homeName],
      [null, null, 'London Monarchs'],
    );
    assert.equal(resolution.game.awayName, 'Detroit Lions');
    assert.match(resolution.warning ?? '', /London Monarchs/);
    assert.equal(again?.kind, 'known');
  });

  it('has two different teams', () => {
    assert.equal(shown(resolve([reference('e', start, 'NYM', 'New York Mets')])[0]), 'bad-event');
  });

  it('brings teams of NCAAM with it, each once', () => {
    const college = (eventId: string, home: string, away: string) => reference(eventId, start, home, away, 'NCAAM');
    const answers = resolve([
      college('a', 'Duke', 'Iowa'),
      college('b', 'DUKE', 'Troy'),
      college('b', 'Miami-FL', 'Noone'),
      college('c', 'Miami (FL)', 'Miami FL'),
    ]);
    assert.deepEqual(answers.map(shown), [
      'new NCAAM_IOWA_DUKE_20260704',
      'new NCAAM_TROY_DUKE_20260704',
      'known NCAAM_TROY_DUKE_20260704',
      'new NCAAM_MIAMIF2_MIAMIFL_20260704',
    ]);
    const brought = answers.flatMap((answer) =>
      answer.kind === 'new' ? [answer.newTeams.map((team) => team.name)] : [],
    );
    assert.deepEqual(brought, [['Duke', 'Iowa'], ['Troy'], ['Miami (FL)', 'Miami FL']]);
    assert.equal(teams.find('NCAAM', 'Duke'), null, 'the directory that was given has grown');
  });
});

describe('a game named by its id', () => {
  const answer = (gameId: string) =>
    shown(resolve([{ by: 'id', gameId }], [game('g1'), game('g2', { publicId: null })])[0]);

  it('is found in any case, by public id or UUID', () => {
    assert.equal(answer('MLB_CHC_NYM_20260704'), 'known MLB_CHC_NYM_20260704');
    assert.equal(answer('mlb_chc_nym_20260704'), 'known MLB_CHC_NYM_20260704');
    assert.equal(answer('G2'), 'known g2');
    assert.equal(answer('MLB_CHC_NYM_20260705'), 'bad-event');
  });

  it('may be one that the push has just founded', () => {
    const answers = resolve([reference('e'), { by: 'id', gameId: 'MLB_CHC_NYM_20260704' }]);
    assert.deepEqual(answers.map(shown), [created, 'known MLB_CHC_NYM_20260704']);
  });
});

it('tens of thousands of events between two teams are resolved in moments', () => {
  const count = 20_000;
  const near = Array.from({ length: count }, (_, index) => reference(`n${index}`, start + index));
  const far = Array.from({ length: count }, (_, index) => reference(`f${index}`, start + index * 13 * microsPerHour));
  const turned = Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? reference(`t${index}`, start + index * 26 * microsPerHour)
      : reference(`t${index}`, start + index * 26 * microsPerHour, 'CHC', 'NYM'),
  );
  const began = performance.now();
  for (const references of [near, far, turned]) assert.equal(resolve(references).length, count);
  assert.ok(performance.now() - began < 20_000, 'the work grows with the square of the events');
});
