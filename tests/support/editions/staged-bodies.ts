// Native events and MSF bodies with the content that a case of the settlement vectors gives.
import { saidOf } from '../../oracle/leagues.ts';
import { msfPlayer, playerOf, type StagedGame } from './staged-game.ts';

/** A quote with the identity that a case writes. */
export function quoteOf(
  game: StagedGame,
  selectionId: string,
  line: number | null,
  american: number | null,
  state: string,
  player: string | number | null = null,
): Record<string, unknown> {
  const [market, period, selection, fourth, fifth] = selectionId.split('/').map(decodeURIComponent);
  const hasPlayer = fourth !== undefined && (fifth !== undefined || fourth !== String(line));
  return {
    market,
    period,
    selection,
    state,
    ...(hasPlayer ? { player: fourth } : {}),
    ...(player === null ? {} : { player_id: playerOf(game, player) }),
    ...(line === null ? {} : { line }),
    ...(fourth !== undefined && (fifth !== undefined || !hasPlayer) ? { alternate: true } : {}),
    ...(american === null ? {} : { price: { american } }),
  };
}

/** The members with which an event names the game; with `start`, also when it begins. */
export function eventGame({ id, league, number, home, away }: StagedGame, start: string | null) {
  if (start === null) return { game_id: id };
  return { league, event_id: `e${number}`, home_team: home, away_team: away, commence_time: start };
}

/** An image of The Odds API of one market, with the home side only: open prices by bookmaker. */
export function oddsApiEvent({ number, home, away }: StagedGame, start: string, prices: Record<string, number>) {
  const bookmakers = Object.entries(prices).map(([operator, price]) => ({
    key: operator.toLowerCase(),
    markets: [{ key: 'h2h', outcomes: [{ name: home, price }] }],
  }));
  const sport_key = 'americanfootball_nfl';
  return { id: `e${number}`, sport_key, commence_time: start, home_team: home, away_team: away, bookmakers };
}

const sideIds = { home: 1, away: 2, elsewhere: 3 } as const;

function sideOf(team: string): keyof typeof sideIds {
  return team === 'home' || team === 'away' ? team : 'elsewhere';
}

function teamOf(game: StagedGame, team: string): { id: number; abbreviation: string } {
  const side = sideOf(team);
  return { id: game.number * 10 + sideIds[side], abbreviation: game[side] };
}

/** The object with which a body names the game. `more`: further members, usually statuses. */
export function gameObject(game: StagedGame, more: Record<string, unknown>) {
  return {
    id: game.msfId,
    startTime: game.start,
    awayTeam: teamOf(game, 'away'),
    homeTeam: teamOf(game, 'home'),
    venue: null,
    scheduleStatus: 'NORMAL',
    ...more,
  };
}

/** A box score in which no player has statistics. */
export function boxscore(game: StagedGame, more: Record<string, unknown>, scoring: Record<string, unknown> = {}) {
  return { game: gameObject(game, more), scoring, stats: { away: { players: [] }, home: { players: [] } } };
}

const listNames = { quarter: 'quarter', half: 'period', period: 'period', inning: 'inning' } as const;

/** The final score and those of the periods; null if a score is unknown. */
export function scoreOf(
  { league }: StagedGame,
  final: { away: number | null; home: number | null },
  periods: { away: readonly number[]; home: readonly number[] },
): Record<string, unknown> {
  const part = listNames[saidOf(league).part];
  const length = Math.max(periods.away.length, periods.home.length);
  const list = Array.from({ length }, (_, index) => ({
    [`${part}Number`]: index + 1,
    awayScore: periods.away[index] ?? null,
    homeScore: periods.home[index] ?? null,
  }));
  return { awayScoreTotal: final.away, homeScoreTotal: final.home, [`${part}s`]: list };
}

export type Statistic = readonly [player: string, team: string, stat: string, value: string | number];

/** The statistics of players, a log for each player. */
export function gamelogs(game: StagedGame, rows: readonly Statistic[]) {
  const players = [...new Set(rows.map(([player]) => player))];
  const named = {
    id: game.msfId,
    startTime: game.start,
    awayTeamAbbreviation: game.away,
    homeTeamAbbreviation: game.home,
  };
  return {
    gamelogs: players.map((player) => {
      const own = rows.filter(([of]) => of === player);
      const stats: Record<string, Record<string, number>> = {};
      for (const [, , stat, value] of own) {
        const [group = '', name = ''] = stat.split('.');
        stats[group] = { ...stats[group], [name]: Number(value) };
      }
      const [, team = ''] = own[0] ?? [];
      return {
        game: named,
        player: { id: msfPlayer(game, player), firstName: 'A', lastName: player },
        team: teamOf(game, team),
        stats,
      };
    }),
  };
}

type Slots = readonly (readonly [slot: string, player: number | string | null])[];
export type Lineup = { actual?: Slots; expected?: Slots };

/** A line-up of both sides. */
export function lineupOf(game: StagedGame, sides: { home?: Lineup; away?: Lineup }) {
  const positions = (slots: Slots | undefined) =>
    slots === undefined
      ? null
      : {
          lineupPositions: slots.map(([position, player]) => ({
            position,
            player: player === null ? null : { id: msfPlayer(game, player), firstName: 'A', lastName: String(player) },
          })),
        };
  const teamLineups = (['away', 'home'] as const).map((side) => ({
    team: teamOf(game, side),
    actual: positions(sides[side]?.actual),
    expected: positions(sides[side]?.expected),
  }));
  return { game: gameObject(game, { playedStatus: 'UNPLAYED' }), teamLineups };
}

/** Reference players of a case, as the reference route takes them. */
export function referencePlayers(
  game: StagedGame,
  players: readonly (readonly [id: string, first: string, last: string, team: string])[],
) {
  return {
    players: players.map(([id, first_name, last_name, team]) => ({
      id: msfPlayer(game, id),
      league: game.league,
      first_name,
      last_name,
      team: game[sideOf(team)],
    })),
  };
}
