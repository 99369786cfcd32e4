"""Made of the schema documents by tests/whole/repository/typed-rows.e2e.test.ts."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Literal, TypedDict

__all__ = [
    "ClosingLinesRow",
    "GameStateRow",
    "GameStateTimelineRow",
    "InjuriesRow",
    "MarketResultsRow",
    "PlayerStatsRow",
    "PlaysRow",
    "SportsbookLinesRow",
    "TeamStatsRow",
    "BoardRow",
]


class ClosingLinesRow(TypedDict):
    """A row of `closing-lines`."""

    game_id: str
    """Public game id in the record; the UUID while none is minted."""
    league: str
    """League code."""
    game_date: date
    """Eastern-Time calendar date of the scheduled start, as it was at the end."""
    operator: str
    """Code of the sportsbook, upper case."""
    selection_id: str
    """Canonical identity of the selection: market/period/selection, then the player and the line if they distinguish selections."""
    market: str
    """Market, such as moneyline, spread, total, team_total or player_points."""
    period: str
    """Part of the game that the market covers, such as full, first_half or q1."""
    selection: str
    """Side: home, away, draw, over, under, yes, no, else the source's words."""
    player_id: str | None
    """Canonical player UUID; null if no player is named or known."""
    line: Decimal | None
    """Handicap or total; null for markets without one. Unit: points."""
    closing_price_american: int
    """Closing price in American odds. Unit: American odds."""
    closing_price_decimal: Decimal
    """Closing price in decimal odds. Unit: decimal odds."""
    opening_line: Decimal | None
    """Line of the first open quote; it may differ from the closing one. Unit: points."""
    opening_price_american: int | None
    """Price of the first open quote in American odds. Unit: American odds."""
    opening_price_decimal: Decimal | None
    """Price of the first open quote in decimal odds. Unit: decimal odds."""
    opened_at: datetime | None
    """When the selection was first observed open."""
    closed_at: datetime
    """Timestamp of the closing row."""
    close_basis: Literal["last_before_start", "suspended_before_start", "reconstructed"]
    """How the closing quote was found: the selection was open when play began, or suspended by then; reconstructed if the start of play is unknown."""
    scheduled_start: datetime
    """The start as it was scheduled when play began."""
    actual_start: datetime | None
    """When play began, by the first evidence of it; null if there is none."""
    home_player_ids: list[str]
    """Canonical UUIDs of the home starters, by their places in the line-up; empty when unknown."""
    away_player_ids: list[str]
    """Canonical UUIDs of the away starters, by their places in the line-up; empty when unknown."""


class GameStateRow(TypedDict):
    """A row of `game-state`."""

    game_id: str
    """Public game id in the record; the UUID while none is minted."""
    league: str
    """League code."""
    msf_game_id: int
    """The source's game id."""
    start_time: datetime
    """Scheduled start."""
    original_start_time: datetime | None
    """Scheduled start before it was moved."""
    ended_time: datetime | None
    """When the game ended."""
    schedule_status: str
    """The source's schedule status, verbatim."""
    delayed_or_postponed_reason: str | None
    """Why the game is delayed or postponed."""
    played_status: str
    """The source's played status, verbatim."""
    period: int | None
    """Number of the current period, quarter, half or inning."""
    period_type: str | None
    """Kind of period: quarter, period, half, inning or overtime."""
    intermission: int | None
    """Number of the current intermission."""
    clock_seconds_remaining: int | None
    """Time left in the period. Unit: seconds."""
    possession_team_id: str | None
    """Canonical UUID of the team in possession."""
    home_team_id: str
    """Canonical UUID of the home team."""
    away_team_id: str
    """Canonical UUID of the away team."""
    home_score: int | None
    """Score of the home team. Unit: points."""
    away_score: int | None
    """Score of the away team. Unit: points."""
    home_period_scores: list[int]
    """Score of the home team in each period, in order. Unit: points."""
    away_period_scores: list[int]
    """Score of the away team in each period, in order. Unit: points."""
    venue_id: str | None
    """Canonical UUID of the venue."""
    venue_name: str | None
    """Name of the venue."""
    venue_allegiance: str | None
    """Whose venue it is."""
    attendance: int | None
    """Spectators. Unit: people."""
    situation: str | None
    """State that only this league has, as canonical JSON (RFC 8785)."""


