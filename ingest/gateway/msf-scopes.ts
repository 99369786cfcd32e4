// Finds the scope of each element of a pushed body (docs/revisions.md#observations): the game that it names, resolved as MSF's, or the
// league. A league's injuries also give one element for each game that is upcoming or in progress. Independent of the log and of receipts.
import type { MsfGame } from '../../core/msf/bodies/game-object.ts';
import { descriptorOf } from '../../core/msf/feeds/feeds.ts';
import { gameEventId, gameUuid, leagueUuid, type MsfTeam, msfSource } from '../../core/msf/ids.ts';
import type { Scope } from '../../core/msf/types.ts';
import type { Founder, GameLookup, GamesCatalog, Resolution, ResolvedGame } from '../../core/ports/catalog/games.ts';
import { easternDate } from '../../core/time/eastern-date.ts';
import type { Micros } from '../../core/units.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { WrittenJson } from '../adapters/json-text.ts';
import { ListTexts } from '../adapters/list-texts.ts';
import type { MsfElement, MsfRoute } from '../adapters/msf-adapted.ts';
import type { PushUse } from './key-share.ts';

/**
 * An element in its scope, or refused because of the game that it names. `game`: as resolved for this push. `text` writes it on demand: the
 * elements made for games may be hundreds of texts as large as the body, and are not held at once.
 */
export type Scoped =
  | { kind: 'scoped'; scope: Scope; game: ResolvedGame | null; msfGameId: number | null; text: () => WrittenJson }
  | { kind: 'refused'; code: string; detail: string; element: MsfElement };

/** The elements of a body in their scopes, in order; those made for games come last. `at`: the receive time. */
export async function scopeElements(
  games: Pick<GamesCatalog, 'resolve' | 'gamesOfEvents' | 'unsettledGames' | 'teamsNamed'>,
  { source, league, feed, use }: MsfRoute & { source: string; use: Pick<PushUse, 'founder'> },
  elements: readonly MsfElement[],
  at: Micros,
): Promise<Scoped[]> {
  const resolutions = await resolve(games, use.founder(source), league, elements);
  const known = await knownGames(games, league, elements);
  const scoped = elements.map((element): Scoped => {
    const { msfGameId, game } = element;
    const text = (): WrittenJson => element.text;
    if (msfGameId === null) return { kind: 'scoped', scope: ofLeague(league), game: null, msfGameId, text };
    if (game === null) {
      // An unknown game has the UUID of MSF's id until a body names its teams.
      const uuid = gameUuid(league, msfGameId);
      const scope = known.get(msfGameId) ?? { kind: 'game', uuid, id: uuid, league };
      return { kind: 'scoped', scope, game: null, msfGameId, text };
    }
    const resolution = resolutions.get(element);
    if (resolution === undefined) throw new Error('a game was not resolved');
    if (resolution.kind === 'refused') return { ...resolution, element };
    const { uuid, gameId } = resolution.game;
    const scope: Scope = { kind: 'game', uuid, id: gameId, league };
    return { kind: 'scoped', scope, game: resolution.game, msfGameId, text };
  });
  return [...scoped, ...(await partsOfGames(games, { league, feed }, elements, at))];
}

/** The elements made for games from a league's element, if the feed has such parts. */
async function partsOfGames(
  games: Pick<GamesCatalog, 'unsettledGames' | 'teamsNamed'>,
  { league, feed }: Pick<MsfRoute, 'league' | 'feed'>,
  [ofAll]: readonly MsfElement[],
  at: Micros,
): Promise<Scoped[]> {
  const { form } = descriptorOf(feed);
  const element = ofAll?.element ?? null;
  if (form.kind !== 'league' || form.ofGames === null || element === null) return [];
  const near = await games.unsettledGames(league, easternDate(at));
  if (near.length === 0) return [];
  // Games were found by the catalog's names of their teams, so their players are too.
  const named = await games.teamsNamed(msfSource, league, form.ofGames.abbreviations(element));
  const entriesOf = form.ofGames.split(element, league, named);
  const texts = new ListTexts(element, form.list);
  return near.map(({ uuid, gameId, homeTeamId, awayTeamId }) => ({
    kind: 'scoped',
    scope: { kind: 'game', uuid, id: gameId, league },
    game: null,
    msfGameId: null,
    text: () => texts.textWith(entriesOf(homeTeamId, awayTeamId)),
  }));
}

function ofLeague(league: League): Scope {
  return { kind: 'league', uuid: leagueUuid(league), id: league, league };
}

async function resolve(
  games: Pick<GamesCatalog, 'resolve'>,
  founder: Founder,
  league: League,
  elements: readonly MsfElement[],
): Promise<ReadonlyMap<MsfElement, Resolution>> {
  const named = elements.flatMap((element) => (element.game === null ? [] : [{ element, game: element.game }]));
  if (named.length === 0) return new Map();
  const answers = await games.resolve(
    msfSource,
    named.map(({ game }) => lookupOf(league, game)),
    founder,
  );
  return new Map(named.map(({ element }, index) => [element, answers[index] as Resolution]));
}

function lookupOf(league: League, { id, startTime, home, away }: MsfGame): GameLookup {
  const eventId = gameEventId(league, id);
  return { by: 'event', league, eventId, homeTeam: nameOf(home), awayTeam: nameOf(away), commenceTime: startTime };
}

/** A team resolves by its abbreviation (docs/revisions.md#ids); one without is unknown. */
function nameOf({ id, abbreviation }: MsfTeam): string {
  return abbreviation === null || abbreviation === '' ? `team ${id ?? 'unknown'}` : abbreviation;
}

/** The known games among those that elements name by id only. */
async function knownGames(
  games: Pick<GamesCatalog, 'gamesOfEvents'>,
  league: League,
  elements: readonly MsfElement[],
): Promise<ReadonlyMap<number, Scope>> {
  const ids = elements.flatMap(({ msfGameId, game }) => (game === null && msfGameId !== null ? [msfGameId] : []));
  if (ids.length === 0) return new Map();
  const found = await games.gamesOfEvents(
    msfSource,
    ids.map((id) => gameEventId(league, id)),
  );
  return new Map(
    ids.flatMap((id) => {
      const game = found.get(gameEventId(league, id));
      return game === undefined ? [] : [[id, { kind: 'game', uuid: game.uuid, id: game.gameId, league }]];
    }),
  );
}
