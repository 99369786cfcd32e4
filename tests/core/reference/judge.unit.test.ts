// Whom reference data is about, and what of it is refused: the pure rules behind the gateway's `reference` route and the fold of its topic
// (docs/revisions.md#ids; docs/quotes.md#resolving-the-game; docs/operations.md#push-gateway).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { everything } from '../../../core/access/feed-grant.ts';
import { teamId } from '../../../core/games/team-directory.ts';
import { referenceDirectory } from '../../../core/games/teams.ts';
import { teamUuid } from '../../../core/msf/ids.ts';
import {
  identifyElements,
  type KnownReference,
  nameOf,
  ownId,
  type ReferenceIdentity,
} from '../../../core/reference/identify.ts';
import { recordRefusal } from '../../../core/reference/judge.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { adaptReferencePush } from '../../../ingest/adapters/reference.ts';
import { openCodec } from '../../../platform/avro/codec.ts';
import { eventSchema } from '../../../platform/avro/event-schemas.ts';
import type { GamesRecord } from '../../../schemas/events/games.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { cases } from '../../support/arbitraries/cases.ts';

type Outcome = string | { id: string; team: string | null; abbreviation: string | null };

/** The result of each element of a push: a code and pointer, or whom it is about. */
function outcomes(body: unknown, known: Partial<KnownReference> = {}, source = 'feed'): Outcome[] {
  const adapted = runToEnd(adaptReferencePush(Buffer.from(JSON.stringify(body)), everything));
  if (adapted.kind === 'malformed') return [`malformed ${adapted.detail}`];
  const read = adapted.elements.flatMap((each) => (each.kind === 'read' ? [each.element] : []));
  const all = { teams: referenceDirectory(), ids: new Map(), playerLeagues: new Map<string, string>(), ...known };
  const identities = identifyElements(source, read, all).values();
  return adapted.elements.map((each): Outcome => {
    if (each.kind === 'refused') return `${each.refusal.code} ${each.refusal.pointer}`;
    const identity = identities.next().value as ReferenceIdentity;
    if (identity.kind === 'refused') return `${identity.refusal.code} ${identity.refusal.pointer}`;
    return { id: identity.id, team: identity.currentTeamId, abbreviation: identity.newTeam?.abbreviation ?? null };
  });
}

const team = (facts: object) => outcomes({ teams: [{ id: 't', league: 'MLB', name: 'X', ...facts }] })[0];
const player = (facts: object, known: Partial<KnownReference> = {}) =>
  outcomes({ players: [{ id: 'p', league: 'NBA', last_name: 'X', ...facts }] }, known)[0];
const known = (id: string) => ({ id, team: null, abbreviation: null });

describe('ids', () => {
  const file = new URL('../../vectors/msf/ids.json', import.meta.url);
  it('are those of the vectors', () => {
    const { cases } = JSON.parse(readFileSync(file, 'utf8')) as {
      cases: { uuid_name: string; expect: { uuid: string } }[];
    };
    const sourced = cases
      .map((one) => ({ ...one, parts: one.uuid_name.split('/') }))
      .filter(({ parts }) => parts.length === 4);
    for (const { parts, expect } of sourced) {
      const [source = '', kind, league = '', id = ''] = parts;
      if (kind === 'team' || kind === 'player' || kind === 'venue')
        assert.equal(ownId(source, kind, league, id), expect.uuid);
    }
    assert.ok(sourced.length >= 3);
  });
});

it('a body of which a list is replaced by a member of the same name is malformed: the elements of no other stand there', () => {
  for (const body of [
    '{"teams":[],"teams":0,"players":[1,2]}',
    '{"teams":[1,2],"teams":null,"players":[1,2]}',
    '{"teams":[1,2,3],"teams":null,"players":[1]}',
  ]) {
    const adapted = runToEnd(adaptReferencePush(Buffer.from(body), everything));
    assert.equal(adapted.kind, 'malformed', body);
  }
  const bytes = Buffer.from('{"teams":null,"players":[1, 2],"venues":0}');
  const adapted = runToEnd(adaptReferencePush(bytes, everything));
  assert.ok(adapted.kind === 'elements');
  assert.deepEqual(
    adapted.elements.map(({ start, end }) => bytes.toString('utf8', start, end)),
    ['1', '2'],
  );
});

