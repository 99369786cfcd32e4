// Made of the schema documents by tests/whole/repository/typed-rows.e2e.test.ts.

/** A row of `closing-lines` in JSON form. */
export type ClosingLinesRow = {
  /** Public game id in the record; the UUID while none is minted. */
  readonly game_id: string;
  /** League code. */
  readonly league: string;
  /** Eastern-Time calendar date of the scheduled start, as it was at the end. */
  readonly game_date: string;
  /** Code of the sportsbook, upper case. */
  readonly operator: string;
  /** Canonical identity of the selection: market/period/selection, then the player and the line if they distinguish selections. */
  readonly selection_id: string;
  /** Market, such as moneyline, spread, total, team_total or player_points. */
  readonly market: string;
  /** Part of the game that the market covers, such as full, first_half or q1. */
  readonly period: string;
  /** Side: home, away, draw, over, under, yes, no, else the source's words. */
  readonly selection: string;
  /** Canonical player UUID; null if no player is named or known. */
  readonly player_id: string | null;
  /** Handicap or total; null for markets without one. Unit: points. */
  readonly line: string | null;
  /** Closing price in American odds. Unit: American odds. */
  readonly closing_price_american: number;
  /** Closing price in decimal odds. Unit: decimal odds. */
  readonly closing_price_decimal: string;
  /** Line of the first open quote; it may differ from the closing one. Unit: points. */
  readonly opening_line: string | null;
  /** Price of the first open quote in American odds. Unit: American odds. */
  readonly opening_price_american: number | null;
  /** Price of the first open quote in decimal odds. Unit: decimal odds. */
  readonly opening_price_decimal: string | null;
  /** When the selection was first observed open. */
  readonly opened_at: string | null;
  /** Timestamp of the closing row. */
  readonly closed_at: string;
  /** How the closing quote was found: the selection was open when play began, or suspended by then; reconstructed if the start of play is unknown. */
  readonly close_basis: 'last_before_start' | 'suspended_before_start' | 'reconstructed';
  /** The start as it was scheduled when play began. */
  readonly scheduled_start: string;
  /** When play began, by the first evidence of it; null if there is none. */
  readonly actual_start: string | null;
  /** Canonical UUIDs of the home starters, by their places in the line-up; empty when unknown. */
  readonly home_player_ids: readonly string[];
  /** Canonical UUIDs of the away starters, by their places in the line-up; empty when unknown. */
  readonly away_player_ids: readonly string[];
};

/** A row of `game-state` in JSON form. */
export type GameStateRow = {
  /** Public game id in the record; the UUID while none is minted. */
  readonly game_id: string;
  /** League code. */
  readonly league: string;
  /** The source's game id. */
  readonly msf_game_id: number;
  /** Scheduled start. */
  readonly start_time: string;
  /** Scheduled start before it was moved. */
  readonly original_start_time: string | null;
  /** When the game ended. */
  readonly ended_time: string | null;
  /** The source's schedule status, verbatim. */
  readonly schedule_status: string;
  /** Why the game is delayed or postponed. */
  readonly delayed_or_postponed_reason: string | null;
  /** The source's played status, verbatim. */
  readonly played_status: string;
  /** Number of the current period, quarter, half or inning. */
  readonly period: number | null;
  /** Kind of period: quarter, period, half, inning or overtime. */
  readonly period_type: string | null;
  /** Number of the current intermission. */
  readonly intermission: number | null;
  /** Time left in the period. Unit: seconds. */
  readonly clock_seconds_remaining: number | null;
  /** Canonical UUID of the team in possession. */
  readonly possession_team_id: string | null;
  /** Canonical UUID of the home team. */
  readonly home_team_id: string;
  /** Canonical UUID of the away team. */
  readonly away_team_id: string;
  /** Score of the home team. Unit: points. */
  readonly home_score: number | null;
  /** Score of the away team. Unit: points. */
  readonly away_score: number | null;
  /** Score of the home team in each period, in order. Unit: points. */
  readonly home_period_scores: readonly number[];
  /** Score of the away team in each period, in order. Unit: points. */
  readonly away_period_scores: readonly number[];
  /** Canonical UUID of the venue. */
  readonly venue_id: string | null;
  /** Name of the venue. */
  readonly venue_name: string | null;
  /** Whose venue it is. */
  readonly venue_allegiance: string | null;
  /** Spectators. Unit: people. */
  readonly attendance: number | null;
  /** State that only this league has, as canonical JSON (RFC 8785). */
  readonly situation: string | null;
};

/** A row of `game-state-timeline` in JSON form. */
export type GameStateTimelineRow = {
  /** Public game id in the record; the UUID while none is minted. */
  readonly game_id: string;
  /** League code. */
  readonly league: string;
  /** Position in the timeline, from 1. */
  readonly sequence: number;
  /** When the source reported this state. */
  readonly timestamp: string;
  /** Schedule status of the game. */
  readonly status: string;
  /** Number of the period, quarter, half or inning. */
  readonly period: number | null;
  /** Kind of period: quarter, period, half, inning or overtime. */
  readonly period_type: string | null;
  /** Time left in the period. Unit: seconds. */
  readonly clock_seconds_remaining: number | null;
  /** Score of the home team. Unit: points. */
  readonly home_score: number | null;
  /** Score of the away team. Unit: points. */
  readonly away_score: number | null;
  /** Canonical UUID of the team in possession. */
  readonly possession_team_id: string | null;
  /** State that only this league has, as canonical JSON (RFC 8785). */
  readonly situation: string | null;
  /** Epoch of the game-state stream that this state comes from. */
  readonly stream_epoch: string;
  /** Revision of the game-state stream that this state comes from. */
  readonly revision: number;
};

