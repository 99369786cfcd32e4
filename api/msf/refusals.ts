// The refusals of the MSF routes (docs/interface.md#two-forms; docs/interface.md#errors; docs/interface.md#problem-types), each with what a
// client needs to continue.
import { archivesAddress, snapshotAddress } from '../../core/msf/published/addresses.ts';
import { pollAfter } from '../../core/msf/published/poll-after.ts';
import type { MsfDataset, Scope } from '../../core/msf/types.ts';
import type { CatalogGame } from '../../core/ports/catalog/games.ts';
import type { Micros } from '../../core/units.ts';
import { type Refusal, refuse } from '../../http/refusal.ts';

/** The stream of a request: a dataset of a game, or of a league. */
export type StreamOf = { scope: Scope; dataset: MsfDataset };

/** 404: nothing is published, or not up to this revision; `poll_after` depends on `game`. */
export function notYetAvailable(detail: string, game: CatalogGame | null, now: Micros): Refusal {
  return refuse('not-yet-available', { detail, members: { poll_after: pollAfter(game, now) } });
}

/** 404: the revision was published but is no longer served. */
export function notRetained(of: StreamOf): Refusal {
  return refuse('not-found', {
    title: 'Revision no longer retained',
    detail: 'The revision lies outside the retained history: read the snapshot, or the archive that holds it.',
    members: { reason: 'revision_not_retained', ...linksOf(of) },
  });
}

/** 410: the cursor belongs to an epoch that `epoch` has replaced. */
export function streamReset(of: StreamOf, epoch: string): Refusal {
  return refuse('stream-reset', { members: { stream_epoch: epoch, ...linksOf(of) } });
}

/** 410: revisions after the cursor are no longer listed. */
export function cursorExpired(of: StreamOf, epoch: string): Refusal {
  return refuse('cursor-expired', { members: { stream_epoch: epoch, ...linksOf(of) } });
}

export function noSuchArchive(): Refusal {
  return refuse('not-found', { title: 'No such archive', detail: 'No archive of this dataset has this id here.' });
}

export function noSuchFile(): Refusal {
  return refuse('not-found', { title: 'No such file', detail: 'There is no file at this place.' });
}

function linksOf({ scope, dataset }: StreamOf): { snapshot: string; archives: string } {
  return { snapshot: snapshotAddress(scope, dataset), archives: archivesAddress(scope.league, dataset) };
}