describe('a team', () => {
  it('is found by name, by abbreviation, by another name — its own name first', () => {
    assert.deepEqual(team({ name: 'new york YANKEES' }), known(teamId('MLB', 'NYY')));
    assert.deepEqual(team({ abbreviation: 'nyy' }), known(teamId('MLB', 'NYY')));
    assert.deepEqual(team({ name: 'Cleveland Indians' }), known(teamId('MLB', 'CLE')));
    assert.deepEqual(team({ aliases: ['The Naps', 'CLE'] }), known(teamId('MLB', 'CLE')));
    assert.deepEqual(team({ name: 'Chicago Cubs', abbreviation: 'CWS' }), known(teamId('MLB', 'CHC')));
  });

  it('stays who it was when the source calls it otherwise', () => {
    const ids = new Map([[nameOf('team', 'MLB', 't'), teamId('MLB', 'ATH')]]);
    assert.deepEqual(outcomes({ teams: [{ id: 't', league: 'MLB', name: 'Boston Red Sox' }] }, { ids }), [
      known(teamId('MLB', 'ATH')),
    ]);
  });

  it('of NCAAM comes into being under the abbreviation made from its name', () => {
    const teams = ['North Carolina A&T', 'North Carolina Tar Heels', 'North Carolina Tar Heels'].map((name, id) => ({
      id,
      league: 'NCAAM',
      name,
      abbreviation: 'UNC',
    }));
    assert.deepEqual(
      outcomes({ teams }).map((each) => (each as { abbreviation: string | null }).abbreviation),
      ['NORTHCAROLIN', 'NORTHCAROLI2', null],
      'colleges share abbreviations: they tell nothing apart and nothing together',
    );
    const apart = teams.map(({ abbreviation: _, ...rest }) => rest);
    assert.deepEqual(outcomes({ teams: apart }), [
      { id: teamId('NCAAM', 'NORTHCAROLIN'), team: null, abbreviation: 'NORTHCAROLIN' },
      { id: teamId('NCAAM', 'NORTHCAROLI2'), team: null, abbreviation: 'NORTHCAROLI2' },
      known(teamId('NCAAM', 'NORTHCAROLI2')),
    ]);
    assert.deepEqual(outcomes({ teams: [{ id: 1, league: 'NCAAM', name: '東京' }] }), ['bad-team /name']);
  });

  it('that the reference table of its league does not know is its source’s, and needs an abbreviation that is free', () => {
    const id = ownId('feed', 'team', 'MLB', 't');
    assert.deepEqual(team({ name: 'Nashville Stars', abbreviation: 'nsh' }), { id, team: null, abbreviation: 'NSH' });
    assert.equal(team({ name: 'Nashville Stars' }), 'bad-team /abbreviation');
    assert.equal(team({ name: 'Nashville Stars', abbreviation: 'N.S.H.' }), 'bad-team /abbreviation');
  });
});

describe('a player', () => {
  const id = ownId('feed', 'player', 'NBA', 'p');
  const celtics = teamId('NBA', 'BOS');
  it('names its team by name, by the source’s id, by the canonical id, or not at all', () => {
    const ids = new Map([[nameOf('team', 'NBA', '82'), celtics]]);
    assert.deepEqual(player({ team: 'boston celtics' }), { ...known(id), team: celtics });
    assert.deepEqual(player({ team_id: 82 }, { ids }), { ...known(id), team: celtics });
    assert.deepEqual(player({ team_id: celtics.toUpperCase() }), { ...known(id), team: celtics });
    assert.deepEqual(player({ team_id: null }), known(id));
  });

  it('of a team that nobody knows, or of another league, is refused with unknown-team', () => {
    assert.equal(player({ team: 'Nobodies' }), 'unknown-team /team');
    assert.equal(player({ team_id: '83' }), 'unknown-team /team_id');
    assert.equal(player({ team_id: teamId('NHL', 'BOS') }), 'unknown-team /team_id');
  });

  it('is shared where it says with whom', () => {
    const shared = ownId('msf', 'player', 'NBA', '71');
    const playerLeagues = new Map([[shared, 'NBA']]);
    assert.deepEqual(player({ player_id: shared }, { playerLeagues }), known(shared));
    assert.equal(player({ player_id: shared }), 'unknown-player /player_id');
    const ids = new Map([[nameOf('player', 'NBA', 'p'), id]]);
    assert.equal(player({ player_id: shared }, { playerLeagues, ids }), 'id-conflict /player_id');
  });
});

