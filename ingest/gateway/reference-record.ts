// What one source says about a team, player or venue as a record of `sds.games.v1`; its key makes newer records replace older ones.
import type { OutgoingRecord } from '../../core/ports/broker.ts';
import { ownId } from '../../core/reference/identify.ts';
import type { ReferenceElement } from '../../core/reference/types.ts';
import type { Micros } from '../../core/units.ts';
import type { GamesRecord } from '../../schemas/events/games.ts';

/** The source and the push; `index` null: not a record of the push. */
type Origin = { source: string; receivedAt: Micros; receipt: string; index: number | null };

export function referenceRecord(
  { source, receivedAt, receipt, index }: Origin,
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
