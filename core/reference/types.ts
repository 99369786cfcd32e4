// Reference data on its way into the catalog: what a source reports of a team, a player or a venue. Sources use their own ids; the
// service's are UUIDs (docs/revisions.md#ids).
import type { PlayerFacts, TeamFacts, VenueFacts } from '../../schemas/events/games.ts';

export type ReferenceKind = 'team' | 'player' | 'venue';

/** A player's team: by the source's own id, a canonical id, or a name. Null: a free agent. */
export type TeamLookup = { by: 'id'; id: string } | { by: 'name'; name: string } | null;

/** One element of a push, parsed but not yet identified. */
export type ReferenceElement = { league: string; sourceId: string } & (
  | { kind: 'team'; facts: TeamFacts }
  /** `playerId`: the canonical id of the known player that this one is. */
  | { kind: 'player'; facts: Omit<PlayerFacts, 'current_team_id'>; team: TeamLookup; playerId: string | null }
  | { kind: 'venue'; facts: VenueFacts }
);

type ReferenceCode =
  | 'too-large'
  | 'bad-team'
  | 'bad-player'
  | 'bad-venue'
  | 'forbidden-league'
  | 'unknown-team'
  | 'unknown-player'
  | 'id-conflict'
  | 'bad-key'
  | 'bad-record';

/** `pointer` is a JSON pointer from the record (the element of the push). */
export type ReferenceRefusal = { code: ReferenceCode; pointer: string; detail: string };
