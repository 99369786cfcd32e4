// What a key floods with: bodies of one kind each, which a gateway has to take. All are about the games of the others.
const teams = [
  'ARI',
  'ATL',
  'BAL',
  'BOS',
  'CHC',
  'CIN',
  'CLE',
  'COL',
  'DET',
  'HOU',
  'KC',
  'LAA',
  'LAD',
  'MIA',
  'MIL',
  'MIN',
];
export const floodedGames = teams.length / 2;
const bodiesOfKind = 8;

export type FloodKind = 'small pushes' | 'large bodies' | 'many operators';

/** How an event names the nth game. */
export function gameOf(nth: number): object {
  const at = nth % floodedGames;
  const [home_team, away_team] = [teams[2 * at], teams[2 * at + 1]];
  return { league: 'MLB', event_id: `flooded-${at}`, home_team, away_team, commence_time: startsAt };
}

/** The same whenever and in whichever process it is asked for, of one day. */
const startsAt = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 43_200_000).toISOString();

/** `count` quotes, whose prices differ from one `turn` to the next. */
export function quotesOf(count: number, turn: number): object[] {
  return Array.from({ length: count }, (_, at) => ({
    market: 'player_hits',
    selection: 'over',
    player: `Player ${at}`,
    line: 0.5,
    price: { american: 100 + ((at + 7 * turn) % 400) },
  }));
}

const kinds: Readonly<Record<FloodKind, (turn: number) => object[]>> = {
  'small pushes': (turn) => [image('FLOOD', turn, quotesOf(20, turn))],
  'large bodies': (turn) => Array.from({ length: 16 }, (_, at) => image('FLOOD', at, quotesOf(4_000, turn + at))),
  'many operators': (turn) =>
    Array.from({ length: 400 }, (_, at) => image(`FLOOD_${at}`, turn, quotesOf(1, turn + at))),
};

export const floodKinds = Object.keys(kinds) as FloodKind[];

/** Bodies of the kind, none of which says what the one before it said. */
export function bodiesOf(kind: FloodKind): string[] {
  return Array.from({ length: bodiesOfKind }, (_, turn) => JSON.stringify({ events: kinds[kind](turn) }));
}

function image(operator: string, game: number, quotes: readonly object[]): object {
  return { kind: 'image', operator, game: gameOf(game), quotes };
}
