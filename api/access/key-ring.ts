// API keys as requests present them: the record of a key, from memory where possible. A key with a wrong checksum costs no query; a key that
// was seen stays valid for a while when the catalog is down; an outage of the catalog never makes a key valid or invalid (I27). Plaintext
// keys are held in memory only, never logged and never echoed.
import { LRUCache } from 'lru-cache';
import { checkKey, macOfKey, type Pepper } from '../../core/access/key-format.ts';
import type { ApiKey, KeysCatalog } from '../../core/ports/catalog/keys.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Micros } from '../../core/units.ts';
import { microsPerSecond } from '../../core/units.ts';
import { type Deadlines, messageOf } from '../dependencies/deadlines.ts';

export type KeyLimits = {
  /** How long a key's record is used without asking, at most while asking again, and at most while the catalog is unreachable. */
  keyFresh: Micros;
  keyStale: Micros;
  keyOutage: Micros;
  /** How long an unknown key is remembered as unknown. */
  unknownKey: Micros;
};

/** `subject`: the name under which its requests are counted. */
type Known = { kind: 'known'; key: ApiKey; subject: string };

export type KeyVerdict = Known | { kind: 'invalid'; detail: string } | { kind: 'unavailable' };

type KnownKey = {
  verdict: Known;
  askedAt: Micros;
  /** After a failed attempt: the earliest time of the next one. */
  notBefore: Micros;
};

const unavailable: KeyVerdict = { kind: 'unavailable' };
const unknown: KeyVerdict = { kind: 'invalid', detail: 'The API key is unknown.' };
const rememberedKeys = 50_000;
const rememberedUnknownKeys = 10_000;

export class KeyRing {
  readonly #keys: Pick<KeysCatalog, 'apiKeyByMac'>;
  readonly #deadlines: Deadlines;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #peppers: readonly Pepper[];
  readonly #limits: KeyLimits;
  readonly #known = new LRUCache<string, KnownKey>({ max: rememberedKeys });
  readonly #unknown = new LRUCache<string, Micros>({ max: rememberedUnknownKeys });
  readonly #asking = new Map<string, Promise<KeyVerdict>>();
  /** When the newest record of any key was requested. */
  #newest: Micros | null = null;

  /** `peppers`: newest first. */
  constructor(options: {
    keys: Pick<KeysCatalog, 'apiKeyByMac'>;
    deadlines: Deadlines;
    clock: Clock;
    log: Log;
    peppers: readonly Pepper[];
    limits: KeyLimits;
  }) {
    this.#keys = options.keys;
    this.#deadlines = options.deadlines;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#peppers = options.peppers;
    this.#limits = options.limits;
  }

  /** The verdict on the Authorization header, which the request has `count` times. Synchronous if memory may answer. */
  verdict(authorization: string | null, count: number): KeyVerdict | Promise<KeyVerdict> {
    if (authorization === null)
      return invalid('The Authorization header is missing: send `Authorization: Bearer <API_KEY>`.');
    if (count > 1) return invalid('The Authorization header is given more than once.');
    const key = bearerToken(authorization);
    if (key === null) return invalid('The Authorization header is not of the form `Bearer <API_KEY>`.');
    const known = this.#known.get(key);
    if (known !== undefined) return this.#verdictOfKnown(key, known);
    return this.#verdictOfNew(key);
  }

  /** Whether any key would still be answered with the catalog unreachable. */
  answersFromMemory(): boolean {
    return this.#newest !== null && this.#clock.now() - this.#newest < this.#limits.keyOutage;
  }

  #verdictOfKnown(key: string, known: KnownKey): KeyVerdict | Promise<KeyVerdict> {
    const now = this.#clock.now();
    const age = now - known.askedAt;
    // If the clock was set back, ages are negative; the record then counts as unread.
    if (age >= 0 && age < this.#limits.keyFresh) return known.verdict;
    if (age >= 0 && age < this.#limits.keyStale) {
      if (now >= known.notBefore) void this.#ask(key);
      return known.verdict;
    }
    if (now < known.notBefore && now >= known.askedAt) return this.#inOutage(known, now);
    return this.#ask(key);
  }

  #verdictOfNew(key: string): KeyVerdict | Promise<KeyVerdict> {
    const unknownSince = this.#unknown.get(key);
    if (unknownSince !== undefined) {
      const age = this.#clock.now() - unknownSince;
      if (age >= 0 && age < this.#limits.unknownKey) return unknown;
    }
    const kind = checkKey(key);
    if (kind === null) return invalid('The API key is malformed: its form or its checksum is wrong.');
    if (kind === 'feed') return invalid('The key is a feed key; this API takes keys that begin with `svc_live_`.');
    return this.#ask(key);
  }

  /** Asks the catalog; concurrent requests for one key share a query. */
  #ask(key: string): Promise<KeyVerdict> {
    const asking = this.#asking.get(key);
    if (asking !== undefined) return asking;
    const question = this.#askCatalog(key).finally(() => this.#asking.delete(key));
    this.#asking.set(key, question);
    return question;
  }

  async #askCatalog(key: string): Promise<KeyVerdict> {
    const askedAt = this.#clock.now();
    const macs = this.#peppers.map((pepper) => macOfKey(key, pepper));
    try {
      const found = await this.#deadlines.catalog(() => this.#keys.apiKeyByMac(macs));
      if (found === null) {
        this.#known.delete(key);
        this.#unknown.set(key, askedAt);
        return unknown;
      }
      const verdict: Known = { kind: 'known', key: found, subject: `key ${found.id}` };
      this.#unknown.delete(key);
      this.#newest = Math.max(this.#newest ?? 0, askedAt);
      this.#known.set(key, { verdict, askedAt, notBefore: 0 });
      return verdict;
    } catch (error) {
      this.#log.warn('key lookup failed', { error: messageOf(error) });
      const known = this.#known.get(key);
      if (known === undefined) return unavailable;
      const now = this.#clock.now();
      known.notBefore = now + microsPerSecond;
      return this.#inOutage(known, now);
    }
  }

  #inOutage(known: KnownKey, now: Micros): KeyVerdict {
    const age = now - known.askedAt;
    return age >= 0 && age < this.#limits.keyOutage ? known.verdict : unavailable;
  }
}

function invalid(detail: string): KeyVerdict {
  return { kind: 'invalid', detail };
}

const bearerForm = /^bearer +([0-9A-Za-z_-]{1,128}) *$/i;

/** The token of a Bearer header; null for any other. */
function bearerToken(authorization: string): string | null {
  if (authorization.length === bearerLength && authorization.startsWith('Bearer svc_')) return authorization.slice(7);
  return bearerForm.exec(authorization)?.[1] ?? null;
}

/** Characters of `Bearer ` and a key. */
const bearerLength = 62;
