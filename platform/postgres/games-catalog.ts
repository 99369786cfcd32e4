// Games, teams and aliases. A push of cached events costs no round trip. Everything else goes through the serialised transaction of
// resolve-games.ts. This process runs one of these at a time, so that waiting pushes hold no connections. It resolves a limited number of
// lookups per turn and alternates between sources, so that a large push does not delay the others.
import { distinctLookups } from '../../core/games/distinct-lookups.ts';
import { foldTeamName } from '../../core/games/team-directory.ts';
import { referenceTeams } from '../../core/games/teams.ts';
import { isCanonicalUuid } from '../../core/games/uuid.ts';
import type {
  CatalogGame,
  GameLookup,
  GameOfTeams,
  GamesCatalog,
  GamesQuery,
  OfferedQuery,
  Resolution,
} from '../../core/ports/catalog/games.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { openFairMutex } from './fair-mutex.ts';
import { eventsOf, unbindEvent, watchUnbound } from './game-bindings.ts';
import { moveByHand } from './game-status.ts';
import { gameIdOf, isSettled, selectGames, toGame, toTeam } from './games-rows.ts';
import { KnownGames } from './known-games.ts';
import { isNewest } from './live-catalog.ts';
import { mintWaiting } from './mint-waiting.ts';
import { reportedNames, unresolvedGames } from './reported-names.ts';
import { foreseen, lockGames, type Resolving, readPushedEvents, resolveInTransaction } from './resolve-games.ts';
import { inTransaction } from './retryable.ts';
import type { Sql } from './sql.ts';
import { teamsCalled } from './teams-called.ts';
import { readDirectory, storeAlias, storeTeams, yieldAbbreviations } from './teams-store.ts';
import { textParameter } from './values.ts';

/** Longest text of a lookup: a longer one is no real name, and does not fit an index. */
const maxTextLength = 500;

/** Lookups resolved in one transaction, during which all other pushes wait. */
const lookupsPerTransaction = 100;

/** Lookups resolved by one query without effects; it takes no lock, so other pushes do not wait for it. */
const lookupsPerQuery = 1_000;

export function openGamesCatalog(sql: Sql): GamesCatalog {
  const known = new KnownGames();
  const inTurn = openFairMutex();

  /** Resolves a push in parts of `most` distinct lookups, by `resolveSome`. */
  async function inParts(
    by: Resolving,
    lookups: readonly GameLookup[],
    most: number,
    resolveSome: (by: Resolving, lookups: readonly GameLookup[]) => Promise<readonly Resolution[]>,
  ): Promise<readonly Resolution[]> {
    const remembered = known.answers(by.source, lookups);
    if (remembered !== null) return remembered;
    const { distinct, placeOf } = distinctLookups(lookups);
    const part = distinct.length <= most ? by : { ...by, whole: await readPushedEvents(sql, by.source, distinct) };
    const answers: Resolution[] = [];
    for (let from = 0; from < distinct.length; from += most)
      answers.push(...(await resolveSome(part, distinct.slice(from, from + most))));
    return placeOf.map((place) => answers[place] as Resolution);
  }

  async function resolveSome(by: Resolving, lookups: readonly GameLookup[]): Promise<readonly Resolution[]> {
    const { source } = by;
    const remembered = known.answers(source, lookups);
    if (remembered !== null) return remembered;
    return inTurn(source, async () => {
      const meanwhile = known.answers(source, lookups);
      if (meanwhile !== null) return meanwhile;
      const { era } = known;
      const resolutions = await inTransaction(sql, (tx) => resolveInTransaction(tx, by, lookups));
      known.remember(source, lookups, resolutions, era);
      return resolutions.map((resolution) => resolution.answer);
    });
  }

  async function foreseeSome(by: Resolving, lookups: readonly GameLookup[]): Promise<readonly Resolution[]> {
    return known.answers(by.source, lookups) ?? (await foreseen(sql, by, lookups));
  }

  return {
    resolve: (source, lookups, founder = { source, key: null }) =>
      ofFit(lookups, (fit) => inParts({ source, founder }, fit, lookupsPerTransaction, resolveSome)),
    foresee: (source, lookups, founder = { source, key: null }) =>
      ofFit(lookups, (fit) => inParts({ source, founder }, fit, lookupsPerQuery, foreseeSome)),
    async startsLogged(uuids) {
      await startsLogged(sql, uuids);
      known.noteLogged(uuids);
    },
    gamesOfEvents: (source, eventIds) => gamesOfEvents(sql, source, eventIds),
    unsettledGames: (league, day) => unsettledGames(sql, league, day),
    find: (id) => findGame(sql, id),
    list: (query) => listGames(sql, query),
    offered: (query) => offeredGames(sql, query),
    teamsNamed: (source, league, names) => teamsNamed(sql, source, league, names),
    aliasedTeam: (league, alias) => aliasedTeam(sql, league, alias),
    addAlias: (league, alias, abbreviation) => inTurn('', () => addAlias(sql, league, alias, abbreviation)),
    reportedNames: (league, waiting) => reportedNames(sql, league, waiting),
    unresolved: (league, limit) => unresolvedGames(sql, league, limit),
    eventsOf: (uuid) => eventsOf(sql, uuid),
    unbind: (source, eventId, actor) => unbindEvent(sql, source, eventId, actor),
    moveStatus: (move) => moveByHand(sql, move),
    watchUnbound: () => {
      const unbound = (source: string, eventId: string): void => known.forget(source, eventId);
      return watchUnbound(sql, { unbound, lost: () => known.forgetAll() });
    },
    seedTeams: () =>
      inTransaction(sql, async (tx) => {
        await lockGames(tx);
        await yieldAbbreviations(tx, referenceTeams());
        await storeTeams(tx, referenceTeams());
      }),
  };
}

