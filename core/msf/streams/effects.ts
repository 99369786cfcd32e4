// The effects of folding one record, as data: for receipts, dead letters and the plans of a flush.
import type { GameMove } from '../../ports/catalog/msf.ts';
import type { Lineups } from '../states/lineups.ts';
import type { CutRevision, MsfDataset, Scope } from '../types.ts';
import type { ArchiveSpan } from './archive.ts';
import type { MsfRefusal } from './frame.ts';

/**
 * The result of an observation: `applied`; `same`: applied, but its feed already had this content; `late` and `duplicate`: only recorded,
 * because it is older than what was applied, or was applied before.
 */
export type ObservationResult = 'applied' | 'same' | 'late' | 'duplicate';

/** `scopeId`: the scope's public id when it was cut. */
export type ArchiveCut = ArchiveSpan & { scopeId: string; dataset: MsfDataset; epoch: string };

/** A stream begins (`replaces` null), or starts over. */
type EpochBegin = { dataset: MsfDataset; epoch: string; replaces: string | null };

export type ScopeEffects = {
  /** Null for ticks, and for resets that succeeded. */
  outcome:
    | { result: ObservationResult; sourceRevision: string }
    | { result: 'refused'; refusals: readonly MsfRefusal[] }
    | null;
  /** In the order in which they were cut; each stream's revisions continue its epoch. */
  revisions: CutRevision[];
  archiveCuts: ArchiveCut[];
  epochs: EpochBegin[];
  move: GameMove | null;
  /** The line-ups, if the record changes them. */
  lineups: Lineups | null;
  /** All dead letters of the record: those of a refused outcome, or of the refused parts of an applied one. */
  refusals: MsfRefusal[];
  /** Streams whose published facts have changed. */
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

/** Refuses the record; it then changes nothing. */
export function refuse(effects: ScopeEffects, refusal: MsfRefusal): ScopeEffects {
  effects.outcome = { result: 'refused', refusals: [refusal] };
  effects.refusals.push(refusal);
  return effects;
}

/** Notes that published facts of the stream have changed. */
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
