// The catalog as it knows reference data: the teams and players of the lists, and what the sources say of them. Who is who is decided at
// ingest, what is said of them comes through the log.
import type { GamesRecord } from '../../../schemas/events/games.ts';
import type { Identity } from '../../reference/identify.ts';
import type { ReferenceElement } from '../../reference/types.ts';
import type { CommitAnswer, FlushCommit } from './checkpoints.ts';
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

/** A record that may be applied, and where it stands in its partition. */
export type ReferenceEntry = { offset: number; record: GamesRecord };

/** The commit of a flush, as any projector's; `records` in the order of the log. */
export type ReferenceCommit = FlushCommit & { records: readonly ReferenceEntry[] };

export interface ReferenceCatalog {
  /** Identifies whom the elements of a push are about, in order, and stores the ids and the teams that are new. */
  identify(source: string, elements: readonly ReferenceElement[]): Promise<readonly Identity[]>;
  /** The canonical ids of players that `source` calls by ids of its own, by `nameOf` (core/reference/identify.ts); nobody's is absent. */
  playersCalled(
    source: string,
    names: readonly { league: string; sourceId: string }[],
  ): Promise<ReadonlyMap<string, string>>;
  /**
   * Applies records: facts of players and venues are their founder's alone, teams gain names, and games that waited for a name are minted.
   * A record about a team that does not exist becomes a dead letter. @throws UnknownCommit when the answer to COMMIT was lost.
   */
  commit(commit: ReferenceCommit): Promise<CommitAnswer>;
  teams(query: TeamsQuery): Promise<readonly CatalogTeam[]>;
  players(query: PlayersQuery): Promise<readonly CatalogPlayer[]>;
}