describe('what msf names', () => {
  const own = (kind: 'player' | 'venue') => known(ownId('msf', kind, 'NBA', '71'));
  const shared = ownId('feed', 'player', 'NBA', '1');
  const ids = new Map([
    [nameOf('player', 'NBA', '71'), shared],
    [nameOf('venue', 'NBA', '71'), shared],
    [nameOf('team', 'NBA', '82'), teamId('NBA', 'LAL')],
  ]);
  const ofMsf = (body: unknown) => outcomes(body, { ids, playerLeagues: new Map([[shared, 'NBA']]) }, 'msf')[0];
  const [one, college] = [
    { id: 71, league: 'NBA', last_name: 'L', name: 'N' },
    { id: 7, league: 'NCAAM', name: 'Duke Blue Devils', abbreviation: 'DUKE' },
  ];

  it('has the ids that rows carry, whatever has been said of it', () => {
    assert.deepEqual(ofMsf({ players: [one] }), own('player'));
    assert.deepEqual(ofMsf({ venues: [one] }), own('venue'));
    assert.equal(ofMsf({ players: [{ ...one, player_id: shared }] }), 'id-conflict /player_id');
  });

  it('is a team by its abbreviation before its name, and before what it was', () => {
    const team = { id: 82, league: 'NBA', name: 'Los Angeles Lakers', abbreviation: 'BOS' };
    assert.deepEqual(ofMsf({ teams: [team] }), known(teamId('NBA', 'BOS')));
    assert.deepEqual(ofMsf({ teams: [{ ...team, id: 83, abbreviation: null }] }), known(teamId('NBA', 'LAL')));
    assert.deepEqual(ofMsf({ teams: [{ ...team, id: 83, name: 'New', abbreviation: 'SEA' }] }), {
      ...known(teamUuid('NBA', 'SEA', 83)),
      abbreviation: 'SEA',
    });
  });

  it('is a college by the abbreviation made from its abbreviation, under its name', () => {
    assert.deepEqual(ofMsf({ teams: [college] }), { ...known(teamUuid('NCAAM', 'DUKE', 7)), abbreviation: 'DUKE' });
    const teams = referenceDirectory();
    const identities = identifyElements(
      'msf',
      [
        {
          kind: 'team',
          league: 'NCAAM',
          sourceId: '7',
          facts: {
            ...college,
            aliases: [],
            city: null,
            nickname: null,
            conference: null,
            division: null,
            is_active: null,
          },
        },
      ],
      { teams, ids: new Map(), playerLeagues: new Map() },
    );
    const [identity] = identities;
    assert.equal(identity?.kind === 'identified' ? identity.newTeam?.name : null, 'Duke Blue Devils');
  });

  it('keeps its id in the log, too', () => {
    const record = (source: string, kind: 'player' | 'venue', id: string): GamesRecord => ({
      id,
      league: 'NBA',
      source,
      source_id: '71',
      received_at: 1,
      push: null,
      push_index: null,
      team: null,
      player:
        kind === 'player'
          ? {
              first_name: '',
              last_name: 'L',
              position: null,
              jersey_number: null,
              current_team_id: null,
              is_active: true,
            }
          : null,
      venue: kind === 'venue' ? { name: 'N', city: null, country: null } : null,
    });
    for (const kind of ['player', 'venue'] as const) {
      const key = ownId('msf', kind, 'NBA', '71');
      assert.equal(recordRefusal(key, record('msf', kind, key)), null);
      assert.equal(recordRefusal(key, record('msf', kind, shared))?.pointer, '/id');
      assert.equal(recordRefusal(ownId('feed', kind, 'NBA', '71'), record('feed', kind, shared)), null);
    }
  });
});

