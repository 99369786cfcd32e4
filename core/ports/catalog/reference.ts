// The catalog as it knows reference data: the teams and players of the lists.
import type { CatalogTeam } from './games.ts';

export type CatalogPlayer = {
  id: string;
  league: string;
  first_name: string;
  last_name: string;
  position: string | null;
  jersey_number: number | null;
  /** Null: a free agent. */
  current_team_id: string | null;
  /** False once the player is out of the league. */
  is_active: boolean;
};

/** Teams come by league, then by abbreviation, both as bytes; `after` is the last one seen. */
export type TeamsQuery = {
  league: string | null;
  after: { league: string; abbreviation: string } | null;
  limit: number;
};

/** Players come by id; `after` is the last one seen. */
export type PlayersQuery = { league: string | null; teamId: string | null; after: string | null; limit: number };

export interface ReferenceCatalog {
  teams(query: TeamsQuery): Promise<readonly CatalogTeam[]>;
  players(query: PlayersQuery): Promise<readonly CatalogPlayer[]>;
}
