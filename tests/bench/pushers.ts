// Pushes at a given rate of quotes, and for each the number of rows its game has once it is published. A game belongs
// to one pusher, which waits for each answer, so the rows are known beforehand.
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../oracle/random.ts';
import { request } from './http.ts';

const teams = 'ARI ATL BAL BOS CHC CIN CLE COL DET HOU KC LAA LAD MIA MIL MIN NYM NYY PHI PIT SD SEA SF STL'.split(' ');
export const quotesOfEvent = 35;
const eventsOfPush = 5;

export type PushedGame = { idStart: string; rows: number };

type Sent = { games: readonly PushedGame[]; acceptedAt: number };

export type Pushers = {
  games: readonly PushedGame[];
  /** Pushes for `seconds`, calling `accepted` at each 202. Answers the accepted quotes per second. */
  push(rate: number, seconds: number, accepted: (sent: Sent) => void): Promise<number>;
};

/** Opens pushers of `games` games, `together` games to a push. */
export function openPushers(ingestUrl: string, feedKey: string, games: number, together = eventsOfPush): Pushers {
  const books = Array.from({ length: games }, (_, index) => newGame(index));
  const groups = Array.from({ length: Math.ceil(games / together) }, (_, index) =>
    books.slice(index * together, (index + 1) * together),
  );
  return {
    games: books.map(({ game }) => game),
    async push(rate, seconds, accepted) {
      const startedAt = performance.now();
      let quotes = 0;
      const everyMs = (1000 * books.length * quotesOfEvent) / rate;
      await Promise.all(
        groups.map(async (group, number) => {
          // The pushers start at staggered times, as polls of different providers do.
          let due = startedAt + (everyMs * number) / groups.length;
          while (due < startedAt + seconds * 1000) {
            await sleepUntil(due);
            if (performance.now() > startedAt + seconds * 1000) break;
            const body = JSON.stringify({ events: group.map((book) => book.next()) });
            const answer = await request(`${ingestUrl}/v1/sources/bench/quotes`, feedKey, { method: 'POST', body });
            if (answer.status !== 202) throw new Error(`push: ${answer.status} ${answer.body}`);
            quotes += group.length * quotesOfEvent;
            accepted({ games: group.map(({ game }) => ({ ...game })), acceptedAt: performance.now() });
            due += everyMs;
          }
        }),
      );
      return (1000 * quotes) / (performance.now() - startedAt);
    },
  };
}

function newGame(index: number): { game: PushedGame; next(): object } {
  const random = seededRandom(index);
  const away = teams[index % teams.length] ?? '';
  const home = teams[(index + 1 + Math.floor(index / teams.length)) % teams.length] ?? '';
  const commenceTime = new Date(Date.now() + 6 * 3_600_000).toISOString();
  const prices = Array.from({ length: quotesOfEvent }, () => 100 + random.integer(100));
  let opening = true;
  const game = { idStart: `MLB_${away}_${home}_`, rows: 0 };
  return {
    game,
    next() {
      prices.forEach((price, at) => {
        const changes = !opening && random.chance(1 / 7);
        if (changes) prices[at] = price + 1;
        if (changes || opening) game.rows += 1;
      });
      opening = false;
      return {
        kind: 'image',
        operator: 'BENCHBOOK',
        game: {
          league: 'MLB',
          event_id: `bench-${index}`,
          home_team: home,
          away_team: away,
          commence_time: commenceTime,
        },
        quotes: prices.map((american, at) => ({
          market: `m${at >> 1}`,
          selection: at % 2 === 0 ? 'home' : 'away',
          price: { american },
        })),
      };
    },
  };
}

async function sleepUntil(due: number): Promise<void> {
  const wait = due - performance.now();
  if (wait > 0) await delay(wait);
}
