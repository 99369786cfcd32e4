// Folds a partition of `sds.observations.v1` in one pass from its start, without flushes, files, saving or loading. A
// projector must publish exactly this, however often it was killed. The naive oracle checks it by searching lists of
// all records.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../core/json/value.ts';
import { applyObservation } from '../../../core/msf/streams/apply.ts';
import type { ArchiveCut, ObservationResult } from '../../../core/msf/streams/effects.ts';
import { frameRefusal, scopeOf } from '../../../core/msf/streams/frame.ts';
import { newScope, type ScopeState } from '../../../core/msf/streams/scope-state.ts';
import type { CutRevision } from '../../../core/msf/types.ts';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import type { GameMove } from '../../../core/ports/catalog/msf.ts';
import type { MsfObservation, ObservationsRecord } from '../../../schemas/events/observations.ts';
import { freshnessOf, type OracleScope } from '../../oracle/msf-scope.ts';
import { seenAt } from '../../oracle/msf-stream.ts';
import {
  foldByOracle,
  freshnessMembers,
  oracleOf,
  oracleRevision,
  ourRevision,
  resetByOracle,
} from './msf-beside-oracle.ts';

/** A delivered record, with the bytes of the object it refers to. */
export type LoggedObservation = DeliveredRecord & { object: Uint8Array | null };

/** Streams by `<dataset> <scope uuid>`. */
export type FoldedLog = {
  scopes: Map<string, ScopeState>;
  revisions: Map<string, CutRevision[]>;
  archives: Map<string, ArchiveCut[]>;
  /** The epoch of each stream at the end. */
  current: Map<string, string>;
  moves: GameMove[];
  letters: [offset: number, code: string][];
  /** Offsets of values that are no record or belong to no scope. */
  strange: Set<number>;
  /** By offset: the result of a pushed record, and the revisions it cut. */
  results: Map<number, { result: ObservationResult | 'refused'; cuts: readonly CutRevision[] }>;
};

/** One pass over the records of a partition, in their order. */
export function foldOnce(records: readonly LoggedObservation[], partition = 0): FoldedLog {
  const all: FoldedLog = {
    scopes: new Map(),
    revisions: new Map(),
    archives: new Map(),
    current: new Map(),
    moves: [],
    letters: [],
    strange: new Set(),
    results: new Map(),
  };
  for (const { offset, timestamp, key, value, undecodable, object } of records) {
    if (undecodable !== null) {
      all.letters.push([offset, 'bad-record']);
      all.strange.add(offset);
      continue;
    }
    const record = value as ObservationsRecord;
    const refusal = frameRefusal(key, record, timestamp);
    if (refusal !== null) {
      all.letters.push([offset, refusal.code]);
      all.strange.add(offset);
      if (isPushed(record)) all.results.set(offset, { result: 'refused', cuts: [] });
      continue;
    }
    const known = all.scopes.get(record.scope_uuid);
    if (known === undefined && record.tick !== null) continue;
    const scope = known ?? newScope(scopeOf(record)!);
    const effects = applyObservation(scope, record, { partition, offset, timestamp }, object);
    if (scope.serial > 0 || scope.shadows.size > 0) all.scopes.set(record.scope_uuid, scope);
    const name = (dataset: string) => `${dataset} ${record.scope_uuid}`;
    for (const cut of effects.revisions) append(all.revisions, name(cut.dataset), cut);
    for (const cut of effects.archiveCuts) append(all.archives, name(cut.dataset), cut);
    for (const { dataset, epoch } of effects.epochs) all.current.set(name(dataset), epoch);
    if (effects.move !== null) all.moves.push(effects.move);
    for (const { code } of effects.refusals) all.letters.push([offset, code]);
    const result = effects.outcome?.result;
    if (result !== undefined && isPushed(record)) all.results.set(offset, { result, cuts: effects.revisions });
  }
  return all;
}

