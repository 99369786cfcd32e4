import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { BoundEvent, KnownGame, PushFacts } from '../../../core/games/push-facts.ts';
import { PushedEvents } from '../../../core/games/pushed-events.ts';
import { type GameResolution, resolvePush } from '../../../core/games/resolve.ts';
import { teamId } from '../../../core/games/team-directory.ts';
import { abbreviationsOf, referenceDirectory } from '../../../core/games/teams.ts';
import { serviceUuid } from '../../../core/games/uuid.ts';
import type { GameLookup } from '../../../core/ports/catalog/games.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { microsPerHour } from '../../../core/units.ts';
import { growthOf } from '../../support/processes/cost-growth.ts';

const start = parseRfc3339('2026-07-04T17:00:00Z') as number;
const hours = (count: number) => count * microsPerHour;
const teams = referenceDirectory();

function lookup(eventId: string, time = start, home = 'NYM', away = 'CHC', league = 'MLB'): GameLookup {
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
    founderSource: 'first',
    boundBy: { source: 'first', eventId: 'f1' },
    ...given,
  };
}

function bound(eventId: string, gameUuid: string, commenceTime = start): BoundEvent {
  return { eventId, league: 'MLB', gameUuid, commenceTime };
}

function resolve(
  lookups: readonly GameLookup[],
  games: readonly KnownGame[] = [],
  events: readonly BoundEvent[] = [],
  more: Partial<PushFacts> = {},
): GameResolution[] {
  const known: PushFacts = { teams, games, events, unbound: [], mayFound: 5_000, ...more };
  return resolvePush('s', lookups, known);
}

const shown = (resolution: GameResolution | undefined) =>
  resolution?.kind === 'refused'
    ? resolution.code
    : `${resolution?.kind} ${resolution?.game.publicId ?? resolution?.game.uuid}`;
const one = (time: number, games: readonly KnownGame[], events: readonly BoundEvent[] = []) =>
  shown(resolve([lookup('e', time)], games, events)[0]);

const created = 'new MLB_CHC_NYM_20260704';

