// The current odds of all games that have any, in pages of games.
import { type HistoryWindow, isWithin } from '../../core/access/history-window.ts';
import type { CatalogGame, GamesCatalog } from '../../core/ports/catalog/games.ts';
import type { ChargedRead } from '../../core/ports/ledger.ts';
import { jsonText } from '../../http/json-text.ts';
import { isRefusal } from '../../http/refusal.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import { oddsPage, type RefusedOdds } from '../../schemas/http/odds.ts';
import { defaultGames, gamesLimitParameter } from '../../schemas/http/odds-parameters.ts';
import { leagueParameter, pageCursorParameter } from '../../schemas/http/parameters.ts';
import type { HistoryWindows } from '../access/history-windows.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';
import { etagOfBytes, weakEtagOf } from '../http/etag.ts';
import { type OddsAnswer, oddsAnswer, textOf } from '../odds/odds-answer.ts';
import type { OddsAnswers } from '../odds/odds-answers.ts';
import { nameOfQuery, type OddsQuery, oddsParameters, oddsQuery } from '../odds/odds-query.ts';
import type { Filters } from '../pages/page-cursor.ts';
import type { Pages } from '../pages/pages.ts';
import { route } from '../pipeline/route.ts';
import type { ServedGames } from '../serving/served-games.ts';

type Needs = {
  games: Pick<GamesCatalog, 'offered'>;
  servedGames: ServedGames;
  odds: OddsAnswers;
  oddsPageRows: number;
  history: Pick<HistoryWindows, 'window'>;
  pages: Pages;
  deadlines: Deadlines;
};

const listName = '/v1/odds';

export const listOdds = route({
  path: listName,
  id: 'listOdds',
  tag: 'Live lines',
  summary: 'What every sportsbook quotes now, for all games that are quoted.',
  details:
    'Games with something on a board, by Eastern date and then by id; each as the odds route of the game returns it. A page ends before `limit` where its games would have more than 50,000 quotes. A game outside the window of the tier, or with too many quotes for one answer, is listed as `refused`, without odds, free of charge. A cursor is valid only with the filters it was made with.',
  key: 'required',
  game: 'none',
  query: {
    league: leagueParameter.optional(),
    ...oddsParameters,
    limit: gamesLimitParameter.optional(),
    cursor: pageCursorParameter.optional(),
  },
  answers: { 200: oddsPage },
  charge: 'odds-rows',
  cache: 'live',
  check: ({ league, cursor, ...query }, { pages }: Needs) =>
    pages.faultOfCursor(listName, filtersOf(league, oddsQuery(query)), cursor),

  async handle({ key, query: { league, cursor, limit = defaultGames, ...query } }, needs: Needs) {
    const { games, history, pages, deadlines, oddsPageRows } = needs;
    const asked = oddsQuery(query);
    const filters = filtersOf(league, asked);
    const after = pages.positionOf(listName, filters, cursor);
    const position = after === null ? null : { gameDate: after[0] ?? '', id: after[1] ?? '' };
    // One more than is shown, to find out whether there is another.
    const found = await deadlines.catalog(() =>
      games.offered({ league: league ?? null, after: position, limit: limit + 1 }),
    );
    const window = await history.window(key.tier);
    const answers: OddsAnswer[] = [];
    let [shown, rows] = [0, 0];
    for (const game of found.slice(0, limit)) {
      const answer = await oddsOf(game, window, asked, needs);
      rows += answer?.rows ?? 0;
      if (rows > oddsPageRows && shown > 0) break;
      shown += 1;
      if (answer !== null) answers.push(answer);
    }
    const last = found.length > shown ? found[shown - 1] : undefined;
    const next = last === undefined ? null : pages.cursorAt(listName, filters, [last.gameDate, last.gameId]);
    const page = pageOf(answers, next);
    const read: ChargedRead = {
      ...{ kind: 'board', gameUuid: null, gameId: league ?? 'ALL' },
      ...{ dataset: sportsbookLines.name, subject: 'odds of games', rows: page.rows },
    };
    return { file: page.file, read };
  },
});

function filtersOf(league: string | undefined, query: OddsQuery): Filters {
  return { league: league ?? null, query: nameOfQuery(query) };
}

/** Null: the game has settled since it was listed. */
async function oddsOf(
  game: CatalogGame,
  window: HistoryWindow,
  query: OddsQuery,
  { servedGames, odds }: Needs,
): Promise<OddsAnswer | null> {
  if (!isWithin(window, game.gameDate)) return refusedGame(game, 'history-restricted');
  const { live } = servedGames.peek(game.uuid) ?? (await servedGames.current(game.uuid));
  if (live === null) return null;
  const found = await odds.ofBoards(game, live, query);
  // One game must not close the list to its readers.
  return isRefusal(found) ? refusedGame(game, found.refused) : found;
}

function refusedGame({ gameId }: CatalogGame, refused: RefusedOdds['refused']): OddsAnswer {
  const text = jsonText({ game_id: gameId, refused } satisfies RefusedOdds);
  return oddsAnswer(text, etagOfBytes(text), 0);
}

function pageOf(answers: readonly OddsAnswer[], next: string | null): OddsAnswer {
  return oddsAnswer(
    `{"data":[${answers.map((answer) => textOf(answer).trimEnd()).join(',')}],"next_cursor":${JSON.stringify(next)}}\n`,
    weakEtagOf([...answers.map(({ etag }) => etag), next]),
    answers.reduce((sum, { rows }) => sum + rows, 0),
  );
}