describe('a body', () => {
  it('has exactly one of the arrays', () => {
    for (const body of [[], {}, { teams: {} }, { teams: [], players: [] }, 7]) {
      assert.match(outcomes(body)[0] as string, /^malformed/, JSON.stringify(body));
    }
    assert.deepEqual(outcomes({ venues: [] }), []);
  });

  it('with a bad record loses that alone, with a pointer from the record', () => {
    const good = { id: 1, league: 'nhl', name: 'Rink' };
    const bad: [object | null, string][] = [
      [null, ''],
      [{ ...good, id: null }, '/id'],
      [{ ...good, id: '' }, '/id'],
      [{ ...good, league: 'KHL' }, '/league'],
      [{ ...good, name: 7 }, '/name'],
      [{ ...good, name: 'a\0b' }, '/name'],
      [{ ...good, name: 'x'.repeat(257) }, '/name'],
      [{ ...good, city: [] }, '/city'],
    ];
    const venues = [good, ...bad.map(([one]) => one), good];
    assert.deepEqual(
      outcomes({ venues }).slice(1, -1),
      bad.map(([, pointer]) => `bad-venue ${pointer}`),
    );
    const own = known(ownId('feed', 'venue', 'NHL', '1'));
    assert.deepEqual([outcomes({ venues })[0], outcomes({ venues }).at(-1)], [own, own]);
    assert.equal(player({ jersey_number: -1 }), 'bad-player /jersey_number');
    assert.equal(player({ is_active: 'yes' }), 'bad-player /is_active');
    assert.equal(team({ aliases: 'A' }), 'bad-team /aliases');
    assert.equal(team({ aliases: ['A', ''] }), 'bad-team /aliases/1');
    assert.equal(player({ position: 'x'.repeat(20_000) }), 'too-large ');
  });
});

// Claim: whatever a body contains, adapting and identifying it never throws, and the fold accepts every record made
// from it.
it('nothing that the gateway accepts is refused by the fold, and nothing throws', () => {
  const word = fc.oneof(
    fc.constantFrom('NBA', 'mlb', 'NCAAM', 'BOS', 'New York Yankees', '', 'a\0b', '\ud800', '__proto__'),
    fc.string({ maxLength: 12, unit: 'grapheme' }),
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
  );
  const members = [
    'id',
    'league',
    'name',
    'abbreviation',
    'city',
    'is_active',
    'first_name',
    'last_name',
    'position',
    'jersey_number',
    'team',
    'team_id',
    'player_id',
    'country',
  ];
  const element = fc
    .dictionary(fc.constantFrom(...members), word)
    .map((one) => ({ league: 'NBA', id: 1, name: 'N', last_name: 'L', ...one }));
  const codec = openCodec(eventSchema(topics.games));
  const decode = codec.decoderFrom(codec.schema);
  fc.assert(
    fc.property(
      fc.constantFrom('teams', 'players', 'venues'),
      fc.array(element, { maxLength: 5 }),
      (list, elements) => {
        const adapted = runToEnd(adaptReferencePush(Buffer.from(JSON.stringify({ [list]: elements })), everything));
        assert.equal(adapted.kind, 'elements');
        if (adapted.kind !== 'elements') return;
        const read = adapted.elements.flatMap((each) => (each.kind === 'read' ? [each.element] : []));
        const ids = {
          teams: referenceDirectory(),
          ids: new Map<string, string>(),
          playerLeagues: new Map<string, string>(),
        };
        for (const [at, identity] of identifyElements('feed', read, ids).entries()) {
          const one = read[at];
          if (identity.kind === 'refused' || one === undefined) continue;
          const record: GamesRecord = {
            id: identity.id,
            league: one.league,
            source: 'feed',
            source_id: one.sourceId,
            received_at: 1,
            push: 'rcpt',
            push_index: at,
            team: one.kind === 'team' ? one.facts : null,
            player: one.kind === 'player' ? { ...one.facts, current_team_id: identity.currentTeamId } : null,
            venue: one.kind === 'venue' ? one.facts : null,
          };
          const key = ownId('feed', one.kind, one.league, one.sourceId);
          const { value } = decode(codec.encode(1, record));
          assert.deepEqual(value, record);
          assert.equal(recordRefusal(key, value as GamesRecord), null);
        }
      },
    ),
    { numRuns: cases(500) },
  );
});
