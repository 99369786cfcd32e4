// Broken or incomplete MSF bodies: missing lists, games without a name, plays without a place, another feed's body,
// text that is cut off. What each of them leads to is not decided here.
import type { Random } from './random.ts';

type Json = { [name: string]: unknown };

const lists: Readonly<Record<string, string>> = {
  playbyplay: 'plays',
  boxscore: 'stats',
  games: 'games',
  player_gamelogs: 'gamelogs',
  injuries: 'players',
};

/** The body with one thing wrong. */
export function brokenBody(random: Random, feed: string, body: Json): Json {
  const list = lists[feed] ?? 'plays';
  const without = (name: string): Json => Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));
  switch (random.integer(8)) {
    case 0:
      return without(list);
    case 1:
      return { ...body, [list]: random.pick<unknown>([null, 7, 'none', {}]) };
    case 2:
      return {
        ...body,
        game: random.pick<unknown>([null, {}, { id: 'x' }, { ...(body.game as Json), startTime: 'soon' }]),
      };
    case 3:
      return { ...body, game: { ...(body.game as Json), id: 1 } };
    case 4:
      return {
        ...body,
        [list]: [random.pick<unknown>([7, null, [], { description: 'no place' }, { playStatus: { quarter: -1 } }])],
      };
    case 5:
      return {
        ...body,
        plays: [{ description: 'late', foul: {}, playStatus: { quarter: 1, secondsElapsed: 100_000 } }],
      };
    case 6:
      return { ...body, note: 'lone \ud800' };
    default:
      return { lastUpdatedOn: body.lastUpdatedOn, [random.pick(['gameLines', 'players', 'seasons'])]: [] };
  }
}

/** Text that is not the JSON object of a body. */
export function badText(random: Random, text: string): string {
  switch (random.integer(5)) {
    case 0:
      return text.slice(0, random.integer(text.length));
    case 1:
      return '[]';
    case 2:
      return '<html>Service Unavailable</html>';
    case 3:
      return `${text}${text}`;
    default:
      return `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`;
  }
}
