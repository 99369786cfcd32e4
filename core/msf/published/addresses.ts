// Addresses of MSF data: absolute paths on the service's host, to be fetched verbatim (docs/interface.md#problem-types). The routes under
// /v1/games and /v1/leagues have the same shape; the scope of a stream decides which one it has.
import type { League } from '../../../schemas/reference/leagues.ts';
import type { MsfDataset, Scope } from '../types.ts';

type Of = Pick<Scope, 'kind' | 'id'>;

/** The common prefix of a stream's routes. */
function streamAddress({ kind, id }: Of, dataset: MsfDataset): string {
  return `/v1/${kind === 'league' ? 'leagues' : 'games'}/${id}/${dataset}`;
}

export function snapshotAddress(scope: Of, dataset: MsfDataset): string {
  return `${streamAddress(scope, dataset)}/snapshot`;
}

export function revisionFileAddress(
  scope: Of,
  dataset: MsfDataset,
  epoch: string,
  revision: number,
  kind: 'snapshot' | 'change',
  index: number,
): string {
  return `${streamAddress(scope, dataset)}/revisions/${epoch}/${revision}/${kind}/${index}`;
}

/** The archives of all scopes of a league (docs/revisions.md#league-streams). */
export function archivesAddress(league: League, dataset: MsfDataset): string {
  return `${streamAddress({ kind: 'league', id: league }, dataset)}/archives`;
}

export function archiveAddress(scope: Of, dataset: MsfDataset, archiveId: string): string {
  return `${streamAddress(scope, dataset)}/archives/${archiveId}`;
}

export function archiveFileAddress(
  scope: Of,
  dataset: MsfDataset,
  archiveId: string,
  revision: number,
  index: number,
): string {
  return `${archiveAddress(scope, dataset, archiveId)}/changes/${revision}/${index}`;
}
