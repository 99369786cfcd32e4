// The switch campaign: many clients poll the live and the final routes of games that close one after another, without
// pause and through two instances, while SIGKILL ends instances and projectors (which also settle games). At the end
// the rows read live must be those of the final files, and the bills must match the reads (I16, I22,
// docs/metering.md#what-a-read-costs).
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { mintApiKey } from '../../../ops/service/new-keys.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { newUuid } from '../../../platform/process/ids.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { runSds } from '../processes/sds.ts';
import { freePort } from '../services/ports.ts';
import { until } from '../services/until.ts';
import type { EditionName } from './place.ts';
import { Program } from './program.ts';
import { runCampaign } from './run-campaign.ts';
import { type BillFigures, SwitchBill, type Usage } from './switch-bill.ts';
import { type Instance, SwitchClient, type WatchedGame } from './switch-client.ts';
import { type SwitchGame, SwitchGames } from './switch-games.ts';
import { now, SwitchJudge } from './switch-judge.ts';
import type { World } from './world.ts';

export type SwitchOptions = {
  edition: EditionName;
  seed: number;
  settlements: number;
  clients: number;
  /** How many games are played at the same time. */
  atOnce: number;
  say(line: string): void;
};

export type SwitchFigures = BillFigures & {
  settlements: number;
  clients: number;
  requests: number;
  lost: number;
  /** Kills by place. */
  at: Record<string, number>;
  /** The longest time for which an instance served a game live after its landing. */
  longestLagMs: number;
  /** Rows that clients read live, each compared with its row in the final file. */
  rows: number;
  /** How often a client read all rows of a game live. */
  whole: number;
  /** Pushes that the gateway refused because their game was settled. */
  refusedPushes: number;
  seconds: number;
};

type Account = { id: string; key: string; monthlyRows: number | null };

const accountsInAll = 8;
/** The monthly quota of the smallest account, which it uses up. */
const smallQuota = 2_000;
/** How long clients poll a game after its landing: longer than an instance may take. */
const watchedOnMs = 6_000;
const settlementPoints = ['settlement:built', 'settlement:before-landing', 'settlement:landed'];
const commitPoints = ['projector:before-commit@live', 'projector:after-commit@live'];

/** Runs the campaign; rejects with the first failed assertion. A string says which service is missing. */
export function switchCampaign(options: SwitchOptions): Promise<SwitchFigures | string> {
  return runCampaign(options.edition, Campaign, options);
}

class Campaign {
  readonly programs: Program[] = [];
  readonly #world: World;
  readonly #options: SwitchOptions;
  readonly #judge = new SwitchJudge();
  readonly #bill = new SwitchBill();
  /** Aborted when all games are over: from then on nothing is killed. */
  readonly #stopped = new AbortController();
  /** Aborted when no client polls any more. */
  readonly #ended = new AbortController();
  readonly #at: Record<string, number> = {};
  readonly #landed: SwitchGame[] = [];
  #watched: WatchedGame[] = [];
  #gateway: Program | null = null;
  #longestLagMs = 0;

  constructor(world: World, options: SwitchOptions) {
    this.#world = world;
    this.#options = options;
  }

