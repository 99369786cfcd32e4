// The evidence for grading a game's markets, as the settlement worker provides it, and which scores count. Independent of markets.
import type { Micros } from '../units.ts';

/** Scores as reported; the lists are empty if no period scores are given. */
export type Scores = {
  readonly away: number;
  readonly home: number;
  readonly awayPeriods: readonly number[];
  readonly homePeriods: readonly number[];
};

/** A score that the administrator entered, and the audit row that records it. */
export type ManualEvidence = Scores & { readonly auditId: number | string; readonly at: Micros };

/** A revision of a stream of this game; `at` is its `source_updated_at`. */
type EvidenceRevision = { readonly epoch: string; readonly revision: number; readonly at: Micros };

/** The row of `game-state` at a revision. */
export type GameStateEvidence = EvidenceRevision & {
  readonly playedStatus: string;
  readonly away: number | null;
  readonly home: number | null;
  readonly awayPeriods: readonly number[];
  readonly homePeriods: readonly number[];
};

/** A row of `player-stats`; `value` is in ten-thousandths. */
type PlayerStat = {
  readonly playerId: string;
  readonly teamId: string | null;
  readonly stat: string;
  readonly value: number;
};

export type PlayerStatsEvidence = EvidenceRevision & { readonly rows: readonly PlayerStat[] };

/** A player of the reference data. */
export type ReferencePlayer = {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly currentTeamId: string | null;
};

/** Everything that grading needs besides the selections; a team is null if unknown. */
export type Evidence = {
  readonly homeTeamId: string | null;
  readonly awayTeamId: string | null;
  /** The `at` of the status CANCELLED, if that was the status at the close. */
  readonly cancelledAt: Micros | null;
  readonly manual: ManualEvidence | null;
  readonly gameState: GameStateEvidence | null;
  readonly playerStats: PlayerStatsEvidence | null;
  readonly players: readonly ReferencePlayer[];
};

/** Where a result comes from, for `settlement_source` and `settled_at`. docs/settlement.md#settlement-source. */
export type Source = { readonly name: string; readonly at: Micros };

/** The scores that count and their source: manual evidence, otherwise a completed game-state with both scores; null if there are none. */
export function scoresOf({ manual, gameState }: Evidence): { scores: Scores; source: Source } | null {
  if (manual !== null) return { scores: manual, source: { name: `manual/${manual.auditId}`, at: manual.at } };
  if (gameState === null || !completed.has(gameState.playedStatus)) return null;
  const { away, home, awayPeriods, homePeriods } = gameState;
  if (away === null || home === null || !isScore(away) || !isScore(home)) return null;
  return { scores: { away, home, awayPeriods, homePeriods }, source: sourceOf('game-state', gameState) };
}

/** Whether the evidence allows any grading; otherwise no file is made. */
export function allowsGrading(evidence: Evidence): boolean {
  return evidence.cancelledAt !== null || scoresOf(evidence) !== null;
}

const completed: ReadonlySet<string> = new Set(['COMPLETED', 'COMPLETED_PENDING_REVIEW']);

/** The name of a revision as the source of a result. */
export function sourceOf(dataset: 'game-state' | 'player-stats', { epoch, revision, at }: EvidenceRevision): Source {
  return { name: `${dataset}/${epoch}/${revision}`, at };
}

/** Whether a number of a body can be a score. Sums of such numbers fit into `result_value`; a larger one would not. */
export function isScore(points: number): boolean {
  return Number.isInteger(points) && Math.abs(points) < 10_000_000;
}
