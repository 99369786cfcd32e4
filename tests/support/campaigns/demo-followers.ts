// The campaign of the followers: short programs follow every game of the demo, with each client and with curl, while the campaign kills the
// API, the projectors and the gateway with SIGKILL, one after another. It closes all games at the end. Each program must then have ended by
// itself, have printed the rows of every final file once and in order, and have been billed for exactly these (I1, I8, I22,
// docs/clients.md#following).
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type CanonicalRow, canonicalCells } from '../../../core/msf/canonical-row.ts';
import { anyGame } from '../../../core/ports/catalog/games.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { startDemo } from '../../../ops/demo/demo.ts';
import { mintApiKey } from '../../../ops/service/new-keys.ts';
import { newUuid } from '../../../platform/process/ids.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { finalOf } from '../editions/final-of-api.ts';
import { manifestOf } from '../editions/published-game.ts';
import { freePort } from '../services/ports.ts';
import { until } from '../services/until.ts';
import { untilAllIsSettled } from './finals-verdict.ts';
import { type FollowingKind, FollowingProgram, followingKinds, linesOfProgram } from './following-program.ts';
import { endGame } from './load.ts';
import type { EditionName } from './place.ts';
import { Program } from './program.ts';
import { runCampaign } from './run-campaign.ts';
import { untilAllIsFolded } from './verdict.ts';
import type { World } from './world.ts';

/** `kills`: how often each program of the service is killed within `forMs`. */
export type FollowersOptions = {
  edition: EditionName;
  seed: number;
  forMs: number;
  kills: number;
  say(line: string): void;
};

export type FollowersFigures = {
  programs: string[];
  games: number;
  kills: Record<string, number>;
  /** Rows of the final files: each program printed all of them and was billed for exactly these. */
  rows: number;
  seconds: number;
  missing: string[];
};

const mostLines = 15;
/** The longest time between the kill of a program and its restart. */
const mostDownMs = 3_000;

/** Runs the campaign; rejects with the first failed assertion. A string says which service is missing. */
export function followersCampaign(options: FollowersOptions): Promise<FollowersFigures | string> {
  return runCampaign(options.edition, Campaign, options);
}

type Reader = { account: string; program: FollowingProgram };
type Game = { id: string; uuid: string; league: string };

class Campaign {
  readonly programs: Program[] = [];
  readonly #world: World;
  readonly #options: FollowersOptions;
  readonly #readers: Reader[] = [];
  readonly #kills: Record<string, number> = {};
  #stopDemo: () => Promise<void> = async () => {};

  constructor(world: World, options: FollowersOptions) {
    this.#world = world;
    this.#options = options;
  }

  async run(): Promise<FollowersFigures> {
    const startedAt = performance.now();
    const { kinds, missing } = await followingKinds();
    for (const kind of kinds) assert.ok(linesOfProgram(kind) <= mostLines, `${kind.file} is short`);
    const url = await this.#startService();
    await this.#startDemo();
    await until('every game of the demo is quoted', () => this.#isQuoted());
    for (const kind of kinds) this.#readers.push(await this.#follow(kind, url));
    await this.#killAll();
    await this.#stopDemo();
    const games = await this.#end();
    const rows = await this.#compare(games);
    const programs = this.#readers.map(({ program }) => program.name);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    return { programs, games: games.length, kills: this.#kills, rows, seconds, missing };
  }

  async close(): Promise<void> {
    for (const { program } of this.#readers) program.kill();
    await this.#stopDemo();
    for (const program of this.programs) await program.retire();
    await this.#world.close();
  }

  /** Starts the programs that the campaign kills; returns the URL of the API. */
  async #startService(): Promise<string> {
    const port = String(await freePort());
    const roles = { api: ['api'], projectors: ['projectors'], gateway: ['ingest', 'ticker'] };
    for (const [name, own] of Object.entries(roles)) {
      const environment = { ...this.#world.environmentOf(name), SDS_API_PORT: port };
      this.programs.push(new Program(name, environment, { roles: own }));
    }
    await Promise.all(this.programs.map((program) => program.startToServe()));
    return `http://127.0.0.1:${port}`;
  }

  async #startDemo(): Promise<void> {
    const { catalogs, peppers, dataDir } = this.#world.api.drivers;
    const { keys, pushes } = catalogs;
    const url = this.#world.gatewayUrl;
    const stop = await startDemo({ keys, pushes, peppers, dataDir, url, seed: this.#options.seed, log: silentLog });
    this.#stopDemo = async () => {
      this.#stopDemo = async () => {};
      await stop();
    };
  }

  /** Starts a program that reads with an account of its own. */
  async #follow(kind: FollowingKind, url: string): Promise<Reader> {
    const { catalogs, peppers } = this.#world.api.drivers;
    const account = newUuid();
    await catalogs.keys.createAccount({ id: account, name: kind.name, tier: 'PRO', entitled: true, monthlyRows: null });
    const minted = await mintApiKey(catalogs.keys, peppers, account);
    if (minted.kind !== 'minted') throw new Error(minted.kind);
    return { account, program: new FollowingProgram(kind, url, minted.plaintext) };
  }

  /** Kills each program the given number of times, one program at a time, spread over the campaign. */
  async #killAll(): Promise<void> {
    const { seed, forMs, kills, edition, say } = this.#options;
    const random = seededRandom(seed);
    const deck = shuffled(
      random,
      this.programs.flatMap((program) => Array.from({ length: kills }, () => program)),
    );
    const beginsAt = performance.now();
    for (const [at, program] of deck.entries()) {
      const share = (at + 0.2 + 0.6 * (random.integer(1_000) / 1_000)) / deck.length;
      await delay(Math.max(0, beginsAt + share * forMs - performance.now()));
      this.#assertFollowing();
      await program.kill();
      assert.equal(program.ends.at(-1)?.by, 'us', JSON.stringify(program.ends));
      this.#kills[program.name] = (this.#kills[program.name] ?? 0) + 1;
      await delay(random.integer(mostDownMs));
      await program.startToServe();
      say(
        `${edition}, seed ${seed}: ${at + 1} of ${deck.length} kills, ${program.name}; ${this.#readers.map(({ program: { name, count } }) => `${name} ${count}`).join(', ')} rows`,
      );
    }
    await delay(Math.max(0, beginsAt + forMs - performance.now()));
  }

