// A catalog in memory with the API's view of it. Tests can make it fail: down, hanging, or silent about its commits.
// Games have logs whose files are lines of text, one a row, so that a test can read rows without Parquet; where a file
// is opened as Parquet, it is a real one.
import { createHash } from 'node:crypto';
import { displayOfKey, macOfKey, mintKey, type Pepper, randomBytesPerKey } from '../../../core/access/key-format.ts';
import { shownStatus } from '../../../core/games/shown-status.ts';
import type {
  Artifact,
  ArtifactsCatalog,
  LandedArtifact,
  Landing,
  ServedData,
} from '../../../core/ports/catalog/artifacts.ts';
import type { CalendarCatalog, CatalogCalendar } from '../../../core/ports/catalog/calendar.ts';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type {
  CatalogGame,
  CatalogTeam,
  GamesCatalog,
  GamesQuery,
  OfferedQuery,
} from '../../../core/ports/catalog/games.ts';
import type { ApiKey, KeysCatalog } from '../../../core/ports/catalog/keys.ts';
import type {
  ClosedSegment,
  LiveCatalog,
  PublishedBoard,
  PublishedTail,
  ServedLog,
  ServingHandlers,
} from '../../../core/ports/catalog/live.ts';
import type {
  CatalogPlayer,
  PlayersQuery,
  ReferenceCatalog,
  TeamsQuery,
} from '../../../core/ports/catalog/reference.ts';
import type { FileRef, ObjectKey, ObjectStore } from '../../../core/ports/object-store.ts';
import type { Micros } from '../../../core/units.ts';
import { microsPerSecond } from '../../../core/units.ts';

/** 2026-08-05T20:00:00Z. */
export const someTime: Micros = Date.UTC(2026, 7, 5, 20) * 1000;

type Call =
  | 'find'
  | 'list'
  | 'offered'
  | 'teams'
  | 'players'
  | 'served'
  | 'artifact'
  | 'versions'
  | 'tailVersion'
  | 'watchServing'
  | 'apiKeyByMac'
  | 'calendar';

