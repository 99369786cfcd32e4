// The statistics that player markets count, as the table of docs/settlement.md#player-markets says, one market a line.
// `+` adds, `-` subtracts, `?` counts only if the game has the statistic. Nothing of the product is imported.
import { saidOf } from './leagues.ts';

const basketball = `
player_points: offense.pts
player_rebounds: rebounds.reb
player_assists: offense.ast
player_threes: fieldGoals.fg3PtMade
player_steals: defense.stl
player_blocks: defense.blk
player_turnovers: defense.tov
player_points_rebounds_assists: offense.pts + rebounds.reb + offense.ast
player_points_rebounds: offense.pts + rebounds.reb
player_points_assists: offense.pts + offense.ast
player_rebounds_assists: rebounds.reb + offense.ast
player_blocks_steals: defense.blk + defense.stl
player_double_double: at least 2 of offense.pts rebounds.reb offense.ast defense.stl defense.blk
player_triple_double: at least 3 of offense.pts rebounds.reb offense.ast defense.stl defense.blk
`;

const football = `
player_pass_yds: passing.passYards
player_pass_tds: passing.passTD
player_pass_completions: passing.passCompletions
player_pass_attempts: passing.passAttempts
player_pass_interceptions: passing.passInt
player_pass_longest_completion: passing.passLng
player_rush_yds: rushing.rushYards
player_rush_attempts: rushing.rushAttempts
player_rush_tds: rushing.rushTD
player_rush_longest: rushing.rushLng
player_reception_yds: receiving.recYards
player_receptions: receiving.receptions
player_reception_tds: receiving.recTD
player_reception_longest: receiving.recLng
player_pass_rush_yds: passing.passYards + rushing.rushYards
player_rush_reception_yds: rushing.rushYards + receiving.recYards
player_pass_rush_reception_yds: passing.passYards + rushing.rushYards + receiving.recYards
player_sacks: tackles.sacks
player_solo_tackles: tackles.tackleSolo
player_tackles_assists: tackles.tackleSolo + tackles.tackleAst
player_anytime_td: rushing.rushTD + receiving.recTD ? kickoffReturns.krTD ? puntReturns.prTD ? interceptions.intTD ? fumbles.fumTD
`;

const baseball = `
batter_hits: batting.hits
batter_home_runs: batting.homeruns
batter_total_bases: batting.totalBases
batter_rbis: batting.runsBattedIn
batter_runs_scored: batting.runs
batter_hits_runs_rbis: batting.hits + batting.runs + batting.runsBattedIn
batter_doubles: batting.secondBaseHits
batter_triples: batting.thirdBaseHits
batter_singles: batting.hits - batting.secondBaseHits - batting.thirdBaseHits - batting.homeruns
batter_walks: batting.batterWalks
batter_strikeouts: batting.batterStrikeouts
batter_stolen_bases: batting.stolenBases
pitcher_strikeouts: pitching.pitcherStrikeouts
pitcher_hits_allowed: pitching.hitsAllowed
pitcher_walks: pitching.pitcherWalks
pitcher_earned_runs: pitching.earnedRunsAllowed
pitcher_outs: outs of pitching.inningsPitched
pitcher_record_a_win: pitching.wins
`;

const hockey = `
player_goals: scoring.goals
player_goal_scorer_anytime: scoring.goals
player_assists: scoring.assists
player_points: scoring.points
player_shots_on_goal: skating.shots
player_blocked_shots: skating.blockedShots
player_total_saves: goaltending.saves
`;

const pages = { basketball, football, baseball, hockey };

/** The player markets of a league, each with its formula. */
export function formulas(league: string): Map<string, string> {
  const lines = pages[saidOf(league).sport].trim().split('\n');
  return new Map(lines.map((line) => line.split(': ') as [string, string]));
}

/** Every statistic that a formula names. */
export function statisticsIn(formula: string): string[] {
  return formula.match(/[A-Za-z]+\.[A-Za-z0-9]+/g) ?? [];
}

/**
 * The value in ten-thousandths, or undefined if a statistic is missing. `valueIn(stat)` is undefined if the game has no
 * such statistic.
 */
export function evaluate(formula: string, valueIn: (stat: string) => bigint | undefined): bigint | undefined {
  const some = /^at least ([23]) of (.*)$/.exec(formula);
  if (some !== null) {
    const values = (some[2] as string).split(' ').map(valueIn);
    if (values.includes(undefined)) return undefined;
    return values.filter((value) => (value as bigint) >= 100_000n).length >= Number(some[1]) ? 10_000n : 0n;
  }
  const innings = /^outs of (.*)$/.exec(formula);
  if (innings !== null) {
    const value = valueIn(innings[1] as string);
    const written = value === undefined ? null : /^([0-9]+)\.([012])000$/.exec(written4(value));
    return written === null ? undefined : (BigInt(written[1] as string) * 3n + BigInt(written[2] as string)) * 10_000n;
  }
  let total = 0n;
  for (const [, sign, stat] of `+ ${formula}`.matchAll(/([-+?]) ([A-Za-z.0-9]+)/g)) {
    const value = valueIn(stat as string);
    if (value === undefined && sign !== '?') return undefined;
    total += sign === '-' ? -(value ?? 0n) : (value ?? 0n);
  }
  return total;
}

/** Ten-thousandths as text with four decimal places. */
function written4(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(5, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}
