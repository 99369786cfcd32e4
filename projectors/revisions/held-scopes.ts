// The scopes of a partition. A season has more than a thousand, and records touch a few of them at a time: the most recently touched ones are held
// open, the others packed, in the form that snapshots use too. Keeps a digest of all of them, the exclusive or of one hash per scope, so that a
// flush hashes only the scopes touched since the last flush. Independent of what a scope contains.
import { hash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { parseJson } from '../../core/json/parse-json.ts';
import { loadScope, saveScope } from '../../core/msf/streams/saved-scope.ts';
import { factsOf, newScope, type ScopeState } from '../../core/msf/streams/scope-state.ts';
import type { Scope } from '../../core/msf/types.ts';
import type { Task } from '../../core/scheduling/task.ts';

/**
 * How many scopes, and how many of their rows, are held open: more than a league plays at once, and no more than memory has room for, since a
 * row takes some kilobytes with all that it was made from. While a restarted projector catches up it does not flush, so it holds least. The
 * newest scope stays open, however large it is.
 */
const mostOpen = {
  catchingUp: { scopes: 32, rows: 6_000 },
  betweenFlushes: { scopes: 32, rows: 12_000 },
  folding: { scopes: 128, rows: 16_000 },
};

/** `open` null: only packed. `packed` null: touched since it was packed. */
type Held = { open: ScopeState | null; packed: Uint8Array | null; hash: bigint };

/** A scope in a snapshot; `hash` in hex. */
type SavedHeld = { uuid: string; packed: string; hash: string };
export type SavedScopes = { form: 1; scopes: SavedHeld[] };

export class HeldScopes {
  readonly #scopes = new Map<string, Held>();
  /** By the last touch, the newest at the end. */
  readonly #open = new Set<string>();
  readonly #touched = new Set<string>();
  #digest = 0n;

  constructor(saved: SavedScopes | null = null) {
    if (saved !== null && saved.form !== 1) throw new Error(`a snapshot of form ${String(saved.form)} is not known`);
    for (const { uuid, packed, hash: hex } of saved?.scopes ?? []) {
      const held = { open: null, packed: Buffer.from(packed, 'base64'), hash: BigInt(`0x${hex}`) };
      this.#scopes.set(uuid, held);
      this.#digest ^= held.hash;
    }
  }

  get uuids(): Iterable<string> {
    return this.#scopes.keys();
  }

  /** The scope, to be read; null if it is not known. */
  look(uuid: string): ScopeState | null {
    const held = this.#scopes.get(uuid);
    if (held === undefined) return null;
    this.#open.delete(uuid);
    this.#open.add(uuid);
    held.open ??= loadScope(parseJson(zstdDecompressSync(packedOf(held)).toString('utf8')));
    return held.open;
  }

  /** The scope, to be changed; null if it is not known. */
  touch(uuid: string): ScopeState | null {
    const state = this.look(uuid);
    if (state === null) return null;
    this.#of(uuid).packed = null;
    this.#touched.add(uuid);
    return state;
  }

  /** Adds a scope that no record has named before. */
  begin(scope: Scope): ScopeState {
    const open = newScope(scope);
    this.#scopes.set(scope.uuid, { open, packed: null, hash: 0n });
    this.#open.add(scope.uuid);
    this.#touched.add(scope.uuid);
    return open;
  }

  /** Removes a scope to which no record applied. */
  drop(uuid: string): void {
    const held = this.#scopes.get(uuid);
    if (held !== undefined) this.#digest ^= held.hash;
    this.#scopes.delete(uuid);
    this.#open.delete(uuid);
    this.#touched.delete(uuid);
  }

  /** Depends on the state alone, not on what was packed and when. */
  digest(): string {
    for (const uuid of this.#touched) this.#rehash(uuid);
    return this.#digest.toString(16).padStart(64, '0');
  }

  /** Rows of the open scopes. */
  get openRows(): number {
    let rows = 0;
    for (const uuid of this.#open) rows += rowsOf(this.#of(uuid));
    return rows;
  }

  /** While more is open than there should be, packs the scope that was touched longest ago. */
  packExcess(when: keyof typeof mostOpen): void {
    const most = mostOpen[when];
    let rows = this.openRows;
    for (const uuid of this.#open) {
      if (this.#open.size === 1 || (this.#open.size <= most.scopes && rows <= most.rows)) return;
      if (this.#touched.has(uuid)) this.#rehash(uuid);
      const held = this.#of(uuid);
      rows -= rowsOf(held);
      packedOf(held);
      held.open = null;
      this.#open.delete(uuid);
    }
  }

  *saving(): Task<SavedScopes> {
    const scopes: SavedHeld[] = [];
    for (const [uuid, held] of this.#scopes) {
      if (this.#touched.has(uuid)) this.#rehash(uuid);
      const packed = Buffer.from(packedOf(held)).toString('base64');
      scopes.push({ uuid, packed, hash: held.hash.toString(16) });
      yield;
    }
    return { form: 1, scopes };
  }

  #of(uuid: string): Held {
    const held = this.#scopes.get(uuid);
    if (held === undefined) throw new Error(`scope ${uuid} is not held`);
    return held;
  }

  #rehash(uuid: string): void {
    const held = this.#of(uuid);
    if (held.open === null) throw new Error(`scope ${uuid} was touched and is not open`);
    const now = BigInt(`0x${hash('sha256', JSON.stringify(factsOf(held.open)), 'hex')}`);
    this.#digest ^= now ^ held.hash;
    held.hash = now;
    this.#touched.delete(uuid);
  }
}

/** Of the streams of a scope that is open, those of resets included. */
function rowsOf({ open }: Held): number {
  let rows = 0;
  for (const { state } of open?.streams.values() ?? []) rows += state.length;
  for (const { stream } of open?.shadows.values() ?? []) rows += stream.state.length;
  return rows;
}

function packedOf(held: Held): Uint8Array {
  if (held.packed === null) {
    if (held.open === null) throw new Error('a scope is held in no form');
    held.packed = zstdCompressSync(JSON.stringify(saveScope(held.open)));
  }
  return held.packed;
}
