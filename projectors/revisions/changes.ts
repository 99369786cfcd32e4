// The results of folding since the last flush, per scope: revisions with their rows, archives, and streams in a new epoch; and the outcome of each
// record. Every flush empties it.
import type { ArchiveCut, ScopeEffects } from '../../core/msf/streams/effects.ts';
import type { CutRevision, Freshness, MsfDataset } from '../../core/msf/types.ts';
import type { GameLineups, GameMove } from '../../core/ports/catalog/msf.ts';
import type { WaitingReceipts } from '../worker/receipts.ts';
import type { WaitingDeadLetters } from '../worker/record-dead-letters.ts';

/** An archive and how fresh its stream was then: whatever the batches, its document says the same. */
export type DatedCut = ArchiveCut & { freshness: Freshness };

export type StreamChanges = { revisions: CutRevision[]; archives: DatedCut[] };

export type MsfChanges = WaitingDeadLetters &
  WaitingReceipts & {
    /** By scope, then by dataset. */
    scopes: Map<string, Map<MsfDataset, StreamChanges>>;
    moves: GameMove[];
    /** By game, the newest. */
    lineups: Map<string, GameLineups>;
  };

export function noMsfChanges(): MsfChanges {
  return { scopes: new Map(), moves: [], lineups: new Map(), deadLetters: [], deadLetterBytes: 0, receipts: new Map() };
}

/** Notes what a record did to the streams of a scope. `freshnessOf`: of its streams, after the record. */
export function noteEffects(
  changes: MsfChanges,
  scopeUuid: string,
  effects: ScopeEffects,
  freshnessOf: (dataset: MsfDataset) => Freshness,
): void {
  if (effects.move !== null) changes.moves.push(effects.move);
  if (effects.lineups !== null) changes.lineups.set(scopeUuid, { gameUuid: scopeUuid, ...effects.lineups });
  for (const dataset of effects.touched) streamChanges(changes, scopeUuid, dataset);
  for (const cut of effects.revisions) streamChanges(changes, scopeUuid, cut.dataset).revisions.push(cut);
  for (const cut of effects.archiveCuts) {
    const { archives } = streamChanges(changes, scopeUuid, cut.dataset);
    archives.push({ ...cut, freshness: freshnessOf(cut.dataset) });
  }
}

/** The changes of one stream, made on first use: a stream in the map is published by the next flush. */
export function streamChanges(changes: MsfChanges, scopeUuid: string, dataset: MsfDataset): StreamChanges {
  let scope = changes.scopes.get(scopeUuid);
  if (scope === undefined) {
    scope = new Map();
    changes.scopes.set(scopeUuid, scope);
  }
  let stream = scope.get(dataset);
  if (stream === undefined) {
    stream = { revisions: [], archives: [] };
    scope.set(dataset, stream);
  }
  return stream;
}
