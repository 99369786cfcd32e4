// The dependencies of the push gateway in memory, with control over time and faults: a log that keeps its records, a
// catalog that gives each event a game, receipts, keys. They implement the ports and fold nothing.
import { createHash } from 'node:crypto';
import { checkKey, macOfKey, mintKey, type Pepper } from '../../../core/access/key-format.ts';
import { TeamDirectory } from '../../../core/games/team-directory.ts';
import { referenceDirectory } from '../../../core/games/teams.ts';
import { teamsAppear } from '../../../core/league-code.ts';
import { type Broker, BrokerUnavailable, type Ends, type OutgoingRecord } from '../../../core/ports/broker.ts';
import type { DeadLetter, DeadLettersCatalog } from '../../../core/ports/catalog/dead-letters.ts';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type { GameLookup, GameOfTeams, GamesCatalog, Resolution } from '../../../core/ports/catalog/games.ts';
import type { FeedGrant, FeedKey, KeysCatalog } from '../../../core/ports/catalog/keys.ts';
import type { LiveCatalog } from '../../../core/ports/catalog/live.ts';
import type { MsfAuthoritiesCatalog, MsfClaim } from '../../../core/ports/catalog/msf-authorities.ts';
import type { PushCatalog, ReceiptEntry, ReceiptState } from '../../../core/ports/catalog/pushes.ts';
import type { ReferenceCatalog } from '../../../core/ports/catalog/reference.ts';
import { ObjectConflict, type ObjectStore } from '../../../core/ports/object-store.ts';
import { identifyElements, nameOf, type ReferenceIdentity } from '../../../core/reference/identify.ts';
import type { ReferenceElement } from '../../../core/reference/types.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import type { League } from '../../../schemas/reference/leagues.ts';

const unused = (): never => {
  throw new Error('the gateway should not call this');
};

/**
 * A log. `gate`: awaited by each append. `down`: it refuses. `takesThenFails`: it keeps the records and loses the
 * answer.
 */
export class FakeLogBroker implements Broker {
  readonly records: { topic: string; record: OutgoingRecord }[] = [];
  gate: Promise<void> = Promise.resolve();
  down = false;
  takesThenFails = false;

  async produce(topic: string, records: readonly OutgoingRecord[]): Promise<Ends> {
    await this.gate;
    if (this.down) throw new BrokerUnavailable('the log is down');
    for (const record of records) this.records.push({ topic, record });
    if (this.takesThenFails) throw new BrokerUnavailable('the answer was lost');
    return new Map([[0, this.records.length]]);
  }

  /** The values of a topic, in order. */
  valuesOf<Value>(topic: string): Value[] {
    return this.records.filter((each) => each.topic === topic).map(({ record }) => record.value as Value);
  }

  /** The observations of quotes in the log, in order. */
  observations(): QuotesRecord[] {
    return this.valuesOf<QuotesRecord>(topics.quotes).filter((value) => value.observation !== null);
  }

  /** The observations of MSF, in order. */
  msf(): ObservationsRecord[] {
    return this.valuesOf(topics.observations);
  }

  healthy = (): Promise<boolean> => Promise.resolve(!this.down);
  prepare = unused;
  partitions = unused;
  addPartitions = unused;
  /** All records of a topic are in one partition; offsets count over the whole log. */
  partitionOf = (): Promise<number> => Promise.resolve(0);
  consume = unused;
  watermarks = unused;
  offsetAt = unused;
  read = unused;
  writerSchema = unused;
  close = (): Promise<void> => Promise.resolve();
}

