// Where teams come from: the reference table for four leagues, the names themselves for NCAAM (quotes.md, "Resolving the game").
import { type TeamRow, teamRows } from '../../schemas/reference/teams.ts';
import type { CatalogTeam } from '../ports/catalog/games.ts';
import { TeamDirectory, teamId } from './team-directory.ts';

/** The teams of the reference table, each with its aliases. */
export function referenceTeams(): { team: CatalogTeam; aliases: readonly string[] }[] {
  return teamRows.map((row) => ({ team: teamOf(row), aliases: row[7] }));
}

/** A directory of the reference table. */
export function referenceDirectory(): TeamDirectory {
  const directory = new TeamDirectory();
  for (const { team, aliases } of referenceTeams()) {
    directory.add(team);
    for (const alias of aliases) directory.addAlias(alias, team);
  }
  return directory;
}

function teamOf([league, abbreviation, name, city, nickname, conference, division]: TeamRow): CatalogTeam {
  return {
    id: teamId(league, abbreviation),
    league,
    name,
    abbreviation,
    city: city === '' ? null : city,
    nickname,
    conference,
    division,
    is_active: true,
  };
}

const abbreviationLength = 12;

/** The abbreviation made from the name of a team of NCAAM; empty when no letter or digit is in it. */
export function abbreviationFromName(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, abbreviationLength);
}

/**
 * A team of NCAAM as it appears: its abbreviation is the first 12 of `[A-Z0-9]` of the upper-cased name; on collision the last
 * character becomes 2 … 9, then the last two 10 … 99. Null when that gives none: the name stays unknown.
 */
export function appearingTeam(league: string, name: string, directory: TeamDirectory): CatalogTeam | null {
  const first = abbreviationFromName(name);
  if (first === '') return null;
  const free = (abbreviation: string) => !directory.hasAbbreviation(league, abbreviation);
  let abbreviation = first;
  for (let count = 2; !free(abbreviation); count += 1) {
    if (count > 99) return null;
    abbreviation = first.slice(0, count < 10 ? -1 : -2) + count;
  }
  return {
    id: teamId(league, abbreviation),
    league,
    name,
    abbreviation,
    city: null,
    nickname: null,
    conference: null,
    division: null,
    is_active: true,
  };
}
