// TypeScript form of games.avsc (subject sds.games.v1-value), the same names and shapes. A record read from the topic is untrusted until
// `core/reference` has checked it.

/** What a source reports of a team. A known team keeps its own name and abbreviation; those here become additional names. */
export type TeamFacts = {
  name: string;
  abbreviation: string | null;
  aliases: string[];
  city: string | null;
  nickname: string | null;
  conference: string | null;
  division: string | null;
  is_active: boolean | null;
};

export type PlayerFacts = {
  first_name: string;
  last_name: string;
  position: string | null;
  jersey_number: number | null;
  current_team_id: string | null;
  is_active: boolean;
};

export type VenueFacts = { name: string; city: string | null; country: string | null };

/** One value of `sds.games.v1`, the reference data; exactly one of the last three members is set (docs/operations.md#topics). */
export type GamesRecord = {
  id: string;
  league: string;
  source: string;
  source_id: string;
  received_at: number | null;
  push: string | null;
  push_index: number | null;
  team: TeamFacts | null;
  player: PlayerFacts | null;
  venue: VenueFacts | null;
};
