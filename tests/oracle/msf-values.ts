// The meaning of values in MSF bodies, for the naive rows: docs/revisions.md#ids. Every value is read anew; nothing of
// the product is imported.
import { exactOf, fixed, roundHalfEven } from './exact.ts';
import { uuid5 } from './games.ts';
import { saidOf } from './leagues.ts';
import { readTime, writeTime } from './times.ts';

export type Value = unknown;
export type Row = Value[];

/** A feed's current element, as JSON.parse gave it, and when it was first requested. */
export type OracleFeed = { feed: string; element: Value; since: number };

/** `teams`: from `<LEAGUE>/<any name in lower case>` to the abbreviation. */
export type OracleGame = { league: string; id: string; gameId: number; teams: ReadonlyMap<string, string> };

type Team = { id: number | null; abbreviation: string | null };
export type Sides = { away: Team; home: Team } | null;

export function at(value: Value, ...path: (string | number)[]): Value {
  let found = value;
  for (const step of path) {
    const isThere = typeof step === 'number' ? Array.isArray(found) : isObject(found);
    found = isThere && Object.hasOwn(found as object, step) ? (found as Record<string, Value>)[step] : null;
  }
  return found ?? null;
}

export function isObject(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const list = (value: Value): Value[] => (Array.isArray(value) ? value : []);
export const text = (value: Value): string | null => (typeof value === 'string' ? value : null);

export function integer(value: Value, least: number, most: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value + 0 : null;
}
export const int32 = (value: Value): number | null => integer(value, -(2 ** 31), 2 ** 31 - 1);
export const id = (value: Value): number | null => integer(value, -(2 ** 53) + 1, 2 ** 53 - 1);

export function time(value: Value): string | null {
  const micros = typeof value === 'string' ? readTime(value) : undefined;
  return micros === undefined ? null : writeTime(micros);
}

export function dec124(value: Value): string | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  const units = roundHalfEven(exactOf(String(value)), 10_000n);
  return units < 10n ** 12n && units > -(10n ** 12n) ? fixed(units, 4) : null;
}

/** RFC 8785. */
export function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

function team(value: Value): Team | null {
  const found = { id: id(at(value, 'id')), abbreviation: text(at(value, 'abbreviation')) };
  return found.id === null && found.abbreviation === null ? null : found;
}

/** "Resolves by its abbreviation; inside a game's body its id is compared with `awayTeam.id` and `homeTeam.id` first." */
export function teamId(game: OracleGame, sides: Sides, value: Value): string | null {
  const named = team(value);
  if (named === null) return null;
  const side =
    sides === null || named.id === null ? [] : [sides.away, sides.home].filter((each) => each.id === named.id);
  const { id: number, abbreviation } = side[0] ?? named;
  const { league, teams } = game;
  const made = saidOf(league).appear
    ? (abbreviation ?? '')
        .toUpperCase()
        .replace(/[^A-Z0-9]/g, '')
        .slice(0, 12)
    : undefined;
  const known = made ?? teams.get(`${league}/${(abbreviation ?? '').toLowerCase()}`) ?? '';
  if (known !== '') return uuid5(`team/${league}/${known}`);
  return number === null ? null : uuid5(`msf/team/${league}/${number}`);
}

export function sidesOf(game: Value): Sides {
  const of = (side: string): Team => ({
    id: id(at(game, `${side}Team`, 'id')),
    abbreviation: text(at(game, `${side}Team`, 'abbreviation')) ?? text(at(game, `${side}TeamAbbreviation`)),
  });
  return { away: of('away'), home: of('home') };
}
export const gameObjectOf = ({ feed, element }: OracleFeed): Value =>
  feed === 'games' ? at(element, 'games', 0, 'schedule') : at(element, 'game');
/** Whether the element names its game: elements of a test name it completely or not at all. */
export const namesGame = (feed: OracleFeed): boolean => id(at(gameObjectOf(feed), 'id')) !== null;

export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
