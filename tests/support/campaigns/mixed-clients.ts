// The campaign of mixed clients: 64 clients read by events, by waiting and by polling, and leave and return at random,
// while SIGKILL ends the API, the projectors and the gateway. Then clients stay, and slow readers connect. In the end
// each client must have read the naive fold of the log, no wait may have been answered late, and the slow readers must
// have cost bounded memory (I1, I3, I8, docs/interface.md#waiting, docs/interface.md#events).
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { anyGame } from '../../../core/ports/catalog/games.ts';
import { mintApiKey } from '../../../ops/service/new-keys.ts';
import { newUuid } from '../../../platform/process/ids.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { finalOf } from '../editions/final-of-api.ts';
import { freePort } from '../services/ports.ts';
import { until } from '../services/until.ts';
import { untilAllIsSettled } from './finals-verdict.ts';
import { type Follower, startFollower } from './follower.ts';
import { type Load, startLoad } from './load.ts';
import { MixedClient, type MixedManner, MixedTally, mixedManners, textOfRow } from './mixed-client.ts';
import type { EditionName } from './place.ts';
import { Program } from './program.ts';
import { runCampaign } from './run-campaign.ts';
import { type ShortGames, startShortGames } from './short-games.ts';
import { memoryOfSlowCrowd } from './slow-crowd.ts';
import { judge, untilAllIsFolded, untilReceiptsApplied } from './verdict.ts';
import type { World } from './world.ts';

export type MixedOptions = {
  edition: EditionName;
  seed: number;
  clients: number;
  /** The length of the phase in which clients leave and programs are killed, and the number of kills in it. */
  mixedMs: number;
  kills: number;
  shortGames: number;
  slowReaders: number;
  /** How long the slow readers stay. */
  slowMs: number;
  say(line: string): void;
};

export type MixedFigures = Pick<
  MixedTally,
  'requests' | 'waits' | 'streams' | 'events' | 'left' | 'unanswered' | 'longestOverMs' | 'longestPlainMs'
> & {
  clients: number;
  kills: Record<string, number>;
  games: number;
  /** Rows of the naive fold, of open and of final games. */
  rows: number;
  finalRows: number;
  /** Rows that all clients together read. */
  read: number;
  slowReaders: number;
  slowMb: number;
  seconds: number;
};

/** The most memory that all slow readers together may cost. */
export const mostSlowMb = 96;
const accounts = 8;
/** How long, in own time, a client may lag behind after the last change. */
const mostBehindMs = 60_000;
/** The longest time from a kill to the next start. */
const mostDownMs = 1_000;

/** Runs the campaign; rejects with the first failed assertion. A string says which service is missing. */
export function mixedCampaign(options: MixedOptions): Promise<MixedFigures | string> {
  return runCampaign(options.edition, Campaign, options);
}

type Loads = { quotes: Load; short: ShortGames };

class Campaign {
  readonly programs: Program[] = [];
  readonly #world: World;
  readonly #options: MixedOptions;
  readonly #tally = new MixedTally();
  readonly #random: Random;
  readonly #kills: Record<string, number> = {};
  readonly #ended = new AbortController();
  #games: readonly { id: string; uuid: string }[] = [];
  #isSteady = false;
  #loads: Loads | null = null;
  #follower: Follower | null = null;

