// The rows of market-results: each selection of a game is graded on the evidence, never guessed (docs/settlement.md#market-results). Every
// row names the first reason that applies and its evidence. Independent of earlier versions.
import type { MarketResultsRow, ResultReason } from '../../schemas/datasets/market-results.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import { divideHalfEven } from '../decimal.ts';
import { BoxScore } from './box-score.ts';
import { type Evidence, type Scores, type Source, scoresOf, sourceOf } from './evidence.ts';
import { type Grade, notGraded } from './grade.ts';
import { gradePlayerMarket } from './grade-player-market.ts';
import { spanOf, standingOf } from './period-scores.ts';
import { playerMarketOf, playerSelections } from './player-markets.ts';
import { type NamedPlayers, PlayerNames } from './player-names.ts';
import type { Selection } from './selections.ts';
import { isDecided } from './shortened-games.ts';
import { gradeTeamMarket, type ScoredGame, teamMarkets } from './team-markets.ts';

export type GradedGame = { readonly gameId: string; readonly league: League };

/**
 * The rows for `selections`, in their order (that of `Selections.list`); null if there is no result yet. `named`: what is made of the names of
 * the reference data.
 */
export function gradeMarkets(
  game: GradedGame,
  selections: readonly Selection[],
  evidence: Evidence,
  named: (byReference: NamedPlayers) => NamedPlayers = (byReference) => byReference,
): MarketResultsRow[] | null {
  if (selections.length === 0) return null;
  const { homeTeamId, awayTeamId, playerStats } = evidence;
  const box = new BoxScore(playerStats, evidence);
  const names = named(new PlayerNames(evidence.players, box, new Set([homeTeamId, awayTeamId])));
  if (evidence.cancelledAt !== null) {
    const source: Source = { name: 'status/CANCELLED', at: evidence.cancelledAt };
    const grade = notGraded('cancelled');
    return selections.map((selection) => rowOf(game, selection, playerOf(selection, box, names), grade, source));
  }
  const counted = scoresOf(evidence);
  if (counted === null) return null;
  const scored = scoredGame(game.league, counted.scores, selections);
  const ofPlayers = playerStats === null ? counted.source : sourceOf('player-stats', playerStats);
  return selections.map((selection) => {
    const player = playerOf(selection, box, names);
    const grade = gradeSelection(selection, player, scored, box);
    return rowOf(game, selection, player, grade, restsOnPlayers(selection, grade) ? ofPlayers : counted.source);
  });
}

function scoredGame(league: League, scores: Scores, selections: readonly Selection[]): ScoredGame {
  const draws = selections.filter(({ market, selection }) => market === 'moneyline' && selection === 'draw');
  const drawPeriods = new Set(draws.map(({ period }) => period));
  return { league, scores, standing: standingOf(league, scores), drawPeriods };
}

/** The first reason that applies, otherwise the grade. docs/settlement.md#result-reasons. */
function gradeSelection(selection: Selection, player: FoundPlayer, scored: ScoredGame, box: BoxScore): Grade {
  const { league, standing } = scored;
  const isOfTeams = teamMarkets.has(selection.market);
  const ofPlayer = playerMarketOf(league, selection.market);
  if (!isOfTeams && ofPlayer === undefined) return notGraded('unknown_market');
  const span = isOfTeams || selection.period === 'full' ? spanOf(league, selection.period) : null;
  if (span === null) return notGraded('no_such_period');
  const fault = faultOf(selection);
  if (fault !== null) return notGraded(fault);
  if (ofPlayer === undefined) return gradeTeamMarket(selection, span, scored);
  const grade = gradePlayerMarket(selection, ofPlayer, player.gradedAs, box);
  const stands = standing !== 'shortened' || (ofPlayer.onlyRises && isDecided(selection, grade));
  return stands ? grade : notGraded('shortened');
}

/** What is wrong with a selection of a known market; null if nothing. */
function faultOf({ market, selection, line }: Selection): ResultReason | null {
  if (!(teamMarkets.get(market) ?? playerSelections).has(selection)) return 'unknown_selection';
  const needsLine = market !== 'moneyline' && selection !== 'yes' && selection !== 'no';
  if (needsLine && line === null) return 'line_missing';
  return !needsLine && line !== null ? 'line_unexpected' : null;
}

/**
 * The player of a row. `gradedAs` is null if there is none, or if the id and the name contradict each other. `forVoid`: the player is only
 * on a team's list, which does not prove participation: such a row can only be void.
 */
type FoundPlayer = { readonly id: string | null; readonly gradedAs: string | null; readonly forVoid: boolean };

/** The player of the log's `player_id`, otherwise the one of that name. docs/settlement.md#players-by-name. */
function playerOf(selection: Selection, box: BoxScore, names: NamedPlayers): FoundPlayer {
  const { playerId } = selection;
  if (playerId !== null) {
    const isAnother = !box.has(playerId) && names.isInBoxScore(selection);
    return { id: playerId, gradedAs: isAnother ? null : playerId, forVoid: false };
  }
  const found = names.find(selection);
  const id = found?.id ?? null;
  return { id, gradedAs: id, forVoid: found?.hasRow === false };
}

/** Whether player-stats are the evidence of a row. For an ungraded row, or a void one of a shortened game, the scores are. */
function restsOnPlayers({ market }: Selection, { result, reason }: Grade): boolean {
  return !teamMarkets.has(market) && result !== 'ungraded' && reason !== 'shortened';
}

function rowOf(
  game: GradedGame,
  selection: Selection,
  player: FoundPlayer,
  { result, value, reason }: Grade,
  source: Source,
): MarketResultsRow {
  return {
    game_id: game.gameId,
    league: game.league,
    selection_id: selection.selectionId,
    market: selection.market,
    period: selection.period,
    selection: selection.selection,
    player_id: player.forVoid && result !== 'void' ? null : player.id,
    line: selection.line,
    result,
    result_value: value === null ? null : thousandths(value),
    result_reason: reason,
    settled_at: source.at,
    settlement_source: source.name,
    correction: 0,
  };
}

/** Converts ten-thousandths to thousandths, rounded half even. */
function thousandths(value: number): number {
  const rounded = divideHalfEven(Math.abs(value), 10);
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}
