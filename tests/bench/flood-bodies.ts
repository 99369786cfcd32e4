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

export type FloodKind =
  | 'small pushes'
  | 'large bodies'
  | 'many operators'
  | 'bombs'
  | 'refused elements'
  | 'new games'
  | 'stalled uploads';

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

const kinds: Readonly<Record<Exclude<FloodKind, 'stalled uploads'>, (turn: number) => string>> = {
  'small pushes': (turn) => events([image('FLOOD', turn, quotesOf(20, turn))]),
  'large bodies': (turn) =>
    events(Array.from({ length: 16 }, (_, at) => image('FLOOD', at, quotesOf(4_000, turn + at)))),
  'many operators': (turn) =>
    events(Array.from({ length: 400 }, (_, at) => image(`FLOOD_${at}`, turn, quotesOf(1, turn + at)))),
  // A million elements in two kilobytes on the wire.
  bombs: (turn) => `{"events":[${'0,'.repeat(1_000_000)}${turn}]}`,
  'refused elements': (turn) => events(Array.from({ length: 5_000 }, (_, at) => ({ kind: 'image', at, turn }))),
  'new games': (turn) => events(Array.from({ length: 400 }, (_, at) => onNewGame(400 * turn + at))),
};

/** Uploads that stop one byte before their end are no bodies: flood-client.ts sends them by itself. */
export const floodKinds: readonly FloodKind[] = [...(Object.keys(kinds) as (keyof typeof kinds)[]), 'stalled uploads'];

/** Bodies of the kind, none of which says what the one before it said. */
export function bodiesOf(kind: keyof typeof kinds): string[] {
  return Array.from({ length: bodiesOfKind }, (_, turn) => kinds[kind](turn));
}

const events = (all: readonly object[]): string => JSON.stringify({ events: all });

/** An image of a game of its own: the same teams, on another day. */
function onNewGame(nth: number): object {
  const commence_time = new Date(Date.parse(startsAt) + 86_400_000 * (1 + nth)).toISOString();
  const game = { ...gameOf(nth), event_id: `new-${nth}`, commence_time };
  return { kind: 'image', operator: 'FLOOD', game, quotes: quotesOf(1, nth) };
}

function image(operator: string, game: number, quotes: readonly object[]): object {
  return { kind: 'image', operator, game: gameOf(game), quotes };
}
