// Resolves a push (docs/quotes.md#resolving-the-game): loads what the catalog knows of it, calls the pure `resolvePush`, stores the result.
// Runs under one lock of the whole catalog: if two pushes would found the same game, the second finds it.
import { unknownTeams } from '../../core/games/founding.ts';
import type { BoundEvent, KnownGame, UnboundEvent } from '../../core/games/push-facts.ts';
import { PushedEvents } from '../../core/games/pushed-events.ts';
import { type GameResolution, resolvePush } from '../../core/games/resolve.ts';
import type { TeamDirectory } from '../../core/games/team-directory.ts';
import { isCanonicalUuid } from '../../core/games/uuid.ts';
import type { EventLookup, Founder, GameLookup, GameWarning, Resolution } from '../../core/ports/catalog/games.ts';
import { easternDate } from '../../core/time/eastern-date.ts';
import { type Micros, microsPerHour } from '../../core/units.ts';
import { foundingsLeftOf, noteFounded } from './games-founded.ts';
import { knownGameColumns, type StoredGame, toStoredGame } from './games-rows.ts';
import type { Sql, SqlRow } from './sql.ts';
import { storeResolutions } from './store-resolutions.ts';
import { addTakenAbbreviations, readDirectory, type SourceTeamName } from './teams-store.ts';
import { timestampText } from './values.ts';

/** Held while games are found, founded or minted. */
const gamesLock = 7_305_133_102;

/** How far around an event's start games of its teams are loaded: see `Known` of core/games/resolve.ts. */
const twoDays: Micros = 48 * microsPerHour;

/** An answer and its game, for the cache of known games. */
export type StoredResolution = { answer: Resolution; game: StoredGame | null };

/** Locks finding, founding and minting games until the transaction ends. */
export async function lockGames(tx: Sql): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [gamesLock]);
}

/** Which source owns the event ids, who is charged for new games, and the whole push if it is resolved in parts. */
export type Resolving = { source: string; founder: Founder; whole?: PushedEvents };

/** The events of a push, so that it can be resolved in parts. */
export async function readPushedEvents(
  sql: Sql,
  source: string,
  lookups: readonly GameLookup[],
): Promise<PushedEvents> {
  return new PushedEvents(lookups, await readDirectory(sql, source, namesOf(lookups.filter(isEvent))));
}

/** Resolves the lookups in order and stores what is new. */
export async function resolveInTransaction(
  tx: Sql,
  by: Resolving,
  lookups: readonly GameLookup[],
): Promise<StoredResolution[]> {
  const { source, founder } = by;
  await lockGames(tx);
  const { resolutions, stored } = await resolved(tx, by, lookups);
  await storeResolutions(tx, source, resolutions);
  await noteFounded(tx, founder, resolutions.filter(({ kind }) => kind === 'new').length);
  return resolutions.map((resolution) => answerOf(resolution, stored));
}

/** What `resolveInTransaction` would answer now, without the lock; nothing is stored. */
export async function foreseen(sql: Sql, by: Resolving, lookups: readonly GameLookup[]): Promise<Resolution[]> {
  const { resolutions, stored } = await resolved(sql, by, lookups);
  return resolutions.map((resolution) => answerOf(resolution, stored).answer);
}

async function resolved(
  tx: Sql,
  { source, founder, whole }: Resolving,
  lookups: readonly GameLookup[],
): Promise<{ resolutions: GameResolution[]; stored: ReadonlyMap<string, StoredGame> }> {
  const events = lookups.filter(isEvent);
  const names = namesOf(events);
  const teams = await readDirectory(tx, source, names);
  const left = await foundingsLeftOf(tx, founder);
  if (left.mayFound > 0) await addTakenAbbreviations(tx, teams, names);
  const stored = await readGames(tx, source, lookups, teams);
  const bound = await readBindings(
    tx,
    source,
    events.map((event) => event.eventId),
    [...stored.keys()],
  );
  const known = { teams, games: [...stored.values()], events: bound.events, unbound: bound.unbound, ...left };
  return { resolutions: resolvePush(source, lookups, known, whole), stored };
}

function isEvent(lookup: GameLookup): lookup is EventLookup {
  return lookup.by === 'event';
}

function namesOf(events: readonly EventLookup[]): SourceTeamName[] {
  return events.flatMap(({ league, homeTeam, awayTeam }) => [
    { league, name: homeTeam },
    { league, name: awayTeam },
  ]);
}

