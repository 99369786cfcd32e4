// A campaign's game that ends within seconds: its teams, its events, and the ways in which it may end.
import { anyGame } from '../../../core/ports/catalog/games.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import type { Random } from '../../oracle/random.ts';
import type { World } from './world.ts';

export type ShortGame = { id: string; uuid: string };

export const shortGameBooks = ['alpha', 'beta', 'gamma'];

const teams = 'ARI ATL BAL BOS CHC CIN CLE COL DET HOU KC LAA LAD MIA MIL MIN NYM NYY PHI PIT SD SEA SF STL'.split(' ');
const second = 1_000_000;
const grace = 600 * second;

/** Each game has another pair of teams, in either order: there are 264 pairs. */
function pairOf(number: number): [home: string, away: string] {
  const home = number % teams.length;
  const away = (home + 1 + Math.floor(number / teams.length)) % teams.length;
  return [teams[home] as string, teams[away] as string];
}

/** The `number`th game, once something was pushed for it. */
export async function findShortGame({ api }: World, number: number): Promise<ShortGame> {
  const [home, away] = pairOf(number);
  const games = await api.drivers.catalogs.games.list({ ...anyGame, limit: 1_000 });
  const game = games.find((each) => each.home?.abbreviation === home && each.away?.abbreviation === away);
  if (game === undefined) throw new Error(`no game of ${home} and ${away}`);
  return { id: game.gameId, uuid: game.uuid };
}

/** An image of one operator. `isLong`: with so many prices that the log is cut once they are old enough. */
export function shortGameEvent(
  number: number,
  operator: string,
  random: Random,
  { startsAt, isLong = false }: { startsAt: number; isLong?: boolean },
): object {
  const [home, away] = pairOf(number);
  const price = (): object => ({ price: { american: random.pick([1, -1]) * (100 + random.integer(80)) } });
  const steps = Array.from({ length: isLong ? 100 : 4 }, (_, step) => 0.5 + step);
  const quotes = [
    ...['home', 'away'].map((selection) => ({ market: 'moneyline', selection, ...price() })),
    ...steps.flatMap((line) =>
      ['over', 'under'].map((selection) => ({ market: 'total', selection, line, alternate: true, ...price() })),
    ),
  ];
  const commence_time = new Date(startsAt).toISOString();
  const game = { league: 'MLB', event_id: `short-${number}`, home_team: home, away_team: away, commence_time };
  return { kind: isLong ? 'image' : 'delta', operator, game, quotes };
}

/** The record of the start of play. */
export function startOfShortGame({ id, uuid }: ShortGame): QuotesRecord {
  const at = Date.now() * 1_000;
  return { ...blankRecord({ uuid, gameId: id, league: 'MLB' }, 'service', at), status: { status: 'STARTED', at } };
}

/** How the `number`th game ends: by order, completed, cancelled, or completed but waiting for its time. */
export function endOfShortGame(number: number, { id, uuid }: ShortGame): QuotesRecord {
  const at = Date.now() * 1_000;
  const blank = blankRecord({ uuid, gameId: id, league: 'MLB' }, 'service', at);
  const ends: readonly QuotesRecord[] = [
    { ...blank, settle: { actor: 'campaign' } },
    { ...blank, status: { status: 'COMPLETED', at: at - grace } },
    { ...blank, status: { status: 'CANCELLED', at: at - grace } },
    // The next record moves log time past the close.
    { ...blank, status: { status: 'COMPLETED', at: at - grace + 2 * second } },
  ];
  return ends[number % ends.length] as QuotesRecord;
}