describe('a known event', () => {
  it('is its game, whatever teams and start it names', () => {
    const events = [bound('e', 'g1')];
    for (const said of [
      lookup('e'),
      lookup('e', start + hours(100)),
      lookup('e', start, 'CHC', 'NYM'),
      lookup('e', start, 'Nobody', 'Nobody'),
    ]) {
      assert.equal(shown(resolve([said], [game('g1')], events)[0]), 'known MLB_CHC_NYM_20260704');
    }
  });

  it('reports its newest start', () => {
    const [same] = resolve([lookup('e')], [game('g1')], [bound('e', 'g1')]);
    const [moved] = resolve([lookup('e', start + 1)], [game('g1')], [bound('e', 'g1')]);
    assert.ok(same?.kind === 'known' && moved?.kind === 'known');
    assert.equal(same.event, null);
    assert.deepEqual(moved.event, bound('e', 'g1', start + 1));
  });

  it('of another league is refused', () => {
    assert.equal(
      shown(resolve([lookup('e', start, 'PHI', 'DET', 'NFL')], [game('g1')], [bound('e', 'g1')])[0]),
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

  it('is not a game that another event of this source is bound to', () => {
    assert.equal(one(start, [game('g1')], [bound('other', 'g1')]), 'new MLB_CHC_NYM_20260704_2');
    const [first, second] = resolve([lookup('a'), lookup('b')], [game('g1')]);
    assert.deepEqual([shown(first), shown(second)], ['matched MLB_CHC_NYM_20260704', 'new MLB_CHC_NYM_20260704_2']);
  });

  it('has the same teams in the same places, in the same league', () => {
    assert.equal(shown(resolve([lookup('e', start, 'NYM', 'STL')], [game('g1')])[0]), 'new MLB_STL_NYM_20260704');
    assert.equal(
      shown(resolve([lookup('e', start, 'new york mets', 'chicago cubs')], [game('g1')])[0]),
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

  it('counts another event by the start it reported last', () => {
    const far = game('g2', { firstStart: start + hours(30), scheduledStart: start + hours(30) });
    const events = [bound('other', 'g2', start + hours(5))];
    assert.match(one(start + hours(4), [game('g1'), far], events), /^new/);
    const [, moved] = resolve(
      [lookup('other', start + hours(30)), lookup('e', start + hours(4))],
      [game('g1'), far],
      events,
    );
    assert.equal(shown(moved), 'matched MLB_CHC_NYM_20260704');
    const [before] = resolve(
      [lookup('e', start + hours(4)), lookup('other', start + hours(30))],
      [game('g1'), far],
      events,
    );
    assert.match(shown(before), /^new/);
  });

  it('counts the events of the push, those behind it too', () => {
    const [first, second] = resolve([lookup('v', start + hours(3) + 1), lookup('w', start + hours(6))], [game('g1')]);
    assert.deepEqual([shown(first), shown(second)], ['new MLB_CHC_NYM_20260704_2', 'new MLB_CHC_NYM_20260704_3']);
    const [alone, same] = resolve([lookup('v', start + hours(4)), lookup('v', start + hours(6))], [game('g1')]);
    assert.deepEqual([shown(alone), shown(same)], ['matched MLB_CHC_NYM_20260704', 'known MLB_CHC_NYM_20260704']);
  });
});

describe('teams the other way round', () => {
  it('within 12 hours are a conflict', () => {
    const turned = (time: number) => shown(resolve([lookup('e', time, 'CHC', 'NYM')], [game('g1')])[0]);
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
    const answers = resolve([lookup('a'), lookup('b', start, 'CHC', 'NYM'), lookup('c', start, 'STL', 'PIT')]);
    assert.deepEqual(answers.map(shown), [created, 'game-conflict', 'new MLB_PIT_STL_20260704']);
  });
});

describe('a new game', () => {
  it('has the UUID of its source and event, and is minted at once', () => {
    const [resolution] = resolve([lookup('e')]);
    assert.ok(resolution?.kind === 'new');
    const founder = { founderSource: 's', boundBy: { source: 's', eventId: 'e' } };
    assert.deepEqual(resolution.game, { ...game('g1'), uuid: serviceUuid('s', 'e'), ...founder });
    assert.deepEqual(resolution.event, bound('e', serviceUuid('s', 'e')));
    assert.deepEqual([resolution.newTeams, resolution.warning], [[], null]);
  });

  it('of an unknown team is not minted, and the result names the team', () => {
    const [resolution, again] = resolve([
      lookup('e', start, 'London Monarchs', 'DET', 'NFL'),
      lookup('e', start, 'London Monarchs', 'DET', 'NFL'),
    ]);
    assert.ok(resolution?.kind === 'new');
    assert.deepEqual(
      [resolution.game.publicId, resolution.game.homeTeamId, resolution.game.homeName],
      [null, null, 'London Monarchs'],
    );
    assert.equal(resolution.game.awayName, 'Detroit Lions');
    assert.match(resolution.warning?.detail ?? '', /London Monarchs/);
    assert.equal(again?.kind, 'known');
  });

  it('beside another of the same teams, day and source has a warning; beside that of another source it has none', () => {
    const [first, second] = resolve([lookup('a'), lookup('b', start + 60_000_000)]);
    assert.ok(first?.kind === 'new' && second?.kind === 'new');
    assert.deepEqual([first.warning, second.warning?.code], [null, 'second-game']);
    assert.match(second.warning?.detail ?? '', /MLB_CHC_NYM_20260704_2 beside MLB_CHC_NYM_20260704,/);
    const [later] = resolve([lookup('c')], [game('g1')], [bound('a', 'g1')]);
    assert.ok(later?.kind === 'new');
    assert.equal(later.warning?.code, 'second-game');
    const [known] = resolve([lookup('a')], [game('g1')], [bound('a', 'g1')]);
    assert.equal(known?.kind, 'known');
    for (const [apart, code] of [
      [hours(12), 'second-game'],
      [hours(12) + 1, undefined],
    ] as const)
      for (const time of [start - apart, start + apart]) {
        const [other] = resolve([lookup('d', time)], [game('g1')], [bound('a', 'g1')]);
        assert.ok(other?.kind === 'new');
        assert.equal(other.warning?.code, code, String(apart));
      }
  });

  it('has two different teams', () => {
    assert.equal(shown(resolve([lookup('e', start, 'NYM', 'New York Mets')])[0]), 'bad-event');
  });

  it('brings teams of NCAAM with it, each once', () => {
    const college = (eventId: string, home: string, away: string) => lookup(eventId, start, home, away, 'NCAAM');
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
    assert.equal(teams.find('NCAAM', 'Duke'), null, 'the given directory stays as it was');
  });
});

describe('a game the other way round', () => {
  const turned = (given: Partial<KnownGame> = {}) =>
    game('g1', { homeTeamId: teamId('MLB', 'CHC'), awayTeamId: teamId('MLB', 'NYM'), ...given });

  it('is named in the refusal, with its founder and the remedy', () => {
    const [answer] = resolve([lookup('e')], [turned({ boundBy: { source: 'second', eventId: 'x 1' } })]);
    assert.ok(answer?.kind === 'refused' && answer.code === 'game-conflict');
    assert.match(answer.detail, /within 12 hours in MLB_CHC_NYM_20260704, which first founded/);
    assert.match(answer.detail, /sds games unbind second "x 1" --yes/);
  });

  it('keeps no game away once no event is bound to it', () => {
    assert.match(shown(resolve([lookup('e')], [turned({ boundBy: null })])[0]), /^new/);
  });
});

describe('a game that no event is bound to', () => {
  const empty = (uuid: string) => game('g1', { uuid, publicId: 'MLB_CHC_NYM_20260704', boundBy: null });

  it('matches no event, but is found by its id', () => {
    assert.equal(one(start, [empty('g1')]), 'new MLB_CHC_NYM_20260704_2');
    const [named] = resolve([{ by: 'id', gameId: 'MLB_CHC_NYM_20260704' }], [empty('g1')]);
    assert.equal(named?.kind, 'known');
  });

  it('is bound again by the event that founded it, if that event still names it', () => {
    const own = serviceUuid('s', 'e');
    const more = { unbound: [{ eventId: 'e', lost: 1 }] };
    const again = resolve([lookup('e'), lookup('other')], [empty(own)], [], more);
    assert.deepEqual(again.map(shown), ['matched MLB_CHC_NYM_20260704', 'new MLB_CHC_NYM_20260704_2']);
    const [turned] = resolve([lookup('e', start, 'CHC', 'NYM')], [empty(own)], [], more);
    assert.ok(turned?.kind === 'new');
    assert.deepEqual([turned.game.uuid, turned.game.publicId], [serviceUuid('/1', 's', 'e'), 'MLB_NYM_CHC_20260704']);
    const [twice] = resolve([lookup('e', start, 'STL', 'PIT')], [], [], { unbound: [{ eventId: 'e', lost: 2 }] });
    assert.equal(twice?.kind === 'new' && twice.game.uuid, serviceUuid('/2', 's', 'e'));
  });
});

describe('a source that may found no more games', () => {
  it('is refused new ones, and keeps those that are known', () => {
    const lookups = [
      lookup('a', start, 'STL', 'PIT'),
      lookup('known'),
      lookup('b', start, 'LAD', 'SD'),
      lookup('matched', start + hours(100)),
      lookup('a', start, 'STL', 'PIT'),
    ];
    const later = game('g2', { firstStart: start + hours(100), scheduledStart: start + hours(100) });
    const answers = resolve(lookups, [game('g1'), later], [bound('known', 'g1')], { mayFound: 1 });
    assert.deepEqual(answers.map(shown), [
      'new MLB_PIT_STL_20260704',
      'known MLB_CHC_NYM_20260704',
      'too-many-games',
      'matched MLB_CHC_NYM_20260704_2',
      'known MLB_PIT_STL_20260704',
    ]);
    const [, , refusal] = answers;
    assert.match(refusal?.kind === 'refused' ? refusal.detail : '', /5000 games on this UTC day.*midnight UTC/);
  });

  it('brings no teams', () => {
    const [refusal] = resolve([lookup('a', start, 'Duke', 'Iowa', 'NCAAM')], [], [], { mayFound: 0 });
    assert.equal(shown(refusal), 'too-many-games');
  });
});

it('a college without a free abbreviation is refused, with the advice to add an alias', () => {
  const crowded = referenceDirectory();
  for (const abbreviation of abbreviationsOf('Duke')) crowded.addAbbreviation('NCAAM', abbreviation);
  const [answer] = resolve([lookup('a', start, 'Duke', 'Iowa', 'NCAAM')], [], [], { teams: crowded });
  assert.ok(answer?.kind === 'refused' && answer.code === 'bad-event');
  assert.match(answer.detail, /no abbreviation is left .* "Duke".* \.\/sds teams alias NCAAM "Duke"/);
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
    const answers = resolve([lookup('e'), { by: 'id', gameId: 'MLB_CHC_NYM_20260704' }]);
    assert.deepEqual(answers.map(shown), [created, 'known MLB_CHC_NYM_20260704']);
  });
});

it('tens of thousands of events between two teams cost what thousands do, each', () => {
  const count = 20_000;
  const near = Array.from({ length: count }, (_, index) => lookup(`n${index}`, start + index));
  const far = Array.from({ length: count }, (_, index) => lookup(`f${index}`, start + index * 13 * microsPerHour));
  const turned = Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? lookup(`t${index}`, start + index * 26 * microsPerHour)
      : lookup(`t${index}`, start + index * 26 * microsPerHour, 'CHC', 'NYM'),
  );
  for (const lookups of [near, far, turned]) {
    const large = () => assert.equal(resolve(lookups).length, count);
    const few = lookups.slice(0, count / 32);
    const growth = growthOf(large, () => assert.equal(resolve(few).length, few.length), 32);
    assert.ok(growth < 5, `${growth} times the cost of each`);
  }
});

describe('a part of a push', () => {
  it('knows of the events of the same teams in the other parts, by any of their names', () => {
    const night = game('g1', { firstStart: start + hours(6), scheduledStart: start + hours(6) });
    const afternoon = lookup('dh1');
    const part = (whole: readonly GameLookup[]) =>
      shown(
        resolvePush(
          's',
          [afternoon],
          { teams, games: [night], events: [], unbound: [], mayFound: 1 },
          new PushedEvents(whole, teams),
        )[0],
      );
    const other = lookup('dh2', start + hours(6), 'New York Mets', 'chicago cubs');
    assert.equal(part([afternoon, other]), 'new MLB_CHC_NYM_20260704_2');
    assert.equal(part([afternoon, afternoon]), 'matched MLB_CHC_NYM_20260704');
    assert.equal(part([afternoon, lookup('dh2', start + hours(13))]), 'matched MLB_CHC_NYM_20260704');
    assert.equal(part([afternoon, lookup('dh2', start + hours(6), 'CHC', 'NYM')]), 'matched MLB_CHC_NYM_20260704');
  });

  it('knows of them before their teams have appeared', () => {
    const named = (eventId: string, time: number, home: string): GameLookup =>
      lookup(eventId, time, home, 'Somewhere State', 'NCAAM');
    const events = new PushedEvents([named('e1', start, 'Nowhere Tech'), named('e2', start, 'Elsewhere')], teams);
    const sides = { league: 'NCAAM', awayTeam: 'somewhere state' };
    assert.equal(events.hasOtherNear({ ...sides, homeTeam: 'NOWHERE TECH' }, 'e3', start + hours(12)), true);
    assert.equal(events.hasOtherNear({ ...sides, homeTeam: 'NOWHERE TECH' }, 'e1', start), false);
    assert.equal(events.hasOtherNear({ ...sides, homeTeam: 'Anywhere' }, 'e3', start), false);
  });
});

describe('a push that may found no game', () => {
  it("creates no team, whose abbreviation could be another team's", () => {
    const colleges = referenceDirectory();
    const abbreviation = 'NORTHCAROLIN';
    const known = { city: null, nickname: null, conference: null, division: null, is_active: true };
    const state = { id: teamId('NCAAM', abbreviation), league: 'NCAAM', name: 'North Carolina State', abbreviation };
    const duke = { id: teamId('NCAAM', 'DUKE'), league: 'NCAAM', name: 'Duke', abbreviation: 'DUKE' };
    // The catalog finds North Carolina State by its names only; these are not among the push's.
    colleges.addAppeared({ ...duke, ...known });
    const stated = game('g1', { league: 'NCAAM', homeTeamId: state.id, awayTeamId: duke.id });
    const event = lookup('e', start, 'North Carolina Central', 'Duke', 'NCAAM');
    assert.deepEqual(resolve([event], [stated], [], { teams: colleges, mayFound: 0 }).map(shown), ['too-many-games']);
  });
});