  #assertFollowing(): void {
    for (const { program } of this.#readers)
      assert.ok(program.running, `${program.name} has ended: ${program.said.join('\n')}`);
  }

  /** All games that the service knows. */
  async #games(): Promise<Game[]> {
    const listed = await this.#world.api.drivers.catalogs.games.list({ ...anyGame, limit: 1_000 });
    return listed.map(({ gameId: id, uuid, league }) => ({ id, uuid, league }));
  }

  /** Whether the API serves all of its games live. A client asks for a game that is not served less and less often. */
  async #isQuoted(): Promise<boolean> {
    const games = await this.#games();
    const { artifacts } = this.#world.api.drivers.catalogs;
    const served = await Promise.all(games.map(({ uuid }) => artifacts.served(uuid)));
    return games.length > 1 && served.every(({ log }) => log !== null);
  }

  /** Waits until all programs have read everything, closes all games, and waits until the programs have ended. */
  async #end(): Promise<Game[]> {
    const { api } = this.#world;
    const gateway = this.programs.find(({ name }) => name === 'gateway') ?? assert.fail('no gateway');
    // Ticks continue while the gateway runs.
    gateway.terminate();
    await gateway.ended();
    await untilAllIsFolded(this.#world);
    const games = await this.#games();
    for (const game of games) {
      const isRead = async (): Promise<boolean> => {
        const { log } = await api.drivers.catalogs.artifacts.served(game.uuid);
        if (log === null) return true;
        const { segments } = await manifestOf(api, game.id);
        const rows = segments.reduce((sum, segment) => sum + segment.rows, 0);
        const seen = this.#readers.map(({ program }) => program.rows.get(game.id)?.length ?? 0);
        this.#assertFollowing();
        if (seen.some((count) => count < rows)) throw new Error(`${rows} rows; seen ${seen.join(', ')}`);
        return true;
      };
      await until(`all programs have read ${game.id}`, isRead, { everyMs: 100 });
    }
    for (const game of games) await endGame(api.drivers.broker, game);
    await untilAllIsFolded(this.#world);
    await untilAllIsSettled(this.#world);
    for (const { program } of this.#readers) await until(`${program.name} ends`, () => !program.running);
    return games;
  }

  /** Returns the rows of all final files. */
  async #compare(games: readonly Game[]): Promise<number> {
    const { api } = this.#world;
    const finals = new Map<string, string[]>();
    for (const { id } of games) {
      const final = await finalOf(api, id, sportsbookLines.name);
      const rows = (final?.rows ?? []).map((row) =>
        textOf(canonicalCells(sportsbookLines.columns, row as CanonicalRow)),
      );
      finals.set(id, rows);
    }
    const rows = [...finals.values()].reduce((sum, { length }) => sum + length, 0);
    for (const { account, program } of this.#readers) {
      const { name } = program;
      assert.equal(await program.ended, 0, `${name}: ${program.said.join('\n')}`);
      for (const [id, expected] of finals) {
        const printed = (program.rows.get(id) ?? []).map((row) => textOf(Object.values(row)));
        const at = expected.findIndex((row, index) => row !== printed[index]);
        assert.equal(at, -1, `${name}, row ${at + 1} of ${id}: ${printed[at]}, and not ${expected[at]}`);
        assert.equal(printed.length, expected.length, `${name}: rows of ${id}`);
      }
      assert.equal(program.count, rows, `${name}: rows of all games`);
      const { usedRows, items } = await api.drivers.catalogs.ledger.items(account, null);
      assert.equal(usedRows, rows, `${name}: rows that were billed, ${JSON.stringify(items)}`);
    }
    return rows;
  }
}

/** The cells of a row in canonical form, because Python formats pyarrow's decimals and times in its own way. */
function textOf(cells: readonly unknown[]): string {
  return JSON.stringify(cells.map(cellOf));
}

const pythonTime = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{6})?\+00:00$/;

function cellOf(cell: unknown): unknown {
  const [, day, time, fraction = '.000000'] = (typeof cell === 'string' ? pythonTime.exec(cell) : null) ?? [];
  return day === undefined ? cell : `${day}T${time}${fraction}Z`;
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(random.integer(rest.length), 1)[0] as T);
}

/** A campaign's figures in one line. */
export function describeFollowers({ programs, kills, missing, ...figures }: FollowersFigures): string {
  const counts = Object.entries(figures).map(([name, count]) => `${name} ${count}`);
  const deaths = Object.entries(kills).map(([name, count]) => `${name} ${count}`);
  const gaps = missing.length === 0 ? '' : `; left out: ${missing.join(', ')}`;
  return `${programs.join(', ')} each: ${counts.join(', ')}; killed: ${deaths.join(', ')}${gaps}`;
}