/** A row of `injuries` in JSON form. */
export type InjuriesRow = {
  /** League code. */
  readonly league: string;
  /** Canonical player UUID. */
  readonly player_id: string;
  /** First name. */
  readonly first_name: string;
  /** Last name. */
  readonly last_name: string;
  /** Position code. */
  readonly position: string | null;
  /** Canonical UUID of the player's team. */
  readonly team_id: string | null;
  /** What the injury is. */
  readonly description: string;
  /** How likely the player is to play, in the words of the source. */
  readonly playing_probability: string | null;
  /** The source's own timestamp of the injury. */
  readonly source_updated_at: string | null;
};

/** A row of `market-results` in JSON form. */
export type MarketResultsRow = {
  /** Public game id in the record; the UUID while none is minted. */
  readonly game_id: string;
  /** League code. */
  readonly league: string;
  /** Canonical identity of the selection: market/period/selection, then the player and the line if they distinguish selections. */
  readonly selection_id: string;
  /** Market, such as moneyline, spread, total, team_total or player_points. */
  readonly market: string;
  /** Part of the game that the market covers, such as full, first_half or q1. */
  readonly period: string;
  /** Side: home, away, draw, over, under, yes, no, else the source's words. */
  readonly selection: string;
  /** Canonical player UUID; null if no player is named or known. */
  readonly player_id: string | null;
  /** Handicap or total; null for markets without one. Unit: points. */
  readonly line: string | null;
  /** Grade of the selection; never guessed. */
  readonly result: 'win' | 'loss' | 'push' | 'void' | 'half_win' | 'half_loss' | 'ungraded';
  /** The number on which the selection was graded; null if it is void or ungraded. */
  readonly result_value: string | null;
  /** Why the selection is void or ungraded; null if it was graded. */
  readonly result_reason:
    | 'cancelled'
    | 'unknown_market'
    | 'no_such_period'
    | 'unknown_selection'
    | 'line_missing'
    | 'line_unexpected'
    | 'shortened'
    | 'no_period_scores'
    | 'draw_quoted'
    | 'no_player_statistics'
    | 'unknown_player'
    | 'did_not_play'
    | 'participation_unknown'
    | 'unknown_statistic'
    | 'value_between'
    | null;
  /** When the source reported the evidence for the grade. */
  readonly settled_at: string;
  /** The evidence for the grade: a revision, a manual score or a cancellation. */
  readonly settlement_source: string;
  /** 0 for the first grade, then 1, 2 … each time a grade was corrected. */
  readonly correction: number;
};

/** A row of `player-stats` in JSON form. */
export type PlayerStatsRow = {
  /** Public game id in the record; the UUID while none is minted. */
  readonly game_id: string;
  /** League code. */
  readonly league: string;
  /** Canonical player UUID. */
  readonly player_id: string;
  /** Canonical UUID of the team played for. */
  readonly team_id: string | null;
  /** Statistic, as group.name. */
  readonly stat: string;
  /** Value of the statistic. */
  readonly value: string;
};

/** A row of `plays` in JSON form. */
export type PlaysRow = {
  /** Public game id in the record; the UUID while none is minted. */
  readonly game_id: string;
  /** League code. */
  readonly league: string;
  /** Identity of the play, computed only from what the source sends. */
  readonly play_id: string;
  /** Order of the play within the game. */
  readonly sequence: number;
  /** Number of the period, quarter, half or inning. */
  readonly period: number;
  /** Kind of period: quarter, period, half, inning or overtime. */
  readonly period_type: string | null;
  /** Time since the period began. Unit: seconds. */
  readonly clock_seconds_elapsed: number | null;
  /** Kind of play, as the source names it. */
  readonly play_type: string;
  /** The source's description. */
  readonly description: string;
  /** Canonical UUID of the team that the play is credited to. */
  readonly team_id: string | null;
  /** Canonical UUIDs of the players involved. */
  readonly player_ids: readonly string[];
  /** Points that the play scored. Unit: points. */
  readonly points: number | null;
  /** The source's play without its description, as canonical JSON (RFC 8785). */
  readonly detail: string;
};

