// Reference data in the catalog: the listed teams and players, and what the sources report of them. Ids are resolved at ingest; the facts
// come through the log.
import type { GamesRecord } from '../../../schemas/events/games.ts';
import type { ReferenceIdentity } from '../../reference/identify.ts';
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

/** Ordered by league, then by abbreviation, both as bytes; `after` is the last one seen. */
export type TeamsQuery = {
  league: string | null;
  after: { league: string; abbreviation: string } | null;
  limit: number;
};

/** Ordered by id; `after` is the last row of the previous page. */
export type PlayersQuery = { league: string | null; teamId: string | null; after: string | null; limit: number };

/** A valid record and its offset. */
export type ReferenceEntry = { offset: number; record: GamesRecord };

/** A flush commit like any projector's; `records` in log order. */
export type ReferenceCommit = FlushCommit & { records: readonly ReferenceEntry[] };

export interface ReferenceCatalog {
  /** Resolves the subjects of a push's elements, in order, and stores new ids and teams. */
  identify(source: string, elements: readonly ReferenceElement[]): Promise<readonly ReferenceIdentity[]>;
  /** The canonical ids of players by `source`'s own ids, keyed by `nameOf` (core/reference/identify.ts); unknown ones are absent. */
  playersCalled(
    source: string,
    names: readonly { league: string; sourceId: string }[],
  ): Promise<ReadonlyMap<string, string>>;
  /**
   * Applies records. Only the founder sets the facts of players and venues; teams gain names, and games that waited for a name are minted.
   * A record about a team that does not exist becomes a dead letter. @throws UnknownCommit when the answer to COMMIT was lost.
   */
  commit(commit: ReferenceCommit): Promise<CommitAnswer>;
  teams(query: TeamsQuery): Promise<readonly CatalogTeam[]>;
  players(query: PlayersQuery): Promise<readonly CatalogPlayer[]>;
}