/** The answers of `resolve` for lookups that the catalog can store, and refusals for the others. */
async function ofFit(
  lookups: readonly GameLookup[],
  resolve: (fit: readonly GameLookup[]) => Promise<readonly Resolution[]>,
): Promise<Resolution[]> {
  const unfit = lookups.map(whyUnfit);
  const answers = await resolve(lookups.filter((_, index) => unfit[index] === null));
  let next = 0;
  return unfit.map((detail): Resolution => {
    if (detail !== null) return { kind: 'refused', code: 'bad-event', detail };
    next += 1;
    return answers[next - 1] as Resolution;
  });
}

/** Why the catalog cannot store the texts of a lookup, or null. */
function whyUnfit(lookup: GameLookup): string | null {
  const texts =
    lookup.by === 'id' ? [lookup.gameId] : [lookup.league, lookup.eventId, lookup.homeTeam, lookup.awayTeam];
  if (texts.some((text) => text.includes('\0'))) return 'a name of the event holds U+0000';
  if (texts.some((text) => text.length > maxTextLength)) return `a name of the event is longer than ${maxTextLength}`;
  return null;
}

async function startsLogged(sql: Sql, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return;
  await sql.query('update games set start_logged = true where id = any ($1::uuid[]) and not start_logged', [uuids]);
}

