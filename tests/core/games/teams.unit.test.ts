import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { TeamDirectory, teamId } from '../../../core/games/team-directory.ts';
import { type Appearance, appearingTeam, referenceDirectory, referenceTeams } from '../../../core/games/teams.ts';
import { isCanonicalUuid, serviceNamespace, serviceUuid, uuidV5 } from '../../../core/games/uuid.ts';
import type { CatalogTeam } from '../../../core/ports/catalog/games.ts';

const table = new URL('../../vectors/teams.csv', import.meta.url);

const appeared = (appearance: Appearance) => (appearance.kind === 'team' ? appearance.team : null);

describe('the reference table', () => {
  it('has every team of four leagues', () => {
    const counts = new Map<string, number>();
    for (const { team } of referenceTeams()) counts.set(team.league, (counts.get(team.league) ?? 0) + 1);
    assert.deepEqual([...counts].sort(), [
      ['MLB', 30],
      ['NBA', 30],
      ['NFL', 32],
      ['NHL', 32],
    ]);
  });

  it('equals teams.csv', () => {
    const lines = readFileSync(table, 'utf8').trim().split(/\r?\n/).slice(1);
    const ours = referenceTeams().map(({ team, aliases }) =>
      [
        team.league,
        team.abbreviation,
        team.name,
        team.city ?? '',
        team.nickname,
        team.conference,
        team.division,
        aliases.join(';'),
      ].join(','),
    );
    assert.deepEqual(ours, lines);
  });

  it('names no team by two names, and every team is found by all of its own', () => {
    const directory = referenceDirectory();
    for (const { team, aliases } of referenceTeams()) {
      for (const name of [team.name, team.abbreviation, ...aliases]) {
        for (const spelled of [name, name.toLowerCase(), name.toUpperCase()]) {
          assert.equal(directory.find(team.league, spelled)?.id, team.id, `${team.league} ${spelled}`);
        }
      }
      assert.match(team.abbreviation, /^[A-Z0-9]{1,12}$/);
    }
  });
});

describe('names', () => {
  const named = (abbreviation: string, name: string): CatalogTeam => ({
    ...(appeared(appearingTeam('NFL', name, new TeamDirectory())) as CatalogTeam),
    abbreviation,
    id: teamId('NFL', abbreviation),
  });

  it('find teams of their league only', () => {
    const directory = referenceDirectory();
    assert.equal(directory.find('NFL', 'phi')?.name, 'Philadelphia Eagles');
    assert.equal(directory.find('NBA', 'phi')?.name, 'Philadelphia 76ers');
    assert.equal(directory.find('NHL', 'montréal canadiens')?.abbreviation, 'MTL');
    assert.equal(directory.find('NFL', 'London Monarchs'), null);
    assert.equal(directory.find('XFL', 'PHI'), null);
    assert.equal(directory.find('NFL', ' PHI'), null);
  });

  it('beat aliases, also in a directory that grows over another', () => {
    const base = new TeamDirectory();
    base.add(named('LA', 'Somebody Else'));
    const directory = new TeamDirectory(base);
    const rams = named('LAR', 'Los Angeles Rams');
    directory.add(rams);
    directory.addAlias('LA', rams);
    directory.addAlias('Rams', rams);
    assert.equal(directory.find('NFL', 'la')?.name, 'Somebody Else');
    assert.equal(directory.find('NFL', 'rams')?.abbreviation, 'LAR');
    assert.equal(base.find('NFL', 'rams'), null);
    assert.ok(
      directory.hasAbbreviation('NFL', 'LA') &&
        directory.hasAbbreviation('NFL', 'LAR') &&
        !base.hasAbbreviation('NFL', 'LAR'),
    );
  });
});