  constructor(world: World, options: MixedOptions) {
    this.#world = world;
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  async run(): Promise<MixedFigures> {
    const startedAt = performance.now();
    const { clients: count, seed, slowReaders, slowMs } = this.#options;
    const url = await this.#startService();
    const feedKey = await this.#startLoads();
    const [crowdKey = '', ...keys] = await this.#mintKeys();
    const clients = Array.from({ length: count }, (_, number) => {
      return new MixedClient({
        url,
        key: keys[number % keys.length] ?? '',
        random: seededRandom(seed * 31 + number),
        tally: this.#tally,
        manner: mannerOf(number),
        games: () => this.#games.map(({ id }) => id),
        isSteady: () => this.#isSteady,
      });
    });
    const failed = (error: unknown) => void this.#tally.violations.push(String(error));
    const reading = Promise.all(clients.map((client) => client.readUntil(this.#ended.signal).catch(failed)));
    const looking = this.#lookForGames();
    await this.#killAll();
    this.#isSteady = true;
    this.#say('nobody leaves any more');
    const api = this.programs.find(({ name }) => name === 'api') ?? assert.fail('no API');
    const known = clients.flatMap(({ followed }) => [...followed]).filter(([, { isFinal }]) => !isFinal);
    const [game = ''] = known.toSorted(([, one], [, other]) => other.rows.length - one.rows.length)[0] ?? [];
    const crowd = { url, key: crowdKey, game, readers: slowReaders, forMs: slowMs };
    const slowMb = await memoryOfSlowCrowd(api.pid, crowd);
    assert.ok(slowMb <= mostSlowMb, `${slowReaders} slow readers cost ${slowMb.toFixed(0)} MB`);
    const verdict = await this.#conclude(feedKey);
    this.#assertNothingMet();
    this.#say('comparing');
    const read = await this.#compare(clients);
    this.#ended.abort();
    await Promise.all([reading, looking]);
    this.#assertNothingMet();
    const { violations: _, ...tally } = this.#tally;
    return {
      ...tally,
      longestOverMs: Math.round(tally.longestOverMs),
      longestPlainMs: Math.round(tally.longestPlainMs),
      clients: count,
      kills: this.#kills,
      games: this.#games.length,
      rows: verdict.rows,
      finalRows: verdict.finalRows,
      read,
      slowReaders,
      slowMb: Math.round(slowMb),
      seconds: Math.round((performance.now() - startedAt) / 1_000),
    };
  }

  async close(): Promise<void> {
    this.#ended.abort();
    for (const program of this.programs) await program.retire();
    await Promise.all([this.#loads?.quotes.stop(), this.#loads?.short.load.stop(), this.#follower?.stop()]);
    await this.#world.close();
  }

  #say(text: string): void {
    const { edition, seed, say } = this.#options;
    say(`${edition}, seed ${seed}: ${text}; ${this.#tally.requests} requests, ${this.#tally.events} events`);
  }

  #assertNothingMet(): void {
    assert.deepEqual(this.#tally.met().slice(0, 10), [], 'what the clients met');
  }

  /** Returns the URL of the API. */
  async #startService(): Promise<string> {
    const port = String(await freePort());
    const roles = {
      api: ['api'],
      gateway: ['ingest', 'ticker'],
      projector1: ['projectors'],
      projector2: ['projectors'],
    };
    for (const [name, own] of Object.entries(roles)) {
      const environment = { ...this.#world.environmentOf(name), SDS_API_PORT: port };
      this.programs.push(new Program(name, environment, { roles: own }));
    }
    await Promise.all(this.programs.map((program) => program.startToServe()));
    return `http://127.0.0.1:${port}`;
  }

  /** Returns the feed key of the loads. */
  async #startLoads(): Promise<string> {
    const { seed, shortGames } = this.#options;
    const feedKey = await this.#world.api.feedKey(['push', 'backfill']);
    const pushing = { gatewayUrl: this.#world.gatewayUrl, feedKey, seed };
    const startsAt = Date.now() + 3 * 3_600_000;
    this.#loads = {
      quotes: startLoad({ ...pushing, games: 8, pushers: 3, pauseMs: 60, startsAt }),
      short: startShortGames(this.#world, { ...pushing, pauseMs: 600, games: shortGames }),
    };
    return feedKey;
  }

  /** The key of the slow crowd, which may open as many streams as a key has, then those of the clients. */
  async #mintKeys(): Promise<string[]> {
    const { catalogs, peppers } = this.#world.api.drivers;
    const keys: string[] = [];
    for (let number = 0; number <= accounts; number += 1) {
      const id = newUuid();
      await catalogs.keys.createAccount({
        id,
        name: `reader ${number}`,
        tier: 'PRO',
        entitled: true,
        monthlyRows: null,
      });
      const minted = await mintApiKey(catalogs.keys, peppers, id);
      if (minted.kind !== 'minted') throw new Error(minted.kind);
      keys.push(minted.plaintext);
    }
    return keys;
  }

  async #lookForGames(): Promise<void> {
    const { games } = this.#world.api.drivers.catalogs;
    while (!this.#ended.signal.aborted) {
      const listed = await games.list({ ...anyGame, limit: 1_000 });
      this.#games = listed.filter(({ minted }) => minted).map(({ gameId: id, uuid }) => ({ id, uuid }));
      await delay(250, undefined, { signal: this.#ended.signal }).catch(() => {});
    }
  }

  /** Kills the API as often as the other programs together. */
  async #killAll(): Promise<void> {
    const { kills, mixedMs } = this.#options;
    const random = this.#random;
    const [api, ...others] = this.programs;
    const beginsAt = performance.now();
    for (let killed = 0; killed < kills; killed += 1) {
      const share = (killed + 0.3 + 0.4 * (random.integer(1_000) / 1_000)) / kills;
      await delay(Math.max(0, beginsAt + share * mixedMs - performance.now()));
      const program = (killed % 2 === 0 ? api : random.pick(others)) ?? assert.fail('no program');
      await program.kill();
      const end = program.ends.at(-1);
      assert.ok(end?.by === 'us' || /is over|another owner/.test(end?.last ?? ''), JSON.stringify(end));
      this.#kills[program.name] = (this.#kills[program.name] ?? 0) + 1;
      await delay(random.integer(mostDownMs));
      await program.startToServe();
      this.#say(`${killed + 1} of ${kills} kills, ${program.name}`);
    }
    await delay(Math.max(0, beginsAt + mixedMs - performance.now()));
  }

  /** Ends the loads and compares what is served with the naive fold. */
  async #conclude(feedKey: string) {
    const { quotes, short } = this.#loads ?? assert.fail('no load');
    await Promise.all([quotes.stop(), short.load.stop()]);
    const acknowledged = [...quotes.acknowledged, ...short.load.acknowledged];
    await untilReceiptsApplied(this.#world.gatewayUrl, feedKey, acknowledged);
    const gateway = this.programs.find(({ name }) => name === 'gateway') ?? assert.fail('no gateway');
    gateway.terminate();
    await gateway.ended();
    await untilAllIsFolded(this.#world);
    await untilAllIsSettled(this.#world);
    // Projectors write boards that they still hold back when they are asked to stop.
    const projectors = this.programs.filter(({ name }) => name.startsWith('projector'));
    for (const projector of projectors) {
      projector.terminate();
      await projector.ended();
    }
    this.#say('judging');
    assert.deepEqual([...quotes.surprises, ...short.load.surprises], []);
    const follower = startFollower(this.#world.api);
    this.#follower = follower;
    return await judge(this.#world, follower, acknowledged, short.scores);
  }

  /** Asserts that each client has read everything served; answers the number of rows. */
  async #compare(clients: readonly MixedClient[]): Promise<number> {
    const expected = new Map<string, string[]>();
    for (const { id, uuid } of this.#games) {
      const { log } = await this.#world.api.drivers.catalogs.artifacts.served(uuid);
      const final = log === null ? await finalOf(this.#world.api, id, sportsbookLines.name) : null;
      const rows = final?.rows ?? this.#follower?.rows.get(id) ?? [];
      expected.set(id, rows.map(textOfRow));
    }
    let read = 0;
    for (const [number, client] of clients.entries()) {
      for (const [id, rows] of expected) {
        const seen = () => client.followed.get(id)?.rows ?? [];
        const hasRead = () => {
          if (seen().length < rows.length) throw new Error(`${seen().length} of ${rows.length} rows`);
          return true;
        };
        await until(`client ${number}, by ${mannerOf(number)}, has read ${id}`, hasRead, { withinMs: mostBehindMs });
        const at = rows.findIndex((row, index) => row !== seen()[index]);
        assert.equal(at, -1, `client ${number}, row ${at + 1} of ${id}: ${seen()[at]}, and not ${rows[at]}`);
        assert.equal(seen().length, rows.length, `client ${number}: rows of ${id}`);
        read += rows.length;
      }
    }
    return read;
  }
}

function mannerOf(client: number): MixedManner {
  return mixedManners[client % mixedManners.length] ?? 'poll';
}

/** A campaign's figures in one line. */
export function describeMixed({ kills, ...figures }: MixedFigures): string {
  const counts = Object.entries(figures).map(([name, count]) => `${name} ${count}`);
  const deaths = Object.entries(kills).map(([name, count]) => `${name} ${count}`);
  return `${counts.join(', ')} (at most ${mostSlowMb}); killed: ${deaths.join(', ')}`;
}
