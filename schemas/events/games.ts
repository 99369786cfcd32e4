// TypeScript form of games.avsc (subject sds.games.v1-value), the same names and shapes. Reference data for whoever reads the topics:
// no fold of ours depends on it. Times are microseconds UTC.

/** A side of a game; without `id` the name is the source's own. */
export type GameTeam = { id: string | null; name: string; abbreviation: string | null };

/** One value of `sds.games.v1`, the whole of what is known (operations.md, "Kafka topics"). */
export type GamesRecord = {
  game_uuid: string;
  game_id: string | null;
  league: string;
  game_date: string;
  scheduled_start: number;
  from_schedule: boolean;
  status: string;
  home_team: GameTeam | null;
  away_team: GameTeam | null;
  founder_source: string;
  updated_at: number;
};