async function readGames(
  tx: Sql,
  source: string,
  lookups: readonly GameLookup[],
  teams: TeamDirectory,
): Promise<Map<string, StoredGame>> {
  const named = lookups.flatMap((lookup) => (lookup.by === 'id' ? [lookup.gameId] : []));
  const events = lookups.filter(isEvent);
  const meetings = meetingsOf(events, teams).flatMap((meeting) => [
    meeting,
    { ...meeting, home: meeting.away, away: meeting.home },
  ]);
  // One query for the games of two teams, however many of their events are in the push.
  const { rows } = await tx.query(
    `select ${knownGameColumns} from games g where g.id = any ($1::uuid[]) or g.public_id = any ($2::text[])
     union
     select ${knownGameColumns} from games g join game_events e on e.game_uuid = g.id
     where e.source = $3 and e.event_id = any ($4::text[])
     union
     select ${knownGameColumns} from unnest($5::text[], $6::uuid[], $7::uuid[], $8::tstzmultirange[], $9::int4multirange[])
       as m (league, home, away, times, dates)
     join games g on g.league = m.league and g.home_team_id = m.home and g.away_team_id = m.away
       and (g.first_start <@ m.times or g.scheduled_start <@ m.times
         or substring(g.public_id from '_([0-9]{8})(?:_[0-9]+)?$')::int <@ m.dates)`,
    [
      named.map((id) => id.toLowerCase()).filter(isCanonicalUuid),
      named.map((id) => id.toUpperCase()),
      source,
      events.map((event) => event.eventId),
      meetings.map(({ league }) => league),
      meetings.map(({ home }) => home),
      meetings.map(({ away }) => away),
      meetings.map(({ spans }) => multirange(spans, timestampText)),
      meetings.map(({ spans }) => multirange(spans, compactDate)),
    ],
    'games_of_push',
  );
  return new Map(rows.map((row) => [row.id as string, toStoredGame(row)]));
}

/** The date as in game ids: 20260805. */
const compactDate = (at: Micros): string => easternDate(at).replaceAll('-', '');

type Span = { from: Micros; to: Micros };

/** Two teams with the time spans around the events between them, which do not overlap. */
type Meeting = { league: string; home: string; away: string; spans: Span[] };

/** A multirange that includes both ends of each span. */
function multirange(spans: readonly Span[], write: (at: Micros) => string): string {
  return `{${spans.map(({ from, to }) => `[${write(from)},${write(to)}]`).join(',')}}`;
}

function meetingsOf(events: readonly EventLookup[], teams: TeamDirectory): Meeting[] {
  const byPair = new Map<string, Meeting>();
  for (const { league, homeTeam, awayTeam, commenceTime } of events) {
    const home = teams.find(league, homeTeam);
    const away = teams.find(league, awayTeam);
    if (home === null || away === null) continue;
    const pair = `${home.id} ${away.id}`;
    const meeting = byPair.get(pair) ?? { league, home: home.id, away: away.id, spans: [] };
    meeting.spans.push({ from: commenceTime - twoDays, to: commenceTime + twoDays });
    byPair.set(pair, meeting);
  }
  return [...byPair.values()].map((meeting) => ({ ...meeting, spans: joined(meeting.spans) }));
}

function joined(spans: Span[]): Span[] {
  const stretches: Span[] = [];
  for (const span of spans.sort((a, b) => a.from - b.from)) {
    const last = stretches.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else stretches.push(span);
  }
  return stretches;
}

async function readBindings(
  tx: Sql,
  source: string,
  eventIds: readonly string[],
  gameUuids: readonly string[],
): Promise<{ events: BoundEvent[]; unbound: UnboundEvent[] }> {
  const { rows } = await tx.query(
    `select event_id, league, game_uuid, commence_time, lost from game_events
     where source = $1 and (event_id = any ($2::text[]) or game_uuid = any ($3::uuid[]))`,
    [source, eventIds, gameUuids],
    'bindings_of_push',
  );
  return {
    events: rows.filter((row) => row.game_uuid !== null).map(toBoundEvent),
    unbound: rows
      .filter((row) => row.lost !== 0)
      .map((row) => ({ eventId: row.event_id as string, lost: row.lost as number })),
  };
}

function toBoundEvent(row: SqlRow): BoundEvent {
  return {
    eventId: row.event_id as string,
    league: row.league as string,
    gameUuid: row.game_uuid as string,
    commenceTime: row.commence_time as Micros,
  };
}

/** The warning per game, computed once: thousands of events of a push may refer to one game. */
const unminted = new WeakMap<KnownGame, GameWarning | null>();

function warningOf(resolution: Exclude<GameResolution, { kind: 'refused' }>): GameWarning | null {
  if (resolution.kind === 'new') return resolution.warning;
  const { game } = resolution;
  const known = unminted.get(game);
  const warning = known === undefined ? unknownTeams(game) : known;
  if (known === undefined) unminted.set(game, warning);
  return warning;
}

function answerOf(resolution: GameResolution, stored: ReadonlyMap<string, StoredGame>): StoredResolution {
  if (resolution.kind === 'refused') {
    return { answer: { kind: 'refused', code: resolution.code, detail: resolution.detail }, game: null };
  }
  // A game that this push has founded is not in `stored`.
  const game = stored.get(resolution.game.uuid) ?? {
    ...resolution.game,
    startLogged: false,
    settled: false,
  };
  return {
    game,
    answer: {
      kind: 'resolved',
      game: {
        uuid: game.uuid,
        gameId: game.publicId ?? game.uuid,
        league: game.league,
        settled: game.settled,
        startToLog: game.startLogged ? null : { scheduledStart: game.firstStart, source: game.founderSource },
        warning: warningOf(resolution),
      },
    },
  };
}
