// What one source says of a team, a player or a venue as a record of `sds.games.v1`, under the key by which its newer words replace the older.
import type { OutgoingRecord } from '../../core/ports/broker.ts';
import { ownId } from '../../core/reference/identify.ts';
import type { ReferenceElement } from '../../core/reference/types.ts';
import type { Micros } from '../../core/units.ts';
import type { GamesRecord } from '../../schemas/events/games.ts';

/** Who says it, and in which push; `index` null: it is none of its records. */
type Said = { source: string; receivedAt: Micros; receipt: string; index: number | null };

export function referenceRecord(
  { source, receivedAt, receipt, index }: Said,
  element: ReferenceElement,
  identity: { id: string; currentTeamId: string | null },
): OutgoingRecord {
  const { kind, league, sourceId } = element;
  const value: GamesRecord = {
    id: identity.id,
    league,
    source,
    source_id: sourceId,
    received_at: receivedAt,
    push: receipt,
    push_index: index,
    team: kind === 'team' ? element.facts : null,
    player: kind === 'player' ? { ...element.facts, current_team_id: identity.currentTeamId } : null,
    venue: kind === 'venue' ? element.facts : null,
  };
  return { key: ownId(source, kind, league, sourceId), value, headers: { source } };
}