export class FakePushCatalogs
  implements
    Pick<GamesCatalog, 'resolve' | 'foresee' | 'startsLogged' | 'gamesOfEvents' | 'unsettledGames' | 'teamsNamed'>,
    Pick<KeysCatalog, 'feedKeyByMac' | 'noteFeedKeyUsed'>,
    Pick<MsfAuthoritiesCatalog, 'claim'>,
    Pick<LiveCatalog, 'gamesOpenFor' | 'now'>,
    Pick<ReferenceCatalog, 'identify' | 'playersCalled'>,
    Pick<DeadLettersCatalog, 'store'>,
    PushCatalog
{
  readonly letters: DeadLetter[] = [];
  readonly #payloads = new WeakMap<Uint8Array, Uint8Array>();
  readonly receipts = new Map<string, ReceiptEntry>();
  readonly folds = new Map<string, Pick<ReceiptState, 'applied' | 'foldedDuplicates' | 'refused' | 'records'>>();
  readonly #games = new Map<string, string>();
  /** The owner of MSF bodies of each league that has one. */
  readonly msfAuthorities = new Map<League, string>();
  readonly #refusedSources = new Set<string>();
  /** The leagues of games that can be named by their ids. */
  readonly gamesById = new Map<string, string>();
  readonly #keys = new Map<string, FeedKey>();
  readonly teams = new TeamDirectory(referenceDirectory());
  readonly #ids = new Map<string, string>();
  readonly #used = new Map<string, { body: string; receipt: string; logged: boolean }>();
  /** Games that have not settled, whatever the requested day, and the last requested day. */
  readonly unsettled: GameOfTeams[] = [];
  dayAsked: string | null = null;
  /** The id of an event whose game is refused. */
  refusesEvent: string | null = null;
  readonly ranks = new Map<string, number>();
  keyQueries = 0;
  rankQueries = 0;
  down = false;
  /** A request for the time is never answered. */
  hangs = false;
  acknowledgeFails = false;
  /** How many more batches of dead letters it keeps before it fails. */
  buries = Number.POSITIVE_INFINITY;

  #ask(): void {
    if (this.down) throw new CatalogUnavailable('the database is down');
  }

  mint(pepper: Pepper, grant: FeedGrant): { plaintext: string; key: FeedKey } {
    const random = createHash('sha512').update(`key ${this.#keys.size}`).digest();
    const plaintext = mintKey('feed', Buffer.concat([random, random]));
    if (checkKey(plaintext) !== 'feed') throw new Error(plaintext);
    const key: FeedKey = { id: `fkey_${this.#keys.size}`, ...grant, state: 'active' };
    this.#keys.set(Buffer.from(macOfKey(plaintext, pepper)).toString('hex'), key);
    return { plaintext, key };
  }

  async feedKeyByMac(macs: readonly Uint8Array[]): Promise<FeedKey | null> {
    this.#ask();
    this.keyQueries += 1;
    for (const mac of macs) {
      const key = this.#keys.get(Buffer.from(mac).toString('hex'));
      if (key !== undefined) return { ...key };
    }
    return null;
  }

  async claim(league: League, source: string): Promise<MsfClaim> {
    this.#ask();
    const authority = this.msfAuthorities.get(league);
    if (authority === undefined || authority === source) return { kind: 'held' };
    const isNews = !this.#refusedSources.has(source);
    this.#refusedSources.add(source);
    return { kind: 'other-source', authority, heardAt: 0, isNews };
  }

  async noteFeedKeyUsed(): Promise<void> {
    this.#ask();
  }

  async resolve(source: string, lookups: readonly GameLookup[]): Promise<readonly Resolution[]> {
    const resolutions = await this.foresee(source, lookups);
    for (const [at, lookup] of lookups.entries()) {
      const found = resolutions[at];
      if (lookup.by === 'event' && found?.kind === 'resolved')
        this.noteGame(`${source}/${lookup.eventId}`, found.game.uuid);
    }
    return resolutions;
  }

  async foresee(source: string, lookups: readonly GameLookup[]): Promise<readonly Resolution[]> {
    this.#ask();
    const founding = new Set<string>();
    return lookups.map((lookup): Resolution => {
      if (lookup.by === 'id') {
        const league = this.gamesById.get(lookup.gameId);
        if (league === undefined)
          return { kind: 'refused', code: 'bad-event', detail: `no game ${lookup.gameId.length}` };
        const [uuid, gameId] = [lookup.gameId, lookup.gameId];
        return { kind: 'resolved', game: { uuid, gameId, league, settled: false, startToLog: null, warning: null } };
      }
      if (lookup.eventId === this.refusesEvent) return { kind: 'refused', code: 'game-conflict', detail: 'asked for' };
      const name = `${source}/${lookup.eventId}`;
      const isKnown = this.#games.has(name) || founding.has(name);
      founding.add(name);
      const hex = createHash('sha256').update(name).digest('hex');
      const parts = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
      const uuid = [...parts, hex.slice(20, 32)].join('-');
      const startToLog = isKnown ? null : { scheduledStart: lookup.commenceTime, source };
      const { league, homeTeam } = lookup;
      const isTeam = teamsAppear(league) || this.teams.find(league, homeTeam) !== null;
      const warning = isTeam ? null : ({ code: 'unknown-team', detail: 'no such team' } as const);
      return { kind: 'resolved', game: { uuid, gameId: uuid, league, settled: false, startToLog, warning } };
    });
  }

  /** Remembers a game. */
  protected noteGame(name: string, uuid: string): void {
    this.#games.set(name, uuid);
  }

  async gamesOfEvents(source: string, eventIds: readonly string[]) {
    this.#ask();
    return new Map(
      eventIds.flatMap((eventId) => {
        const uuid = this.#games.get(`${source}/${eventId}`);
        return uuid === undefined ? [] : [[eventId, { uuid, gameId: uuid }] as const];
      }),
    );
  }

  async unsettledGames(_league: string, day: string): Promise<readonly GameOfTeams[]> {
    this.#ask();
    this.dayAsked = day;
    return this.unsettled;
  }

  async teamsNamed(_source: string, league: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    this.#ask();
    const found = names.map((name) => [name, this.teams.find(league, name)?.id] as const);
    return new Map(found.flatMap(([name, id]) => (id === undefined ? [] : [[name, id]])));
  }

  async identify(source: string, elements: readonly ReferenceElement[]): Promise<readonly ReferenceIdentity[]> {
    this.#ask();
    const known = { teams: this.teams, ids: this.#ids, playerLeagues: new Map<string, string>() };
    const identities = identifyElements(source, elements, known);
    for (const [index, { kind, league, sourceId }] of elements.entries()) {
      const identity = identities[index];
      if (identity?.kind === 'identified') this.noteIdentity(nameOf(kind, league, sourceId), identity.id);
    }
    return identities;
  }

  /** Remembers a team, player or venue. */
  protected noteIdentity(name: string, id: string): void {
    this.#ids.set(name, id);
  }

  async playersCalled(): Promise<ReadonlyMap<string, string>> {
    this.#ask();
    return this.#ids;
  }

  async startsLogged(): Promise<void> {
    this.#ask();
  }

  async now() {
    if (this.hangs) await new Promise(() => {});
    this.#ask();
    return Date.now() * 1_000;
  }

  async gamesOpenFor(source: string) {
    this.#ask();
    return [...this.#games]
      .filter(([name]) => name.startsWith(`${source}/`))
      .map(([, gameUuid]) => ({ gameUuid, gameId: gameUuid, league: 'NFL' }));
  }

  async useKey(source: string, key: string, body: string, receipt: string) {
    this.#ask();
    const held = this.#used.get(`${source} ${key}`);
    if (held === undefined) {
      this.#used.set(`${source} ${key}`, { body, receipt, logged: false });
      return { kind: 'new' } as const;
    }
    if (held.body !== body) return { kind: 'conflict' } as const;
    return { kind: 'repeated', receipt: held.receipt, logged: held.logged } as const;
  }

  async releaseKey(source: string, key: string, receipt: string): Promise<void> {
    this.#ask();
    const held = this.#used.get(`${source} ${key}`);
    if (held?.receipt === receipt && !held.logged) this.#used.delete(`${source} ${key}`);
  }

  async acknowledge(entry: ReceiptEntry, key: string | null, letters: readonly DeadLetter[]): Promise<void> {
    this.#ask();
    if (this.acknowledgeFails) throw new CatalogUnavailable('the receipt was not written');
    if (!this.receipts.has(entry.receipt)) await this.store(letters);
    this.receipts.set(entry.receipt, this.receipts.get(entry.receipt) ?? entry);
    const held = this.#used.get(`${entry.source} ${key}`);
    if (held !== undefined) held.logged = true;
  }

  async store(letters: readonly DeadLetter[]): Promise<void> {
    this.#ask();
    if (letters.length > 0) this.buries -= 1;
    if (this.buries < 0) throw new CatalogUnavailable('the dead letters were not kept');
    this.letters.push(...letters.map((letter) => ({ ...letter, payload: this.#kept(letter.payload) })));
  }

  /** A copy of the bytes: a push does not keep its body once it is handled. */
  #kept(payload: Uint8Array): Uint8Array {
    const kept = this.#payloads.get(payload) ?? Buffer.from(payload);
    this.#payloads.set(payload, kept);
    return kept;
  }

  async receipt(receipt: string): Promise<ReceiptState | null> {
    this.#ask();
    const entry = this.receipts.get(receipt);
    const fold = this.folds.get(receipt) ?? { applied: 0, foldedDuplicates: 0, refused: 0, records: [] };
    const parts = fold.records.filter(({ state }) => state === 'applied').flatMap(({ refusals }) => refusals);
    return entry === undefined ? null : { ...entry, ...fold, refusedParts: parts.length };
  }

  async rankOf(source: string): Promise<number> {
    this.#ask();
    this.rankQueries += 1;
    return this.ranks.get(source) ?? 0;
  }

  foundSource = unused;
  rankSource = unused;
  sources = unused;
  expire = unused;
  flush = unused;
}

/** An object store that keeps what it is given. `down`: it refuses. */
export class FakeObjects implements Pick<ObjectStore, 'put' | 'get'> {
  readonly held = new Map<string, Uint8Array>();
  down = false;

  async put(key: string, bytes: Uint8Array): Promise<void> {
    if (this.down) throw new Error('the object store is down');
    const before = this.held.get(key);
    if (before !== undefined && Buffer.compare(before, bytes) !== 0) throw new ObjectConflict(key);
    // A writer may free the bytes once they are put.
    this.held.set(key, Buffer.from(bytes));
  }

  async get(key: string): Promise<Uint8Array | null> {
    if (this.down) throw new Error('the object store is down');
    return this.held.get(key) ?? null;
  }
}
