// Where teams come from: the reference table, or the names in pushes in leagues whose teams appear (docs/quotes.md#resolving-the-game).
import { createHash } from 'node:crypto';
import { type TeamRow, teamRows } from '../../schemas/reference/teams.ts';
import type { CatalogTeam } from '../ports/catalog/games.ts';
import { TeamDirectory, teamId } from './team-directory.ts';

/** The teams of the reference table, each with its aliases. */
export function referenceTeams(): { team: CatalogTeam; aliases: readonly string[] }[] {
  return Object.entries(teamRows).flatMap(([league, rows]) =>
    rows.map((row) => ({ team: teamOf(league, row), aliases: row[6] })),
  );
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

function teamOf(league: string, row: TeamRow): CatalogTeam {
  const [abbreviation, name, city, nickname, conference, division] = row;
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

/** The abbreviation made from the name of a team that appears; empty if the name has no letter or digit. */
export function abbreviationFromName(name: string): string {
  return name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, abbreviationLength);
}

/**
 * Abbreviations for a team that appears, in the order in which they are tried: the first 12 of `[A-Z0-9]` of the upper-cased name; the same with
 * 2 … 9 as the last character; with 10 … 99 as the last two; with six characters of the name's hash as the last six. Other sources can take
 * the earlier ones with names of their choice; the last belongs to this name alone. Empty if the name has no letter or digit.
 */
export function abbreviationsOf(name: string): string[] {
  const first = abbreviationFromName(name);
  if (first === '') return [];
  const numbered = Array.from({ length: mostNumber - 1 }, (_, at) => first.slice(0, at < 8 ? -1 : -2) + (at + 2));
  return [first, ...numbered, ownAbbreviation(name)];
}

/** The last of `abbreviationsOf`. */
function ownAbbreviation(name: string): string {
  return abbreviationFromName(name).slice(0, -shortDigestLength) + shortDigest(name);
}

const mostNumber = 99;
const shortDigestLength = 6;
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The first six characters of the base32 (RFC 4648) of the SHA-256 of a name. */
function shortDigest(name: string): string {
  const bits = createHash('sha256').update(name, 'utf8').digest().readUInt32BE(0);
  return Array.from({ length: shortDigestLength }, (_, at) => base32[(bits >>> (27 - 5 * at)) & 31]).join('');
}

export type Appearance =
  | { kind: 'team'; team: CatalogTeam }
  /** The name has no letter or digit: the team stays unknown. */
  | { kind: 'nameless' }
  /** Other teams have taken every abbreviation that this name could have. */
  | { kind: 'crowded' };

/** Creates a team that appears, under its first free abbreviation. */
export function appearingTeam(league: string, name: string, directory: TeamDirectory): Appearance {
  const abbreviations = abbreviationsOf(name);
  if (abbreviations.length === 0) return { kind: 'nameless' };
  const abbreviation = abbreviations.find((each) => !directory.hasAbbreviation(league, each));
  if (abbreviation === undefined) return { kind: 'crowded' };
  const unknown = { city: null, nickname: null, conference: null, division: null };
  const team = { id: teamId(league, abbreviation), league, name, abbreviation, ...unknown, is_active: true };
  return { kind: 'team', team };
}

/** The message for a name that has no abbreviation left. */
export function crowdedOut(league: string, name: string): string {
  const quoted = JSON.stringify(name);
  return `no abbreviation is left for the ${league} team ${quoted}; the administrator names it: ./sds teams alias ${league} ${quoted} ABBREVIATION`;
}