async function gamesOfEvents(
  sql: Sql,
  source: string,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, { uuid: string; gameId: string }>> {
  const { rows } = await sql.query(
    `select e.event_id, g.id, ${gameIdOf} as game_id from game_events e join games g on g.id = e.game_uuid
     where e.source = $1 and e.event_id = any ($2::text[])`,
    [source, eventIds],
    'games_of_events',
  );
  return new Map(
    rows.map((row) => [row.event_id as string, { uuid: row.id as string, gameId: row.game_id as string }]),
  );
}

/** By then a game that has ended is settled, at whatever hour it was played. */
const daysToSettle = 3;

async function unsettledGames(sql: Sql, league: string, day: string): Promise<GameOfTeams[]> {
  const { rows } = await sql.query(
    `select g.id, g.public_id, g.home_team_id, g.away_team_id from games g
     where g.league = $1 and g.public_id is not null and g.game_date <= $2::date + 1
       and (g.status not in ('COMPLETED', 'CANCELLED') or g.game_date > $2::date - ${daysToSettle})
       and not ${isSettled}
     order by ${gameIdOf}`,
    [league, day],
    'unsettled_games',
  );
  return rows.map((row) => ({
    uuid: row.id as string,
    gameId: row.public_id as string,
    homeTeamId: row.home_team_id as string,
    awayTeamId: row.away_team_id as string,
  }));
}

async function findGame(sql: Sql, id: string): Promise<CatalogGame | null> {
  const uuid = id.toLowerCase();
  const { rows } = isCanonicalUuid(uuid)
    ? await sql.query(`${selectGames} where g.id = $1`, [uuid], 'game_by_uuid')
    : await sql.query(`${selectGames} where g.public_id = $1`, [textParameter(id.toUpperCase())], 'game_by_public_id');
  return rows[0] === undefined ? null : toGame(rows[0]);
}

/** The status as shown: core/games/shown-status.ts in SQL; a test compares the two. */
const shownStatus = `case when ${isSettled} then case when g.status in ('STARTED', 'SUSPENDED') then 'COMPLETED' else g.status end
  when not g.from_schedule and g.status = 'SCHEDULED' and g.scheduled_start <= l.log_time
  then 'STARTED' else g.status end`;

async function listGames(sql: Sql, query: GamesQuery): Promise<CatalogGame[]> {
  const teamIds = query.team === null ? null : await teamsCalled(sql, query.team);
  if (teamIds?.length === 0) return [];
  const { rows } = await sql.query(
    `${selectGames}
     where ($1::text is null or g.league = $1) and ($2::date is null or g.game_date >= $2) and ($3::date is null or g.game_date <= $3)
       and ($4::uuid[] is null or g.home_team_id = any ($4) or g.away_team_id = any ($4))
       and ($5::text is null or ${shownStatus} = $5)
       and ($6::date is null or (g.game_date, ${gameIdOf}) > ($6, $7))
     order by g.game_date, ${gameIdOf} limit $8`,
    [
      query.league,
      query.dateFrom,
      query.dateTo,
      teamIds,
      query.status,
      query.after?.gameDate ?? null,
      query.after?.id ?? null,
      query.limit,
    ],
  );
  return rows.map(toGame);
}

/** The index of logs with an open offer stays small, however many games there have been. */
async function offeredGames(sql: Sql, { league, after, limit }: OfferedQuery): Promise<CatalogGame[]> {
  const { rows } = await sql.query(
    `${selectGames}
     where g.id in (select o.game_uuid from live_logs o where o.open_offer and ${isNewest('o')})
       and not exists (select from artifacts f where f.game_uuid = g.id and f.dataset = '${sportsbookLines.name}')
       and ($1::text is null or g.league = $1)
       and ($2::date is null or (g.game_date, ${gameIdOf}) > ($2, $3))
     order by g.game_date, ${gameIdOf} limit $4`,
    [league, after?.gameDate ?? null, after?.id ?? null, limit],
    'offered_games',
  );
  return rows.map(toGame);
}

async function teamsNamed(
  sql: Sql,
  source: string,
  league: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const directory = await readDirectory(
    sql,
    source,
    names.map((name) => ({ league, name })),
  );
  return new Map(
    names.flatMap((name) => {
      const team = directory.find(league, name);
      return team === null ? [] : [[name, team.id]];
    }),
  );
}

async function aliasedTeam(sql: Sql, league: string, alias: string): Promise<string | null> {
  const { rows } = await sql.query(
    `select t.abbreviation from team_names n join teams t on t.id = n.team_id
     where n.league = $1 and n.name = $2 and n.is_alias`,
    [league.toUpperCase(), foldTeamName(textParameter(alias))],
  );
  return (rows[0]?.abbreviation as string | undefined) ?? null;
}

async function addAlias(
  sql: Sql,
  league: string,
  alias: string,
  abbreviation: string,
): Promise<{ minted: readonly string[] } | null> {
  return inTransaction(sql, async (tx) => {
    await lockGames(tx);
    const found = await tx.query('select t.* from teams t where t.league = $1 and t.abbreviation = $2', [
      league.toUpperCase(),
      abbreviation.toUpperCase(),
    ]);
    if (found.rows[0] === undefined) return null;
    const team = toTeam(found.rows[0]);
    await storeAlias(tx, team.league, textParameter(alias), team.id);
    return { minted: await mintWaiting(tx, team.league, null) };
  });
}