  async run(): Promise<SwitchFigures> {
    const startedAt = now();
    const { settlements, clients: count, seed } = this.#options;
    await this.#loseNotices();
    const instances = await this.#start();
    const accounts = await this.#openAccounts();
    const clients = Array.from({ length: count }, (_, number) => {
      const { id, key } = accounts[number % accounts.length] as Account;
      const random = seededRandom(seed * 31 + number);
      const games = () => this.#watched;
      return new SwitchClient({ instances, account: id, key, random, judge: this.#judge, bill: this.#bill, games });
    });
    const polling = Promise.all(clients.map((client) => client.pollUntil(this.#ended.signal)));
    const killing = Promise.all(
      this.programs.map((program, number) => this.#kill(program, seededRandom(seed + number))),
    );
    const [games] = await Promise.all([this.#playAll(instances).finally(() => this.#stopped.abort()), killing]);
    this.#ended.abort();
    await polling;
    assert.deepEqual([...this.#judge.violations, ...games.violations].slice(0, 10), [], 'what the clients met');
    assert.equal(this.#landed.length, settlements);
    const kills = settlementPoints.filter((point) => this.#at[point] === undefined);
    if (settlements >= 50) assert.deepEqual(kills, [], 'crash points that killed nothing');
    const { rows, whole, finals } = await this.#compareRows(clients, instances[0] as Instance);
    const bill = await this.#compareBills(accounts, finals);
    const sum = (of: (client: SwitchClient) => number): number => clients.reduce((total, each) => total + of(each), 0);
    return {
      settlements,
      clients: count,
      requests: sum(({ requests }) => requests),
      lost: sum(({ lost }) => lost),
      at: this.#at,
      longestLagMs: Math.round(this.#longestLagMs),
      rows,
      whole,
      ...bill,
      refusedPushes: games.refusedPushes,
      seconds: Math.round((now() - startedAt) / 1_000),
    };
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    this.#ended.abort();
    for (const program of this.programs) await program.retire();
    await this.#gateway?.retire();
    await this.#world.close();
  }

  /**
   * Makes the database lose half of the notices of landings: an instance must then notice a landing on its own within
   * some seconds.
   */
  async #loseNotices(): Promise<void> {
    const { sql } = this.#world;
    await sql.query(`create function public.pg_notify(channel text, notice text) returns void language plpgsql as $$
      begin
        if channel = 'serving' and notice like '% landed' and random() < 0.5 then return; end if;
        perform pg_catalog.pg_notify(channel, notice);
      end $$`);
    await sql.query(`do $$ begin
      execute format('alter database %I set search_path to public, pg_catalog', current_database());
    end $$`);
  }

  /** Starts a gateway, which is never killed, and projectors and two API instances, which are. */
  async #start(): Promise<Instance[]> {
    const gateway = new Program('gateway', this.#world.environmentOf('gateway'), { roles: ['ingest', 'ticker'] });
    this.#gateway = gateway;
    gateway.start();
    const instances: Instance[] = [];
    for (const name of ['api1', 'api2']) {
      const port = String(await freePort());
      const environment = { ...this.#world.environmentOf(name), SDS_API_PORT: port };
      this.programs.push(new Program(name, environment, { roles: ['api'] }));
      instances.push({ name, url: `http://127.0.0.1:${port}` });
    }
    for (const name of ['projector1', 'projector2'])
      this.programs.push(new Program(name, this.#world.environmentOf(name), { roles: ['projectors'] }));
    for (const program of this.programs)
      program.start(program.name === 'projector2' ? `${pointOf(this.#options.seed)}:1` : null);
    for (const program of [gateway, ...this.programs]) await program.untilReady();
    return instances;
  }

  async #openAccounts(): Promise<Account[]> {
    const { catalogs, peppers } = this.#world.api.drivers;
    const accounts: Account[] = [];
    for (let number = 0; number < accountsInAll; number += 1) {
      const id = newUuid();
      const monthlyRows = number === 0 ? smallQuota : null;
      await catalogs.keys.createAccount({ id, name: `reader ${number}`, tier: 'PRO', entitled: true, monthlyRows });
      const minted = await mintApiKey(catalogs.keys, peppers, id);
      if (minted.kind !== 'minted') throw new Error(minted.kind);
      accounts.push({ id, key: minted.plaintext, monthlyRows });
    }
    return accounts;
  }

  /** Plays all games, some of them at a time, and watches each until it has been final for longer than the switch may take. */
  async #playAll(instances: readonly Instance[]): Promise<SwitchGames> {
    const { settlements, atOnce, seed, edition, say } = this.#options;
    const games = new SwitchGames(this.#world, await this.#world.api.feedKey(['push', 'backfill']));
    let next = 0;
    const lanes = Array.from({ length: atOnce }, async () => {
      for (let number = next++; number < settlements && !this.#stopped.signal.aborted; number = next++) {
        const game = await games.play(number, seed, ({ id }) => {
          this.#watched = [...this.#watched, { id, quiet: number % 3 === 0, rest: [] }];
        });
        const { artifacts } = await this.#world.api.drivers.catalogs.artifacts.served(game.uuid);
        const rest = artifacts.map(({ dataset }) => dataset).filter((dataset) => dataset !== 'sportsbook-lines');
        this.#watched = this.#watched.map((each) => (each.id === game.id ? { ...each, rest } : each));
        const hasFlipped = () => instances.every(({ name }) => this.#judge.hasFlipped(game.id, name));
        await until(`${game.id} is final on every instance`, hasFlipped);
        await delay(Math.max(0, game.landedAt + watchedOnMs - now()));
        this.#watched = this.#watched.filter(({ id }) => id !== game.id);
        for (const { name } of instances)
          this.#longestLagMs = Math.max(this.#longestLagMs, this.#judge.lagOf(game.id, name, game.landedAt));
        this.#landed.push(game);
        const { violations } = this.#judge;
        if (violations.length > 0) throw new Error(violations.slice(0, 5).join('\n'));
        say(
          `${edition}, seed ${seed}: ${this.#landed.length} of ${settlements} settlements, kills ${JSON.stringify(this.#at)}`,
        );
      }
    });
    await Promise.all(lanes);
    return games;
  }

  /** Kills and restarts the program until the campaign is over; the last life continues. */
  async #kill(program: Program, random: Random): Promise<void> {
    const isApi = program.name.startsWith('api');
    const deck = isApi ? [null] : [...settlementPoints, ...settlementPoints, ...commitPoints, null];
    for (;;) {
      const point = random.pick(deck);
      const patienceMs = (isApi ? 6_000 : 4_000) + random.integer(8_000);
      const died = until(`${program.name} dies`, () => !program.running || this.#stopped.signal.aborted, {
        withinMs: patienceMs,
      }).catch(() => {});
      await died;
      if (this.#stopped.signal.aborted && program.running && program.ready) return;
      await program.kill();
      if (this.#ended.signal.aborted) return;
      const end = program.ends.at(-1);
      const place = end?.by === 'point' ? (end.armed ?? '').replace(/:\d+$/, '') : program.name.replace(/\d$/, '');
      if (end?.by === 'itself')
        assert.match(end.last, /is over|another owner|given up/, `${program.name}: ${JSON.stringify(end)}`);
      else this.#at[place] = (this.#at[place] ?? 0) + 1;
      program.start(point === null || this.#stopped.signal.aborted ? null : `${point}:${1 + random.integer(2)}`);
      await program.untilReady();
    }
  }

  /** Compares what each client read live with the final file, by row number. */
  async #compareRows(
    clients: readonly SwitchClient[],
    { url }: Instance,
  ): Promise<{ rows: number; whole: number; finals: Map<string, number> }> {
    const { apiKey } = this.#world.api;
    const finals = new Map<string, number>();
    let rows = 0;
    let whole = 0;
    for (const { id, uuid } of this.#landed) {
      const { artifacts } = await this.#world.api.drivers.catalogs.artifacts.served(uuid);
      for (const { dataset, version, rows: count } of artifacts) {
        assert.equal(version, 1, `${dataset} of ${id} landed once`);
        finals.set(`${id} ${dataset}`, count);
      }
      const headers = { authorization: `Bearer ${apiKey}` };
      const response = await fetch(`${url}/v1/games/${id}/sportsbook-lines`, { headers });
      assert.equal(response.status, 200, `the final file of ${id}`);
      const final = parquetWriter.decode('sportsbook-lines', new Uint8Array(await response.arrayBuffer()));
      for (const client of clients) {
        const followed = client.followed.get(id)?.rows ?? [];
        assert.deepEqual(followed, final.slice(0, followed.length), `rows of ${id} that were read live`);
        rows += followed.length;
        if (followed.length === final.length) whole += 1;
      }
    }
    return { rows, whole, finals };
  }

  async #compareBills(accounts: readonly Account[], finals: ReadonlyMap<string, number>): Promise<BillFigures> {
    const billed = [];
    for (const { id, monthlyRows } of accounts) {
      const ran = await runSds(this.#world.environmentOf('usage'), ['usage', '--account', id, '--json']);
      assert.equal(ran.code, 0, ran.err);
      billed.push({ id, monthlyRows, usage: JSON.parse(ran.out) as Usage });
    }
    return this.#bill.compare(billed, (game, dataset) => finals.get(`${game} ${dataset}`) ?? 0);
  }
}

/** The crash point of a projector's first death, so that even a short campaign has one during a settlement. */
function pointOf(seed: number): string {
  return settlementPoints[seed % settlementPoints.length] as string;
}

/** A campaign's figures in one line. */
export function describeSwitches({ at, ...figures }: SwitchFigures): string {
  const places = Object.entries(at)
    .sort()
    .map(([place, count]) => `${place} ${count}`);
  const counts = Object.entries(figures).map(([name, count]) => `${name} ${count}`);
  return `${counts.join(', ')}; killed at ${places.join(', ')}`;
}
