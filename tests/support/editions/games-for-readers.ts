// Three settled games whose final files test Parquet readers: a file of several row groups, decimals, dates, lists, and
// rows with and without a value in every nullable column.
import type { League } from '../../../schemas/reference/leagues.ts';
import { everythingFolded } from './everything-folded.ts';
import type { SettlementStage } from './settlement-stage.ts';
import { eventGame, gamelogs, gameObject, lineupOf, quoteOf, type Statistic, scoreOf } from './staged-bodies.ts';
import { type StagedGame, StagedGames } from './staged-game.ts';

/** How often each selection gets a new price: this makes more rows than a row group holds. */
const rounds = 17;
const players = Array.from({ length: 20 }, (_, index) => (index === 0 ? 'Peña Núñez' : `Player ${index}`));
const linesOfPlayer = Array.from({ length: 50 }, (_, index) => 2.5 + index / 4);

const statistics: readonly Statistic[] = players.flatMap((player, index): Statistic[] => {
  const team = index % 2 === 0 ? 'home' : 'away';
  return [
    [player, team, 'offense.pts', index + 0.5625],
    [player, team, 'miscellaneous.minSeconds', index === 3 ? 0 : 1_200],
  ];
});

/** `[selection, line]`: among them a quarter line, an unknown market and a selection without a line. */
const teamQuotes: readonly (readonly [string, number | null])[] = [
  ['moneyline/full/home', null],
  ['moneyline/full/away', null],
  ['spread/full/home', -3.125],
  ['spread/first_half/away', 0.25],
  ['total/full/over', 47.5],
  ['total/full/under', 21.75],
  ['team_total/full/home_over', 24],
  ['x_first_to_score/full/東京 %2F 7', null],
];

/** Settles the games and answers their public ids. */
export async function settleGamesForReaders(stage: SettlementStage): Promise<readonly string[]> {
  const games = new StagedGames();
  const next = (league: League, day: string) => games.next(league, `2026-01-${day}T19:00:00.000000Z`);
  const [nba, nfl, mlb] = [next('NBA', '10'), next('NFL', '11'), next('MLB', '12')];
  await settleBasketball(stage, nba);
  await settleFootball(stage, nfl);
  await settleBaseball(stage, mlb);
  await everythingFolded(stage.edition);
  return [nba.id, nfl.id, mlb.id];
}

/** The time so many minutes after the start. */
function at({ start }: StagedGame, minutes: number): string {
  return new Date(Date.parse(start) + minutes * 60_000).toISOString().replace('Z', '000Z');
}

/** Settles a game with line-ups, statistics and thousands of prices on players. */
async function settleBasketball(stage: SettlementStage, game: StagedGame): Promise<void> {
  const five = (of: readonly string[]) =>
    of.slice(0, 5).map((player, index) => [`Starter${index + 1}`, player] as const);
  await pushState(stage, game, -120, 'UNPLAYED', {});
  const lineups = { home: { actual: five(players) }, away: { expected: five(players.slice(5)) } };
  await stage.pushMsf(game, 'lineup', lineupOf(game, lineups), at(game, -60));
  await quote(
    stage,
    game,
    -100,
    'TEAMS',
    teamQuotes.map(([id, line]) => quoteOf(game, id, line, -110, 'open')),
  );
  for (let round = 0; round < rounds; round += 1) {
    const quotes = players.flatMap((player, index) =>
      linesOfPlayer.flatMap((line) =>
        ['over', 'under'].map((selection) => {
          const id = `player_points/full/${selection}/${encodeURIComponent(player)}/${line}`;
          return quoteOf(game, id, line, -105 - ((round * 7 + index) % 23), 'open', index % 3 === 0 ? player : null);
        }),
      ),
    );
    await quote(stage, game, -90 + round, 'PLAYERS', quotes);
  }
  await pushState(stage, game, 2, 'LIVE', {
    currentQuarter: 1,
    currentQuarterSecondsRemaining: 700,
    awayScoreTotal: 0,
    homeScoreTotal: 3,
  });
  await stage.pushMsf(game, 'player_gamelogs', gamelogs(game, statistics), at(game, 150));
  const periods = { away: [20, 21, 22, 23], home: [30, 20, 25, 22] };
  await pushState(stage, game, 151, 'COMPLETED', scoreOf(game, { away: 86, home: 97 }, periods));
  await stage.tick('msf', at(game, 161));
}

/** Settles a game whose state has the ball, the down and the yards, and whose quotes were suspended before play. */
async function settleFootball(stage: SettlementStage, game: StagedGame): Promise<void> {
  const stamped = { source_timestamp: at(game, -55) };
  const quotes = (state: string) =>
    teamQuotes.map(([id, line]) => ({ ...quoteOf(game, id, line, 105, state), ...stamped }));
  const unpriced = quoteOf(game, 'moneyline/full/draw', null, null, 'suspended');
  await pushState(stage, game, -60, 'UNPLAYED', {});
  await quote(stage, game, -50, 'TEAMS', [...quotes('open'), unpriced]);
  await quote(stage, game, -5, 'TEAMS', quotes('suspended'));
  const drive = {
    teamInPossession: { id: game.number * 10 + 1, abbreviation: game.home },
    currentDown: 2,
    currentYardsRemaining: 7,
  };
  await pushState(stage, game, 3, 'LIVE', { currentQuarter: 1, awayScoreTotal: 0, homeScoreTotal: 7, ...drive });
  const periods = { away: [0, 7, 3, 0], home: [7, 0, 7, 10] };
  await pushState(stage, game, 190, 'COMPLETED', scoreOf(game, { away: 10, home: 24 }, periods));
  await stage.tick('msf', at(game, 200));
}

/** Settles a game of which only the score is known. */
async function settleBaseball(stage: SettlementStage, game: StagedGame): Promise<void> {
  await quote(
    stage,
    game,
    -30,
    'TEAMS',
    teamQuotes.map(([id, line]) => quoteOf(game, id, line, -200, 'open')),
  );
  await pushState(stage, game, 180, 'COMPLETED', scoreOf(game, { away: 1, home: 2 }, { away: [], home: [] }));
  await stage.tick('msf', at(game, 190));
}

async function quote(stage: SettlementStage, game: StagedGame, minutes: number, operator: string, quotes: object[]) {
  const event = { kind: 'delta', operator, game: eventGame(game, game.start), quotes };
  const { refused } = await stage.push(
    game.source,
    'quotes',
    { events: [event] },
    { 'x-observed-at': at(game, minutes) },
  );
  if (refused.length > 0) throw new Error(`${game.id}: ${refused.join(', ')}`);
}

async function pushState(
  stage: SettlementStage,
  game: StagedGame,
  minutes: number,
  playedStatus: string,
  score: object,
) {
  const content = { games: [{ schedule: gameObject(game, { playedStatus }), score }] };
  await stage.pushMsf(game, 'games', content, at(game, minutes));
}
