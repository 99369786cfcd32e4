// What folding one record did, as data: for receipts, dead letters and the plans of a flush. No behaviour but adding up.
import type { GameMove } from '../../ports/catalog/msf.ts';
import type { Lineups } from '../states/lineups.ts';
import type { CutRevision, MsfDataset, Scope } from '../types.ts';
import type { ArchiveSpan } from './archive.ts';
import type { MsfRefusal } from './frame.ts';

/** What became of an observation: applied, applied with the content that its feed had, or recorded only: it is old, or was applied. */
export type ObservationResult = 'applied' | 'same' | 'late' | 'duplicate';

/** `scopeId`: what its scope was called when it was cut. */
export type ArchiveCut = ArchiveSpan & { scopeId: string; dataset: MsfDataset; epoch: string };

/** A stream begins (`replaces` null), or starts over. */
type EpochBegin = { dataset: MsfDataset; epoch: string; replaces: string | null };

export type ScopeEffects = {
  /** Null for ticks and resets that did what they are for. */
  outcome:
    | { result: ObservationResult; sourceRevision: string }
    | { result: 'refused'; refusals: readonly MsfRefusal[] }
    | null;
  /** In the order in which they were cut; of one stream they continue its epoch. */
  revisions: CutRevision[];
  archiveCuts: ArchiveCut[];
  epochs: EpochBegin[];
  move: GameMove | null;
  /** Who begins the game, as the record says it anew. */
  lineups: Lineups | null;
  /** All dead letters of the record: those of a refused outcome, or what was refused beside an applied one. */
  refusals: MsfRefusal[];
  /** Streams whose published facts are others now. */
  touched: MsfDataset[];
};

export function noEffects(): ScopeEffects {
  return {
    outcome: null,
    revisions: [],
    archiveCuts: [],
    epochs: [],
    move: null,
    lineups: null,
    refusals: [],
    touched: [],
  };
}

/** The record changes nothing. */
export function refuse(effects: ScopeEffects, refusal: MsfRefusal): ScopeEffects {
  effects.outcome = { result: 'refused', refusals: [refusal] };
  effects.refusals.push(refusal);
  return effects;
}

/** Something that is published of the stream is another now. */
export function touch(effects: ScopeEffects, dataset: MsfDataset): void {
  if (!effects.touched.includes(dataset)) effects.touched.push(dataset);
}

export function noteArchive(
  effects: ScopeEffects,
  { id: scopeId }: Pick<Scope, 'id'>,
  { dataset, epoch }: { dataset: MsfDataset; epoch: string },
  span: ArchiveSpan | null,
): void {
  if (span === null) return;
  effects.archiveCuts.push({ scopeId, dataset, epoch, ...span });
  touch(effects, dataset);
}