/**
 * Asserts that the naive oracle finds the same verdicts, revisions, archives and freshness in the same records. It is
 * not given records that the fold refuses.
 */
export function assertAsNaive(what: string, records: readonly LoggedObservation[], folded: FoldedLog): void {
  const oracles = new Map<string, OracleScope>();
  /** The newest log time of each scope: it never goes back. */
  const times = new Map<string, number>();
  const refused = new Set(folded.letters.map(([offset]) => offset));
  for (const { offset, timestamp, value, object } of records) {
    if (folded.strange.has(offset)) continue;
    const record = value as ObservationsRecord;
    const { scope_uuid: uuid, scope_id: id, observation, reset, tick } = record;
    const time = now(uuid, seenAt(tick?.at ?? timestamp, timestamp));
    if (tick !== null) oracles.get(uuid)?.tick(id, uuid, time, timestamp);
    const result = folded.results.get(offset)?.result;
    const isRefused = result === undefined ? refused.has(offset) : result === 'refused';
    if (isRefused || (observation === null && reset === null)) continue;
    const known = oracles.get(uuid) ?? oracleOf(scopeOf(record)!, gameOf(records, uuid));
    oracles.set(uuid, known);
    if (observation === null) {
      resetByOracle(known, reset!, timestamp);
      continue;
    }
    const verdict = foldByOracle(known, record, timestamp, JSON.parse(elementOf(observation, object)) as JsonObject);
    if (result !== undefined) assert.equal(result, verdict, `${what}, offset ${offset}: ${observation.feed} of ${id}`);
  }
  function now(uuid: string, at: number): number {
    const time = Math.max(times.get(uuid) ?? 0, at);
    times.set(uuid, time);
    return time;
  }
  assert.deepEqual([...folded.scopes.keys()].sort(), [...oracles.keys()].sort(), `${what}: scopes`);
  for (const [uuid, oracle] of oracles) compareScope(what, uuid, oracle, folded);
}

function compareScope(what: string, uuid: string, oracle: OracleScope, folded: FoldedLog): void {
  for (const [dataset, stream] of oracle.streams) {
    const name = `${dataset} ${uuid}`;
    const cuts = folded.revisions.get(name) ?? [];
    const theirs = stream.epochs.flatMap(({ revisions }) => revisions);
    for (const [index, cut] of cuts.entries()) {
      const other = theirs[index];
      assert.deepEqual(ourRevision(cut), other && oracleRevision(other), `${what}: ${name}, its cut ${index}`);
    }
    assert.equal(cuts.length, theirs.length, `${what}: revisions of ${name}`);
    assert.deepEqual(
      (folded.archives.get(name) ?? []).map(({ first, last }) => [first, last]),
      stream.epochs.flatMap(({ archives }) => archives),
      `${what}: archives of ${name}`,
    );
    const ours = folded.scopes.get(uuid)?.streams.get(dataset as CutRevision['dataset']);
    assert.ok(ours !== undefined, `${what}: ${name} is a stream`);
    assert.deepEqual(freshnessMembers(ours), freshnessOf(stream), `${what}: freshness of ${name}`);
  }
}

function elementOf({ element }: MsfObservation, object: Uint8Array | null): string {
  return element ?? Buffer.from(object ?? []).toString();
}

/** MSF's id of a scope's game, from the first record that has one. */
function gameOf(records: readonly LoggedObservation[], uuid: string): number {
  for (const { value } of records) {
    const { scope_uuid, observation } = (value ?? {}) as Partial<ObservationsRecord>;
    if (scope_uuid === uuid && observation?.msf_game_id != null) return observation.msf_game_id;
  }
  return 0;
}

/**
 * Whether the record was pushed. Ticks and resets have no source and no receipt; what a reset repeats had one before.
 */
function isPushed({ source, observation }: ObservationsRecord): boolean {
  return source !== '' && (observation === null || observation.rebuild === null);
}

function append<T>(lists: Map<string, T[]>, name: string, one: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [one]);
  else list.push(one);
}
