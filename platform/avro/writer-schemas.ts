// Decoders by schema id. Ids are looked up once and cached. An unknown id is retried a few times (registries replicate), then its records
// are undecodable. If the registry is unreachable, decoding waits however long it takes: an outage does not make a record bad.
import type { Log } from '../../core/ports/telemetry.ts';
import type { Millis } from '../../core/units.ts';
import { monotonicMs, sleep } from '../process/clock.ts';
import type { Codec, Decoded } from './codec.ts';
import { schemaIdOf } from './codec.ts';

/** The schema of an id as JSON; null if the id does not exist. Rejects while the registry cannot answer. */
export type SchemaLookup = (id: number) => Promise<string | null>;

export interface WriterSchemas {
  /** Registers a schema that needs no lookup. */
  note(id: number, schema: string): void;
  /** Decodes values in order, waiting for schemas if necessary. Rejects only with the signal's reason. */
  decodeAll(values: readonly (Buffer | null)[], signal: AbortSignal): Promise<readonly Decoded[]>;
}

type Decode = (framed: Buffer) => Decoded;

/** Ids that do not exist, and those without an answer. */
type Left = { unknown: number[]; unanswered: number[]; why: string };

const unknownTries = 4;
const firstRetryMs: Millis = 100;
const maxRetryMs: Millis = 2_000;
const forgetUnknownAfterMs: Millis = 60_000;
const maxUnknownKept = 1_000;
/** Most lookups for one batch: invented ids must not hold up a partition. */
const maxLookupsPerBatch = 32;

export function openWriterSchemas(codec: Codec, lookup: SchemaLookup, log: Log): WriterSchemas {
  const known = new Map<number, Decode>();
  const unknown = new Map<number, { reason: string; until: number; mayCome: boolean }>();

  function note(id: number, schema: string): void {
    try {
      known.set(id, codec.decoderFrom(schema));
    } catch (error) {
      giveUp(id, `schema ${id} cannot be read: ${error instanceof Error ? error.message : String(error)}`, false);
    }
  }

  function giveUp(id: number, reason: string, mayCome = true): void {
    unknown.delete(id);
    unknown.set(id, { reason, until: monotonicMs() + forgetUnknownAfterMs, mayCome });
    for (const oldest of unknown.keys()) {
      if (unknown.size <= maxUnknownKept) break;
      unknown.delete(oldest);
    }
  }

  function isDecided(id: number): boolean {
    if (known.has(id)) return true;
    const given = unknown.get(id);
    return given !== undefined && given.until > monotonicMs();
  }

  /** One round of lookups; returns the ids that do not exist and those without an answer. */
  async function ask(ids: readonly number[]): Promise<Left> {
    const left: Left = { unknown: [], unanswered: [], why: '' };
    const answers = await Promise.allSettled(ids.map((id) => lookup(id)));
    for (const [index, answer] of answers.entries()) {
      const id = ids[index] as number;
      if (answer.status === 'fulfilled' && answer.value !== null) note(id, answer.value);
      else if (answer.status === 'fulfilled') left.unknown.push(id);
      else {
        left.unanswered.push(id);
        left.why = String(answer.reason);
      }
    }
    return left;
  }

  async function learn(wanted: readonly number[], signal: AbortSignal): Promise<void> {
    for (const id of wanted.slice(maxLookupsPerBatch))
      giveUp(id, `schema ${id} not looked up: too many new ids at once`);
    let ids = wanted.slice(0, maxLookupsPerBatch);
    const tries = new Map<number, number>();
    let wait = firstRetryMs;
    let isLogged = false;
    while (ids.length > 0) {
      const left = await ask(ids);
      signal.throwIfAborted();
      for (const id of left.unknown) {
        tries.set(id, (tries.get(id) ?? 0) + 1);
        if (tries.get(id) === unknownTries) giveUp(id, `no schema has the id ${id}`);
      }
      if (left.unanswered.length > 0 && !isLogged) {
        isLogged = true;
        log.warn('schema registry cannot answer; waiting', { ids: left.unanswered.join(' '), error: left.why });
      }
      ids = [...left.unknown, ...left.unanswered].filter((id) => !isDecided(id));
      if (ids.length === 0) return;
      await sleep(wait, signal);
      signal.throwIfAborted();
      wait = Math.min(maxRetryMs, wait * 2);
    }
  }

  function decode(framed: Buffer | null): Decoded {
    const id = framed === null ? 'no value' : schemaIdOf(framed);
    if (framed === null || typeof id === 'string') return { value: null, undecodable: String(id) };
    const decoder = known.get(id);
    if (decoder !== undefined) return decoder(framed);
    const { reason, mayCome } = unknown.get(id) ?? { reason: `no schema has the id ${id}`, mayCome: true };
    return { value: null, undecodable: reason, ...(mayCome ? { mayDecodeLater: true } : {}) };
  }

  return {
    note,
    async decodeAll(values, signal) {
      const wanted = new Set<number>();
      for (const framed of values) {
        const id = framed === null ? '' : schemaIdOf(framed);
        if (typeof id === 'number' && !known.has(id) && !isDecided(id)) wanted.add(id);
      }
      if (wanted.size > 0) await learn([...wanted], signal);
      return values.map(decode);
    },
  };
}
