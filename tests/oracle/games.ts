// The catalog of games in memory: resolving teams and games, minting ids. docs/quotes.md#resolving-the-game;
// docs/interface.md#game-id; docs/revisions.md#ids. A game has its first known start, and the current one, which the
// fold reports.
import { createHash } from 'node:crypto';
import { leaguesSaid } from './leagues.ts';
import type { GameReference } from './observation.ts';
import { byBytes } from './quote.ts';
import { easternDate, hour } from './times.ts';

export interface Team {
  league: string;
  abbreviation: string;
  name: string;
  aliases: string[];
}

export interface Game {
  uuid: string;
  league: string;
  /** `undefined` until both teams are known. */
  publicId: string | undefined;
  /** `undefined` if the name is unknown; such a side equals no other. */
  home: Team | undefined;
  away: Team | undefined;
  firstStart: bigint;
  currentStart: bigint;
  /** "The source whose event first resolved to it" (docs/quotes.md#scheduled-start). */
  firstSource: string;
}

/** An event of a source, the game it belongs to, and the start that its newest record gave. */
interface KnownEvent {
  source: string;
  eventId: string;
  game: Game;
  start: bigint;
}

export interface Catalog {
  teams: Team[];
  games: Game[];
  events: KnownEvent[];
}

const namespace = '6321b946-2ff2-50d9-9172-1e5014bdb14a';

/** Reads `teams.csv`. No field of it has a comma. */
export function readTeams(csv: string): Team[] {
  return csv
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => {
      const [league = '', abbreviation = '', name = '', , , , , aliases = ''] = line.split(',');
      return { league, abbreviation, name, aliases: aliases.split(';').filter((alias) => alias !== '') };
    });
}

export function emptyCatalog(teams: Team[]): Catalog {
  return { teams: teams.map((team) => ({ ...team })), games: [], events: [] };
}

/** UUIDv5 (RFC 9562) in the project's namespace. */
export function uuid5(name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest();
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.subarray(0, 16).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export function idOf(game: Game): string {
  return game.publicId ?? game.uuid;
}

export function findById(catalog: Catalog, gameId: string): Game | undefined {
  return catalog.games.find((game) => game.uuid === gameId || game.publicId === gameId);
}

/** "Teams resolve through `teams.csv`, case-insensitively; a name or abbreviation beats an alias." */
function findTeam(catalog: Catalog, league: string, words: string): Team | undefined {
  const wanted = words.toLowerCase();
  const ofLeague = catalog.teams.filter((team) => team.league === league);
  return (
    ofLeague.find((team) => team.name.toLowerCase() === wanted || team.abbreviation.toLowerCase() === wanted) ??
    ofLeague.find((team) => team.aliases.some((alias) => alias.toLowerCase() === wanted))
  );
}

/** "A team is created when a source first names it." */
function resolveTeam(catalog: Catalog, league: string, words: string): Team | undefined {
  const found = findTeam(catalog, league, words);
  if (found !== undefined || leaguesSaid[league]?.appear !== true) return found;
  const ofLeague = catalog.teams.filter((team) => team.league === league);
  const abbreviation = newAbbreviation(ofLeague, words);
  // A name without any of these letters and digits gives no abbreviation: the team stays unknown.
  if (abbreviation === '') return undefined;
  const team: Team = { league, abbreviation, name: words, aliases: [] };
  catalog.teams.push(team);
  return team;
}

/**
 * "The first 12 of `[A-Z0-9]` of the upper-cased name; on collision its last character becomes 2 … 9, then the last two
 * 10 … 99, then the last six are the first six of the upper-case base32 of SHA-256 of the name."
 */
export function newAbbreviation(taken: Team[], name: string): string {
  const first = name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 12);
  if (first === '') return '';
  const candidates = [first];
  for (let number = 2; number <= 99; number += 1) {
    candidates.push(`${first.slice(0, number <= 9 ? -1 : -2)}${number}`);
  }
  candidates.push(first.slice(0, -6) + base32(createHash('sha256').update(name, 'utf8').digest()).slice(0, 6));
  const free = candidates.find((candidate) => taken.every((team) => team.abbreviation !== candidate));
  if (free === undefined) throw new Error(`no abbreviation is left for ${name}`);
  return free;
}