/** A row of `sportsbook-lines` in JSON form. */
export type SportsbookLinesRow = {
  /** Public game id in the record; the UUID while none is minted. */
  readonly game_id: string;
  /** League code. */
  readonly league: string;
  /** Code of the sportsbook, upper case. */
  readonly operator: string;
  /** Position in the game's log, from 1; without gaps, unless rows were removed after an audit. */
  readonly row_number: number;
  /** Canonical identity of the selection: market/period/selection, then the player and the line if they distinguish selections. */
  readonly selection_id: string;
  /** Market, such as moneyline, spread, total, team_total or player_points. */
  readonly market: string;
  /** Part of the game that the market covers, such as full, first_half or q1. */
  readonly period: string;
  /** Side: home, away, draw, over, under, yes, no, else the source's words. */
  readonly selection: string;
  /** Canonical player UUID; null if no player is named or known. */
  readonly player_id: string | null;
  /** Handicap or total; null for markets without one. Unit: points. */
  readonly line: string | null;
  /** Price in American odds; null when the selection was never priced. Unit: American odds. */
  readonly price_american: number | null;
  /** Price in decimal odds; null when the selection was never priced. Unit: decimal odds. */
  readonly price_decimal: string | null;
  /** Format in which the source gave the price; the other is derived exactly. */
  readonly price_source_format: 'american' | 'decimal' | 'fractional' | null;
  /** Whether the selection can be bet on; false when suspended or withdrawn. */
  readonly is_open: boolean;
  /** What this row changed. `opened`: the selection is quoted for the first time. `price`, `line`, `price_and_line`: an open quote moved. `suspended`: it cannot be bet on for now. `resumed`: after a suspension or a withdrawal it can be again, at the price and line of the row. `withdrawn`: it is not offered any more. */
  readonly change: 'opened' | 'price' | 'line' | 'price_and_line' | 'suspended' | 'resumed' | 'withdrawn';
  /** Whether the game was being played. */
  readonly in_play: boolean;
  /** When the quote was observed. */
  readonly timestamp: string;
  /** The sportsbook's own timestamp. */
  readonly source_timestamp: string | null;
  /** Who delivered the quote. */
  readonly source: string;
};

/** A row of `team-stats` in JSON form. */
export type TeamStatsRow = {
  /** Public game id in the record; the UUID while none is minted. */
  readonly game_id: string;
  /** League code. */
  readonly league: string;
  /** Canonical team UUID. */
  readonly team_id: string;
  /** Statistic, as group.name. */
  readonly stat: string;
  /** Value of the statistic. */
  readonly value: string;
};

/** A row of `board` in JSON form. */
export type BoardRow = {
  /** Public game id in the record; the UUID while none is minted. */
  readonly game_id: string;
  /** League code. */
  readonly league: string;
  /** Code of the sportsbook, upper case. */
  readonly operator: string;
  /** Position in the game's log, from 1; without gaps, unless rows were removed after an audit. */
  readonly row_number: number;
  /** Canonical identity of the selection: market/period/selection, then the player and the line if they distinguish selections. */
  readonly selection_id: string;
  /** Market, such as moneyline, spread, total, team_total or player_points. */
  readonly market: string;
  /** Part of the game that the market covers, such as full, first_half or q1. */
  readonly period: string;
  /** Side: home, away, draw, over, under, yes, no, else the source's words. */
  readonly selection: string;
  /** Canonical player UUID; null if no player is named or known. */
  readonly player_id: string | null;
  /** Handicap or total; null for markets without one. Unit: points. */
  readonly line: string | null;
  /** Price in American odds; null when the selection was never priced. Unit: American odds. */
  readonly price_american: number | null;
  /** Price in decimal odds; null when the selection was never priced. Unit: decimal odds. */
  readonly price_decimal: string | null;
  /** Format in which the source gave the price; the other is derived exactly. */
  readonly price_source_format: 'american' | 'decimal' | 'fractional' | null;
  /** Whether the selection can be bet on; false when suspended or withdrawn. */
  readonly is_open: boolean;
  /** What this row changed. `opened`: the selection is quoted for the first time. `price`, `line`, `price_and_line`: an open quote moved. `suspended`: it cannot be bet on for now. `resumed`: after a suspension or a withdrawal it can be again, at the price and line of the row. `withdrawn`: it is not offered any more. */
  readonly change: 'opened' | 'price' | 'line' | 'price_and_line' | 'suspended' | 'resumed' | 'withdrawn';
  /** Whether the game was being played. */
  readonly in_play: boolean;
  /** When the quote was observed. */
  readonly timestamp: string;
  /** The sportsbook's own timestamp. */
  readonly source_timestamp: string | null;
  /** Who delivered the quote. */
  readonly source: string;
  /** Timestamp of the selection's newest row. */
  readonly last_changed_at: string;
  /** The sportsbook's watermark when one of its rows or states last changed; the manifest has the current one. */
  readonly operator_observed_through: string;
  /** Whether the quote can still be trusted: stale_suspect when the source left it out or the sportsbook has been silent for too long. */
  readonly quote_state: 'live' | 'stale_suspect';
};

/** The rows of each dataset. */
export type Rows = {
  'closing-lines': ClosingLinesRow;
  'game-state': GameStateRow;
  'game-state-timeline': GameStateTimelineRow;
  injuries: InjuriesRow;
  'market-results': MarketResultsRow;
  'player-stats': PlayerStatsRow;
  plays: PlaysRow;
  'sportsbook-lines': SportsbookLinesRow;
  'team-stats': TeamStatsRow;
  board: BoardRow;
};
