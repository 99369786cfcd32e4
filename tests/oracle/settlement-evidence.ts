// The log and the evidence of a game as the second grader of market-results reads them, and the rows it makes. Nothing
// of the product is imported.

export interface LogRow {
  selection_id: string;
  market: string;
  period: string;
  selection: string;
  line: number | null;
  player_id: string | null;
  is_open: boolean;
}

export interface Evidence {
  league: string;
  homeTeamId: string | null;
  awayTeamId: string | null;
  cancelledAt: number | null;
  manual: {
    auditId: number | string;
    at: number;
    away: number;
    home: number;
    awayPeriods: readonly number[];
    homePeriods: readonly number[];
  } | null;
  gameState: {
    epoch: string;
    revision: number;
    at: number;
    playedStatus: string;
    away: number | null;
    home: number | null;
    awayPeriods: readonly number[];
    homePeriods: readonly number[];
  } | null;
  playerStats: {
    epoch: string;
    revision: number;
    at: number;
    rows: readonly { playerId: string; teamId: string | null; stat: string; value: number }[];
  } | null;
  players: readonly { id: string; firstName: string; lastName: string; currentTeamId: string | null }[];
}

export interface ResultRow {
  selection_id: string;
  market: string;
  period: string;
  selection: string;
  player_id: string | null;
  line: number | null;
  result: string;
  result_value: number | null;
  result_reason: string | null;
  settled_at: number;
  settlement_source: string;
  correction: number;
}

/** The score that counts (rule 1). `A`, `H`: the period scores. */
export interface Final {
  away: number;
  home: number;
  A: readonly number[];
  H: readonly number[];
  source: string;
  at: number;
}

/** A row to grade; `id` is the player that the log named. */
export interface Asked {
  selection_id: string;
  market: string;
  period: string;
  selection: string;
  line: number | null;
  id: string | null;
  open: LogRow[];
  evidence: Evidence;
}