/** RFC 4648, without padding. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

function apart(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}

/** The start of `game`, current or first known, that is nearest to `start`; of two equally near, the earlier one. */
function nearestStart(game: Game, start: bigint): bigint {
  const known = [game.currentStart, game.firstStart].sort((a, b) => (a < b ? -1 : 1));
  const nearest = known.toSorted((a, b) => Number(apart(a, start) - apart(b, start)));
  return nearest[0]!;
}

/**
 * The game of one event, created if there is none; or `game-conflict`. `push` has every reference of the same push,
 * this one included.
 */
export function resolveGame(
  catalog: Catalog,
  source: string,
  event: GameReference,
  push: readonly GameReference[],
): Game | 'game-conflict' {
  if (event.gameId !== undefined) return findById(catalog, event.gameId)!;
  const start = event.start!;

  // "Known (source, event id) → that game."
  const known = catalog.events.find((other) => other.source === source && other.eventId === event.eventId);
  if (known !== undefined) {
    known.start = start;
    return known.game;
  }

  const home = resolveTeam(catalog, event.league, event.home);
  const away = resolveTeam(catalog, event.league, event.away);
  const bothKnown = home !== undefined && away !== undefined;
  const between = (game: Game, one: Team | undefined, other: Team | undefined): boolean =>
    bothKnown && game.home === one && game.away === other;

  // "At most 12 hours away (3 hours when the catalog or this push holds another event of this source with these teams
  // within 12 hours of this one)."
  const others = [
    ...catalog.events
      .filter((other) => other.source === source && between(other.game, home, away))
      .map((other) => ({ eventId: other.eventId, start: other.start })),
    ...push
      .filter((other) => other.gameId === undefined && other.league === event.league)
      .filter((other) => findTeam(catalog, event.league, other.home) === home)
      .filter((other) => findTeam(catalog, event.league, other.away) === away)
      .map((other) => ({ eventId: other.eventId, start: other.start! })),
  ].filter((other) => other.eventId !== event.eventId);
  const farthest = others.some((other) => apart(other.start, start) <= 12n * hour) ? 3n * hour : 12n * hour;

  const free = catalog.games
    .filter((game) => between(game, home, away))
    .filter((game) => !catalog.events.some((entry) => entry.source === source && entry.game === game))
    .map((game) => ({ game, start: nearestStart(game, start) }))
    .filter((found) => apart(found.start, start) <= farthest);
  // "Nearest …; ties: the earlier start, then the smaller public id."
  free.sort((a, b) => {
    if (apart(a.start, start) !== apart(b.start, start)) return apart(a.start, start) < apart(b.start, start) ? -1 : 1;
    if (a.start !== b.start) return a.start < b.start ? -1 : 1;
    return byBytes(idOf(a.game), idOf(b.game));
  });
  let game = free[0]?.game;

  if (game === undefined) {
    // "Where no game matched and the same two teams stand the other way round within 12 hours: `game-conflict`."
    const turned = catalog.games.filter((other) => between(other, away, home));
    if (turned.some((other) => apart(nearestStart(other, start), start) <= 12n * hour)) return 'game-conflict';

    game = {
      uuid: uuid5(`${source}/${event.eventId}`),
      league: event.league,
      publicId: undefined,
      home,
      away,
      firstStart: start,
      currentStart: start,
      firstSource: source,
    };
    // "Minted at once when both teams are known."
    if (bothKnown) game.publicId = mint(catalog, event.league, away, home, start);
    catalog.games.push(game);
  }
  catalog.events.push({ source, eventId: event.eventId, game, start });
  return game;
}

/** `<LEAGUE>_<AWAY>_<HOME>_<YYYYMMDD>`; "the second game minted for the same teams and date takes the suffix `_2`". */
function mint(catalog: Catalog, league: string, away: Team, home: Team, start: bigint): string {
  const base = `${league}_${away.abbreviation}_${home.abbreviation}_${easternDate(start)}`;
  const taken = (id: string): boolean => catalog.games.some((game) => game.publicId === id);
  if (!taken(base)) return base;
  let number = 2;
  while (taken(`${base}_${number}`)) number += 1;
  return `${base}_${number}`;
}
