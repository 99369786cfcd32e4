// Claim: whatever teams there are, a college that appears gets the abbreviation that a second reading of docs/quotes.md gives it, or none
// where that finds none left. A violation would need another order of candidates, another digest, or an undetected collision.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { TeamDirectory } from '../../../core/games/team-directory.ts';
import { abbreviationsOf, appearingTeam } from '../../../core/games/teams.ts';
import { newAbbreviation, type Team } from '../../oracle/games.ts';

/** Names that collide (few letters, few lengths), and arbitrary ones. */
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'A', 'b', '1', '2', ' ', '-', 'é'), minLength: 1, maxLength: 14 }),
  fc.integer({ min: 0, max: 400 }).map((nth) => `North Carolina ${'.'.repeat(nth)}`),
  fc.string({ maxLength: 30, unit: 'binary' }).filter((text) => text.isWellFormed()),
);

describe('the abbreviation of a college', () => {
  it('is the one that the rules give it', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 150 }), (names) => {
        const directory = new TeamDirectory();
        const taken: Team[] = [];
        for (const each of names) {
          if (directory.find('NCAAM', each) !== null) continue;
          const appearance = appearingTeam('NCAAM', each, directory);
          if (appearance.kind === 'crowded') assert.throws(() => newAbbreviation(taken, each));
          else {
            const abbreviation = appearance.kind === 'team' ? appearance.team.abbreviation : '';
            assert.equal(abbreviation, newAbbreviation(taken, each), each);
            if (appearance.kind !== 'team') continue;
            assert.match(abbreviation, /^[A-Z0-9]{1,12}$/);
            directory.addAppeared(appearance.team);
            taken.push({ league: 'NCAAM', abbreviation, name: each, aliases: [] });
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is its own where others have taken all the numbered ones, and none where they have that too', () => {
    const real = 'North Carolina Tar Heels';
    const directory = new TeamDirectory();
    const others = Array.from({ length: 99 }, (_, nth) => `North Carolin ${'!'.repeat(nth)}`);
    const taken: Team[] = [];
    for (const each of others) {
      const appearance = appearingTeam('NCAAM', each, directory);
      assert.ok(appearance.kind === 'team');
      directory.addAppeared(appearance.team);
      taken.push({ ...appearance.team, aliases: [] });
    }
    const appearance = appearingTeam('NCAAM', real, directory);
    assert.ok(appearance.kind === 'team');
    assert.equal(appearance.team.abbreviation, newAbbreviation(taken, real));
    assert.match(appearance.team.abbreviation, /^NORTHC[A-Z2-7]{6}$/);
    directory.addAbbreviation('NCAAM', appearance.team.abbreviation);
    assert.equal(appearingTeam('NCAAM', real, directory).kind, 'crowded');
    assert.equal(abbreviationsOf(real).length, 100);
  });
});
