// A game's player-stats, looked up by player and statistic. Independent of markets and players' names.
import type { PlayerStatsEvidence } from './evidence.ts';

export class BoxScore {
  /** Whether there are rows for players of both teams: half a box score proves nothing. */
  readonly hasBothTeams: boolean;
  readonly #players = new Map<string, Map<string, number>>();
  readonly #statistics = new Set<string>();

  constructor(
    evidence: PlayerStatsEvidence | null,
    { homeTeamId, awayTeamId }: { homeTeamId: string | null; awayTeamId: string | null },
  ) {
    const teams = new Set<string | null>();
    for (const { playerId, teamId, stat, value } of evidence?.rows ?? []) {
      teams.add(teamId);
      this.#statistics.add(stat);
      const stats = this.#players.get(playerId) ?? new Map<string, number>();
      if (stats.size === 0) this.#players.set(playerId, stats);
      stats.set(stat, (stats.get(stat) ?? 0) + value);
    }
    this.hasBothTeams = homeTeamId !== null && awayTeamId !== null && teams.has(homeTeamId) && teams.has(awayTeamId);
  }

  /** Whether the player has a row. */
  has(playerId: string): boolean {
    return this.#players.has(playerId);
  }

  /** Whether any player of the game has this statistic. */
  hasStatistic(stat: string): boolean {
    return this.#statistics.has(stat);
  }

  /** A player's statistic in ten-thousandths; 0 if the player lacks it. */
  statistic(playerId: string, stat: string): number {
    return this.#players.get(playerId)?.get(stat) ?? 0;
  }

  /** Whether any of the player's statistics whose name begins with this is other than 0. */
  hasValue(playerId: string, beginning: string): boolean {
    for (const [stat, value] of this.#players.get(playerId) ?? []) {
      if (value !== 0 && stat.startsWith(beginning)) return true;
    }
    return false;
  }
}