class GameStateTimelineRow(TypedDict):
    """A row of `game-state-timeline`."""

    game_id: str
    """Public game id in the record; the UUID while none is minted."""
    league: str
    """League code."""
    sequence: int
    """Position in the timeline, from 1."""
    timestamp: datetime
    """When the source reported this state."""
    status: str
    """Schedule status of the game."""
    period: int | None
    """Number of the period, quarter, half or inning."""
    period_type: str | None
    """Kind of period: quarter, period, half, inning or overtime."""
    clock_seconds_remaining: int | None
    """Time left in the period. Unit: seconds."""
    home_score: int | None
    """Score of the home team. Unit: points."""
    away_score: int | None
    """Score of the away team. Unit: points."""
    possession_team_id: str | None
    """Canonical UUID of the team in possession."""
    situation: str | None
    """State that only this league has, as canonical JSON (RFC 8785)."""
    stream_epoch: str
    """Epoch of the game-state stream that this state comes from."""
    revision: int
    """Revision of the game-state stream that this state comes from."""


class InjuriesRow(TypedDict):
    """A row of `injuries`."""

    league: str
    """League code."""
    player_id: str
    """Canonical player UUID."""
    first_name: str
    """First name."""
    last_name: str
    """Last name."""
    position: str | None
    """Position code."""
    team_id: str | None
    """Canonical UUID of the player's team."""
    description: str
    """What the injury is."""
    playing_probability: str | None
    """How likely the player is to play, in the words of the source."""
    source_updated_at: datetime | None
    """The source's own timestamp of the injury."""


class MarketResultsRow(TypedDict):
    """A row of `market-results`."""

    game_id: str
    """Public game id in the record; the UUID while none is minted."""
    league: str
    """League code."""
    selection_id: str
    """Canonical identity of the selection: market/period/selection, then the player and the line if they distinguish selections."""
    market: str
    """Market, such as moneyline, spread, total, team_total or player_points."""
    period: str
    """Part of the game that the market covers, such as full, first_half or q1."""
    selection: str
    """Side: home, away, draw, over, under, yes, no, else the source's words."""
    player_id: str | None
    """Canonical player UUID; null if no player is named or known."""
    line: Decimal | None
    """Handicap or total; null for markets without one. Unit: points."""
    result: Literal["win", "loss", "push", "void", "half_win", "half_loss", "ungraded"]
    """Grade of the selection; never guessed."""
    result_value: Decimal | None
    """The number on which the selection was graded; null if it is void or ungraded."""
    result_reason: Literal["cancelled", "unknown_market", "no_such_period", "unknown_selection", "line_missing", "line_unexpected", "shortened", "no_period_scores", "draw_quoted", "no_player_statistics", "unknown_player", "did_not_play", "participation_unknown", "unknown_statistic", "value_between"] | None
    """Why the selection is void or ungraded; null if it was graded."""
    settled_at: datetime
    """When the source reported the evidence for the grade."""
    settlement_source: str
    """The evidence for the grade: a revision, a manual score or a cancellation."""
    correction: int
    """0 for the first grade, then 1, 2 … each time a grade was corrected."""


class PlayerStatsRow(TypedDict):
    """A row of `player-stats`."""

    game_id: str
    """Public game id in the record; the UUID while none is minted."""
    league: str
    """League code."""
    player_id: str
    """Canonical player UUID."""
    team_id: str | None
    """Canonical UUID of the team played for."""
    stat: str
    """Statistic, as group.name."""
    value: Decimal
    """Value of the statistic."""


class PlaysRow(TypedDict):
    """A row of `plays`."""

    game_id: str
    """Public game id in the record; the UUID while none is minted."""
    league: str
    """League code."""
    play_id: str
    """Identity of the play, computed only from what the source sends."""
    sequence: int
    """Order of the play within the game."""
    period: int
    """Number of the period, quarter, half or inning."""
    period_type: str | None
    """Kind of period: quarter, period, half, inning or overtime."""
    clock_seconds_elapsed: int | None
    """Time since the period began. Unit: seconds."""
    play_type: str
    """Kind of play, as the source names it."""
    description: str
    """The source's description."""
    team_id: str | None
    """Canonical UUID of the team that the play is credited to."""
    player_ids: list[str]
    """Canonical UUIDs of the players involved."""
    points: int | None
    """Points that the play scored. Unit: points."""
    detail: str
    """The source's play without its description, as canonical JSON (RFC 8785)."""