describe('names of one source', () => {
  const college = (name: string) => appeared(appearingTeam('NCAAM', name, new TeamDirectory())) as CatalogTeam;
  const eagles = referenceDirectory().find('NFL', 'PHI') as CatalogTeam;
  const lions = referenceDirectory().find('NFL', 'DET') as CatalogTeam;

  it('rank after the reference table and names for all, and before teams created from names', () => {
    const all = referenceDirectory();
    all.addAlias('Birds', eagles);
    all.addAppeared(college('Duke Blue Devils'));
    const one = new TeamDirectory(all);
    for (const name of ['Philadelphia Eagles', 'phi', 'Birds', 'Lions of Detroit']) one.addReported(name, lions);
    one.addReported('Duke Blue Devils', college('Iowa'));
    const found = (league: string, name: string) => one.find(league, name)?.abbreviation;
    assert.deepEqual(
      ['Philadelphia Eagles', 'PHI', 'birds', 'LIONS of Detroit'].map((name) => found('NFL', name)),
      ['PHI', 'PHI', 'PHI', 'DET'],
    );
    assert.equal(found('NCAAM', 'duke blue devils'), 'IOWA');
    assert.equal(new TeamDirectory(all).find('NFL', 'Lions of Detroit'), null);
    assert.equal(all.find('NCAAM', 'Duke Blue Devils')?.abbreviation, 'DUKEBLUEDEVI');
  });

  it('name no team if the source gives one name to two teams', () => {
    const one = new TeamDirectory();
    one.addReported('Cats', eagles);
    one.addReported('Cats', eagles);
    assert.equal(one.find('NFL', 'cats')?.abbreviation, 'PHI');
    for (const team of [lions, eagles, lions]) one.addReported('Cats', team);
    assert.equal(one.find('NFL', 'cats'), null);
  });
});

describe('teams that appear', () => {
  const abbreviations = (names: readonly string[]) => {
    const directory = new TeamDirectory();
    return names.map((name) => {
      const known = directory.find('NCAAM', name);
      const team = known ?? appeared(appearingTeam('NCAAM', name, directory));
      if (team !== null && known === null) directory.addAppeared(team);
      return team?.abbreviation ?? null;
    });
  };

  it('are abbreviated to the first twelve letters and digits', () => {
    const names = ["St. John's Red Storm", 'San José State Spartans', 'UConn Huskies', 'Duke', 'duke', 'U', 'Straße 7'];
    assert.deepEqual(abbreviations(names), [
      'STJOHNSREDST',
      'SANJOSSTATES',
      'UCONNHUSKIES',
      'DUKE',
      'DUKE',
      'U',
      'STRASSE7',
    ]);
  });

  it('take a number for the end where another team has the abbreviation', () => {
    assert.deepEqual(
      abbreviations([
        'Mississippi Valley State',
        'Mississippi Valley',
        'Miami (FL)',
        'Miami FL',
        'MISSISSIPPI VALLEY',
        'Mississippi Valleys',
      ]),
      ['MISSISSIPPIV', 'MISSISSIPPI2', 'MIAMIFL', 'MIAMIF2', 'MISSISSIPPI2', 'MISSISSIPPI3'],
    );
    const many = abbreviations(Array.from({ length: 100 }, (_, index) => `Mississippi Valley ${'x'.repeat(index)}`));
    assert.deepEqual(many.slice(7, 11), ['MISSISSIPPI8', 'MISSISSIPPI9', 'MISSISSIPP10', 'MISSISSIPP11']);
    assert.deepEqual(many.slice(97), ['MISSISSIPP98', 'MISSISSIPP99', 'MISSISFCPTLW']);
    assert.equal(new Set(many).size, 100);
    assert.deepEqual(abbreviations(['A', 'A.', 'A-', 'A!']), ['A', '2', '3', '4']);
  });

  it('are none without a letter or digit', () => {
    assert.deepEqual(abbreviations(['大学', '---']), [null, null]);
  });
});

describe('name-based UUIDs', () => {
  it('are RFC 9562’s version 5', () => {
    const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
    assert.equal(uuidV5(dns, 'www.example.com'), '2ed6657d-e927-568b-95e1-2665a8aea6a2');
    assert.equal(uuidV5(dns, 'sports-data-service'), serviceNamespace);
    assert.equal(serviceUuid('odds', 'o1'), '6fe09b7a-1bf5-5485-90be-33b74433433e');
    assert.equal(teamId('NFL', 'PHI'), serviceUuid('team/NFL/PHI'));
  });

  it('are canonical in lower case with hyphens', () => {
    assert.ok(isCanonicalUuid(serviceNamespace));
    for (const text of [
      '',
      serviceNamespace.toUpperCase(),
      serviceNamespace.replaceAll('-', ''),
      `${serviceNamespace} `,
      `{${serviceNamespace}}`,
    ]) {
      assert.ok(!isCanonicalUuid(text), text);
    }
  });
});