export class FakeCatalog
  implements
    Pick<GamesCatalog, 'find' | 'list' | 'offered'>,
    Pick<ReferenceCatalog, 'teams' | 'players'>,
    Pick<LiveCatalog, 'tailVersion' | 'watchServing'>,
    ArtifactsCatalog,
    Pick<KeysCatalog, 'apiKeyByMac'>,
    CalendarCatalog
{
  readonly games: CatalogGame[] = [];
  readonly teamsOfLeagues: CatalogTeam[] = [];
  readonly playersOfLeagues: CatalogPlayer[] = [];
  readonly logs = new Map<string, ServedLog>();
  /** All versions, oldest first. */
  readonly artifacts = new Map<string, readonly Artifact[]>();
  readonly tails = new Map<string, { rows: number; file: FileRef }[]>();
  readonly keys: { mac: Uint8Array; key: ApiKey }[] = [];
  readonly calls: Record<Call, number> = {
    find: 0,
    list: 0,
    offered: 0,
    teams: 0,
    players: 0,
    served: 0,
    artifact: 0,
    versions: 0,
    tailVersion: 0,
    watchServing: 0,
    apiKeyByMac: 0,
    calendar: 0,
  };
  readonly lastListing: { query: GamesQuery | null } = { query: null };
  /** 'down': every call fails. 'hanging': no call is ever answered. A promise: each call waits for it first. */
  state: 'up' | 'down' | 'hanging' | Promise<void> = 'up';
  /** Whether commits are announced. */
  announcing = true;
  readonly #watchers = new Set<ServingHandlers>();
  readonly #closedFrom = new Map<string, number>();

  async #called(call: Call): Promise<void> {
    this.calls[call] += 1;
    await this.answering();
  }

  /** Answers or fails a call according to `state`. */
  async answering(): Promise<void> {
    if (this.state === 'down') throw new CatalogUnavailable('the catalog is down');
    if (this.state === 'hanging') await new Promise(() => {});
    await this.state;
  }

  async find(id: string): Promise<CatalogGame | null> {
    await this.#called('find');
    return this.games.find((game) => game.gameId === id || game.uuid === id) ?? null;
  }

  async teams({ league, after, limit }: TeamsQuery): Promise<readonly CatalogTeam[]> {
    await this.#called('teams');
    const key = (of: { league: string; abbreviation: string }) => `${of.league} ${of.abbreviation}`;
    return this.teamsOfLeagues
      .filter((one) => (league === null || one.league === league) && (after === null || key(one) > key(after)))
      .sort((a, b) => (key(a) > key(b) ? 1 : -1))
      .slice(0, limit);
  }

  async players({ league, teamId, after, limit }: PlayersQuery): Promise<readonly CatalogPlayer[]> {
    await this.#called('players');
    return this.playersOfLeagues
      .filter((one) => league === null || one.league === league)
      .filter((one) => teamId === null || one.current_team_id === teamId)
      .filter((one) => after === null || one.id > after)
      .sort((a, b) => (a.id > b.id ? 1 : -1))
      .slice(0, limit);
  }

  async list(query: GamesQuery): Promise<readonly CatalogGame[]> {
    await this.#called('list');
    this.lastListing.query = query;
    const { after } = query;
    return this.games
      .filter(
        (game) =>
          (query.league === null || game.league === query.league) &&
          (query.status === null || shownStatus(game) === query.status) &&
          (query.dateFrom === null || game.gameDate >= query.dateFrom) &&
          (query.dateTo === null || game.gameDate <= query.dateTo) &&
          (query.team === null ||
            [game.home, game.away].some((team) => team?.name.toLowerCase() === query.team?.toLowerCase())) &&
          (after === null || isAfter(game, after)),
      )
      .sort((a, b) => (isAfter(a, { gameDate: b.gameDate, id: b.gameId }) ? 1 : -1))
      .slice(0, query.limit);
  }

  async offered({ league, after, limit }: OfferedQuery): Promise<readonly CatalogGame[]> {
    await this.#called('offered');
    const isOffered = ({ uuid }: CatalogGame) =>
      this.logs.get(uuid)?.boards.some(({ rows }) => rows > 0) === true &&
      this.#versionsOf(uuid, 'sportsbook-lines').length === 0;
    return this.games
      .filter((game) => isOffered(game) && (league === null || game.league === league))
      .filter((game) => after === null || isAfter(game, after))
      .sort((a, b) => (isAfter(a, { gameDate: b.gameDate, id: b.gameId }) ? 1 : -1))
      .slice(0, limit);
  }

  async served(gameUuid: string): Promise<ServedData> {
    await this.#called('served');
    const newest = new Map(this.artifacts.get(gameUuid)?.map((artifact) => [artifact.dataset, artifact]));
    const final = newest.has('sportsbook-lines');
    const log = this.logs.get(gameUuid) ?? null;
    return {
      log: final ? null : log,
      closedFrom: this.#closedFrom.get(gameUuid) ?? null,
      artifacts: [...newest.values()],
    };
  }

  async artifact(gameUuid: string, dataset: string, version: number | null): Promise<Artifact | null> {
    await this.#called('artifact');
    const versions = this.#versionsOf(gameUuid, dataset);
    return (version === null ? versions[0] : versions.find((one) => one.version === version)) ?? null;
  }

  async versions(gameUuid: string, dataset: string): Promise<readonly Artifact[]> {
    await this.#called('versions');
    return this.#versionsOf(gameUuid, dataset);
  }

  #versionsOf(gameUuid: string, dataset: string): Artifact[] {
    const held = this.artifacts.get(gameUuid) ?? [];
    return held.filter((one) => one.dataset === dataset).sort((a, b) => b.version - a.version);
  }

  async land(gameUuid: string, wanted: readonly LandedArtifact[]): Promise<Landing> {
    const newest = (dataset: string) => this.#versionsOf(gameUuid, dataset)[0]?.version ?? 0;
    const tooNew = wanted.find(({ dataset, version }) => version > newest(dataset) + 1);
    if (tooNew !== undefined) throw new Error(`version ${tooNew.version} of ${tooNew.dataset} is not the next`);
    const added = wanted.filter(({ dataset, version }) => version === newest(dataset) + 1);
    const held = this.artifacts.get(gameUuid) ?? [];
    this.artifacts.set(gameUuid, [...held, ...added.map((each) => ({ gameUuid, landedAt: someTime, ...each }))]);
    const left = wanted.filter((each) => !added.includes(each));
    const closed = this.logs.get(gameUuid);
    if (closed !== undefined && !this.#closedFrom.has(gameUuid)) this.#closedFrom.set(gameUuid, closed.firstSeq);
    if (this.announcing && added.length > 0) for (const watcher of this.#watchers) watcher.landed?.(gameUuid);
    return { landed: added.map(({ dataset }) => dataset), left: left.map(({ dataset }) => dataset) };
  }

  async tailVersion(
    gameUuid: string,
    generation: number,
    seq: number,
    rows: number,
  ): Promise<{ rows: number; file: FileRef } | null> {
    await this.#called('tailVersion');
    const kept = this.tails.get(`${gameUuid}/${generation}/${seq}`) ?? [];
    return kept.filter((version) => version.rows >= rows).sort((a, b) => a.rows - b.rows)[0] ?? null;
  }

  async watchServing(handlers: ServingHandlers): Promise<() => Promise<void>> {
    await this.#called('watchServing');
    this.#watchers.add(handlers);
    return async () => {
      this.#watchers.delete(handlers);
    };
  }

  /** The time of the catalog's clock; null: the machine's time. */
  now: Micros | null = null;
  newestSettledMonth: string | null = null;

  async calendar(): Promise<CatalogCalendar> {
    await this.#called('calendar');
    return { now: this.now ?? Date.now() * 1000, newestSettledMonth: this.newestSettledMonth };
  }

  async apiKeyByMac(macs: readonly Uint8Array[]): Promise<ApiKey | null> {
    await this.#called('apiKeyByMac');
    return this.keys.find(({ mac }) => macs.some((asked) => Buffer.compare(asked, mac) === 0))?.key ?? null;
  }

  commit(log: ServedLog): void {
    this.logs.set(log.gameUuid, log);
    if (!this.announcing) return;
    const { gameUuid, generation, version } = log;
    for (const watcher of this.#watchers) watcher.moved({ gameUuid, generation, version });
  }

  /** Tells the API that notices may have been missed. */
  loseNotices(): void {
    for (const watcher of this.#watchers) watcher.lost();
  }

  /** Adds a key whose account is in this state; answers its plaintext. */
  mint(pepper: Pepper, facts: Partial<ApiKey> = {}): string {
    const key = mintKey('live', crypto.getRandomValues(new Uint8Array(randomBytesPerKey)));
    const id = displayOfKey(key).last4;
    const record: ApiKey = {
      id,
      accountId: 'account',
      state: 'active',
      tier: 'PRO',
      entitled: true,
      monthlyRows: null,
      ...facts,
    };
    this.keys.push({ mac: macOfKey(key, pepper), key: record });
    return key;
  }

  moveStatus(uuid: string, status: string): void {
    const at = this.games.findIndex((game) => game.uuid === uuid);
    this.games[at] = { ...(this.games[at] as CatalogGame), status };
  }

  addGame(facts: Partial<CatalogGame> & { gameId: string; uuid: string }): CatalogGame {
    const [league = 'MLB', away = 'STL', home = 'NYY', date = '20260805'] = facts.gameId.split('_');
    const game: CatalogGame = {
      minted: facts.gameId !== facts.uuid,
      league,
      gameDate: `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6, 8)}`,
      firstStart: someTime,
      scheduledStart: someTime,
      fromSchedule: false,
      status: 'SCHEDULED',
      settled: false,
      logTime: null,
      founderSource: 'recorded',
      homeName: home,
      awayName: away,
      home: team(league, home),
      away: team(league, away),
      ...facts,
    };
    this.games.push(game);
    return game;
  }
}

function isAfter(game: CatalogGame, position: { gameDate: string; id: string }): boolean {
  return game.gameDate === position.gameDate ? game.gameId > position.id : game.gameDate > position.gameDate;
}

function team(league: string, abbreviation: string): CatalogTeam {
  return {
    id: uuidOf(`${league}/${abbreviation}`),
    league,
    abbreviation,
    name: `The ${abbreviation}`,
    city: null,
    nickname: null,
    conference: null,
    division: null,
    is_active: true,
  };
}

export function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Turns the rows of a log into the bytes of a file. `before`: the shorter file that this one grew from. */
export type RowCodec = (rows: readonly string[], before: { bytes: Uint8Array; rows: number } | null) => Uint8Array;

const linesOfText: RowCodec = (rows) => Buffer.from(rows.map((row) => `${row}\n`).join(''), 'utf8');

/** The bytes of a file made by a test, as the API should serve them. */
export type FakeFile = { ref: FileRef; bytes: Buffer };

/** A game's log to which a test appends commit by commit, as a projector would. */
export class FakeLog {
  readonly rows: string[] = [];
  readonly #catalog: FakeCatalog;
  readonly #objects: ObjectStore;
  readonly #gameUuid: string;
  readonly #segmentRows: number;
  readonly #codec: RowCodec;
  #grown: { name: string; bytes: Uint8Array; rows: number } | null = null;
  readonly #operators = new Map<string, number>();
  #generation = 0;
  #firstSeq = 1;
  #version = 0;
  #attempt = 0;

  constructor(
    catalog: FakeCatalog,
    objects: ObjectStore,
    gameUuid: string,
    segmentRows = 5,
    codec: RowCodec = linesOfText,
  ) {
    this.#codec = codec;
    this.#catalog = catalog;
    this.#objects = objects;
    this.#gameUuid = gameUuid;
    this.#segmentRows = segmentRows;
  }

  /** The rows of a file as text. */
  static rowsOf(bytes: Buffer): string[] {
    const text = bytes.toString('utf8');
    return text === '' ? [] : text.trimEnd().split('\n');
  }

  async #put(name: string, rows: readonly string[]): Promise<FileRef> {
    this.#attempt += 1;
    const before = this.#grown?.name === `${this.#generation} ${name}` ? this.#grown : null;
    const bytes = this.#codec(rows, before);
    if (name.startsWith('tail')) this.#grown = { name: `${this.#generation} ${name}`, bytes, rows: rows.length };
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    // The files of a flush share an object, so some begin in the middle of one.
    const lead = Buffer.from('x'.repeat(this.#attempt % 3));
    const key = `${this.#gameUuid}/${this.#generation}/${name}-${this.#attempt}` as ObjectKey;
    await this.#objects.put(key, Buffer.concat([lead, bytes]));
    return { key, offset: lead.length, size: bytes.length, sha256 };
  }

  async #putWhole(name: string, rows: readonly string[]): Promise<FileRef> {
    this.#attempt += 3 - (this.#attempt % 3) - 1;
    return this.#put(name, rows);
  }

  /** Commits a version with `count` more rows of an operator. 0: only the board's state changes. */
  async append(count: number, operator = 'DRAFTKINGS'): Promise<ServedLog> {
    if (this.#generation === 0) this.#generation = 1;
    for (let added = 0; added < count; added += 1) {
      this.rows.push(`${this.#generation} ${this.rows.length + 1} ${operator}`);
      this.#operators.set(operator, (this.#operators.get(operator) ?? 0) + 1);
    }
    return this.#commit();
  }

  /** Restarts the log above every used seq, with its first `keep` rows again. */
  async rebuild(keep: number): Promise<ServedLog> {
    const used = Math.max(1, Math.ceil(this.rows.length / this.#segmentRows));
    this.#firstSeq += used;
    this.#generation += 1;
    this.rows.splice(0, this.rows.length);
    this.#operators.clear();
    return this.append(keep);
  }

  async #commit(): Promise<ServedLog> {
    const before = this.#catalog.logs.get(this.#gameUuid);
    this.#version += 1;
    const closed: ClosedSegment[] = [];
    let tail: PublishedTail | null = null;
    for (let from = 0; from < this.rows.length; from += this.#segmentRows) {
      const seq = this.#firstSeq + from / this.#segmentRows;
      const rows = this.rows.slice(from, from + this.#segmentRows);
      const times = { min_timestamp: someTime + from, max_timestamp: someTime + from + rows.length - 1 };
      const isLast = from + this.#segmentRows >= this.rows.length;
      const known =
        before?.generation === this.#generation ? before.closed.find((held) => held.seq === seq) : undefined;
      if (known !== undefined) closed.push(known);
      else if (isLast) tail = { seq, rows: rows.length, ...times, file: await this.#put(`tail-${seq}`, rows) };
      else {
        const { key, size, sha256 } = await this.#putWhole(`closed-${seq}`, rows);
        closed.push({ seq, rows: rows.length, ...times, key, size, sha256 });
      }
    }
    this.#keep(before?.generation === this.#generation ? before.tail : null);
    this.#keep(tail);
    const log: ServedLog = {
      gameUuid: this.#gameUuid,
      generation: this.#generation,
      version: this.#version,
      firstSeq: this.#firstSeq,
      rows: this.rows.length,
      appliedThrough: this.rows.length === 0 ? null : someTime + this.rows.length - 1,
      updatedAt: someTime + this.#version * microsPerSecond,
      tail,
      closed,
      boards: await this.#boards(),
      operators: Object.fromEntries(
        [...this.#operators.keys()]
          .sort()
          .map((code) => [
            code,
            { last_row_at: someTime, observed_through: someTime + this.#version, source: 'recorded' },
          ]),
      ),
    };
    this.#catalog.commit(log);
    return log;
  }

  async #boards(): Promise<PublishedBoard[]> {
    const boards: PublishedBoard[] = [];
    for (const operator of [...this.#operators.keys()].sort()) {
      const rows = this.rows.filter((row) => row.endsWith(operator)).slice(-3);
      boards.push({ operator, rows: rows.length, file: await this.#put(`board-${operator}`, rows) });
    }
    return boards;
  }

  #keep(tail: PublishedTail | null): void {
    if (tail === null) return;
    const name = `${this.#gameUuid}/${this.#generation}/${tail.seq}`;
    const kept = this.#catalog.tails.get(name) ?? [];
    if (!kept.some((version) => version.rows === tail.rows)) kept.push({ rows: tail.rows, file: tail.file });
    this.#catalog.tails.set(name, kept);
  }
}