class SportsbookLinesRow(TypedDict):
    """A row of `sportsbook-lines`."""

    game_id: str
    """Public game id in the record; the UUID while none is minted."""
    league: str
    """League code."""
    operator: str
    """Code of the sportsbook, upper case."""
    row_number: int
    """Position in the game's log, from 1; without gaps, unless rows were removed after an audit."""
    selection_id: str
    """Canonical identity of the selection: market/period/selection, then the player and the line if they distinguish selections."""
    market: str
    """Market, such as moneyline, spread, total, team_total or player_points."""
    period: str
    """Part of the game that the market covers, such as full, first_half or q1."""
    selection: str
    """Side: home, away, draw, over, under, yes, no, else the source's words."""
    player_id: str | None
    """Canonical player UUID; null if no player is named or known."""
    line: Decimal | None
    """Handicap or total; null for markets without one. Unit: points."""
    price_american: int | None
    """Price in American odds; null when the selection was never priced. Unit: American odds."""
    price_decimal: Decimal | None
    """Price in decimal odds; null when the selection was never priced. Unit: decimal odds."""
    price_source_format: Literal["american", "decimal", "fractional"] | None
    """Format in which the source gave the price; the other is derived exactly."""
    is_open: bool
    """Whether the selection can be bet on; false when suspended or withdrawn."""
    change: Literal["opened", "price", "line", "price_and_line", "suspended", "resumed", "withdrawn"]
    """What this row changed. `opened`: the selection is quoted for the first time. `price`, `line`, `price_and_line`: an open quote moved. `suspended`: it cannot be bet on for now. `resumed`: after a suspension or a withdrawal it can be again, at the price and line of the row. `withdrawn`: it is not offered any more."""
    in_play: bool
    """Whether the game was being played."""
    timestamp: datetime
    """When the quote was observed."""
    source_timestamp: datetime | None
    """The sportsbook's own timestamp."""
    source: str
    """Who delivered the quote."""


class TeamStatsRow(TypedDict):
    """A row of `team-stats`."""

    game_id: str
    """Public game id in the record; the UUID while none is minted."""
    league: str
    """League code."""
    team_id: str
    """Canonical team UUID."""
    stat: str
    """Statistic, as group.name."""
    value: Decimal
    """Value of the statistic."""


class BoardRow(TypedDict):
    """A row of `board`."""

    game_id: str
    """Public game id in the record; the UUID while none is minted."""
    league: str
    """League code."""
    operator: str
    """Code of the sportsbook, upper case."""
    row_number: int
    """Position in the game's log, from 1; without gaps, unless rows were removed after an audit."""
    selection_id: str
    """Canonical identity of the selection: market/period/selection, then the player and the line if they distinguish selections."""
    market: str
    """Market, such as moneyline, spread, total, team_total or player_points."""
    period: str
    """Part of the game that the market covers, such as full, first_half or q1."""
    selection: str
    """Side: home, away, draw, over, under, yes, no, else the source's words."""
    player_id: str | None
    """Canonical player UUID; null if no player is named or known."""
    line: Decimal | None
    """Handicap or total; null for markets without one. Unit: points."""
    price_american: int | None
    """Price in American odds; null when the selection was never priced. Unit: American odds."""
    price_decimal: Decimal | None
    """Price in decimal odds; null when the selection was never priced. Unit: decimal odds."""
    price_source_format: Literal["american", "decimal", "fractional"] | None
    """Format in which the source gave the price; the other is derived exactly."""
    is_open: bool
    """Whether the selection can be bet on; false when suspended or withdrawn."""
    change: Literal["opened", "price", "line", "price_and_line", "suspended", "resumed", "withdrawn"]
    """What this row changed. `opened`: the selection is quoted for the first time. `price`, `line`, `price_and_line`: an open quote moved. `suspended`: it cannot be bet on for now. `resumed`: after a suspension or a withdrawal it can be again, at the price and line of the row. `withdrawn`: it is not offered any more."""
    in_play: bool
    """Whether the game was being played."""
    timestamp: datetime
    """When the quote was observed."""
    source_timestamp: datetime | None
    """The sportsbook's own timestamp."""
    source: str
    """Who delivered the quote."""
    last_changed_at: datetime
    """Timestamp of the selection's newest row."""
    operator_observed_through: datetime
    """The sportsbook's watermark when one of its rows or states last changed; the manifest has the current one."""
    quote_state: Literal["live", "stale_suspect"]
    """Whether the quote can still be trusted: stale_suspect when the source left it out or the sportsbook has been silent for too long."""
