// The campaign of hostile tenants. Five honest sources push (three sportsbooks, a poll, MSF bodies), while five hostile
// keys flood, squat, poison, forge, bomb and stall, and programs are killed. At the end the service must serve the
// honest operators as the naive fold of the honest records alone, hold all their acknowledged pushes, and have stayed
// within its bounds.
//
// What unrestricted keys may do by contract, and how the administrator prevents it here:
// - Rank: honest sources have a higher rank; otherwise the first source to name an operator in a game would own it.
// - A `push` key without `--operators` may take a code before its source comes to the game. By its rank the source
// takes the operator back with its first image; the rows written until then stay in the log.
// - A `push` key without `--operators` may also use up all 400 operators of a game. Here the honest sources have named
// theirs before.
// - A `push` key without `--leagues` may found a game with swapped teams before its honest source founds it, whose
// pushes are then refused until the administrator unbinds the event (`sds games unbind`).
// - An `msf` key owns a league whose bodies no source has pushed yet: `sds sources assign-msf` gives each league to its
// source.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bodyText, readRecording } from '../../../ops/replay/recording.ts';
import { seededRandom } from '../../oracle/random.ts';
import { until } from '../services/until.ts';
import { killOnce } from './crash.ts';
import { untilAllIsSettled } from './finals-verdict.ts';
import { startFollower } from './follower.ts';
import { startMsfFollower } from './msf-follower.ts';
import { judgeMsf, type MsfVerdict } from './msf-verdict.ts';
import type { EditionName } from './place.ts';
import { Program } from './program.ts';
import { reported } from './report.ts';
import { type Kept, keptOf, watchMemory } from './tenants-bounds.ts';
import { settleByHand, turnRound } from './tenants-events.ts';
import { describeFreshness, type Freshness, type FreshnessOptions, measureFreshness } from './tenants-freshness.ts';
import { grantTenants, honestSources, pollOperators, type Tenant } from './tenants-grants.ts';
import { startHonest } from './tenants-honest.ts';
import { type HostileThread, startHostileThread } from './tenants-thread.ts';
import { judgeTenants, type TenantsVerdict } from './tenants-verdict.ts';
import { untilAllIsFolded, untilReceiptsApplied } from './verdict.ts';
import { openWorld, type World } from './world.ts';

export type TenantsFigures = Omit<TenantsVerdict, 'receipts'> &
  Pick<MsfVerdict, 'observations' | 'streams' | 'revisions' | 'moves'> &
  Kept &
  Freshness & {
    pushes: number;
    deeds: number;
    hostileMb: number;
    kills: number;
    /** The peak memory of the gateway and of a projector. */
    gatewayMb: number;
    projectorMb: number;
    recorded: string;
    seconds: number;
  };

export type TenantsOptions = FreshnessOptions & {
  edition: EditionName;
  seed: number;
  kills: number;
  /** Uses the recorded evening if there is one, and checks the freshness of the honest sources. */
  full: boolean;
  say(line: string): void;
};

/** What a key may push: well above what any honest source pushes here. */
const feedLimits = 'requests:200,bytes:1048576,elements:2000';
const games = 8;
const lateGames = 2;
const collegeGames = 2;
const leastDeeds = 12;
/** The peak of each program, in MiB; an attack whose content was kept whole in memory would exceed it. */
const mostGatewayMb = 700;
const mostProjectorMb = 1_200;
/** The most MiB that may be stored for each MiB the hostile keys sent. */
const mostKeptOfMb = 4;

const recording = fileURLToPath(
  new URL('../../../../shared/data/odds-mlb-2026/snapshots_20260805T2000Z_20260806T0500Z.ndjson.gz', import.meta.url),
);

/** Runs the campaign; rejects with the first failed assertion. A string says which service is missing. */
export async function tenantsCampaign(options: TenantsOptions): Promise<TenantsFigures | string> {
  const startedAt = performance.now();
  const { edition, seed, full, say } = options;
  const world = await openWorld(edition, { feedLimits });
  if (typeof world === 'string') return world;
  await using closing = new AsyncDisposableStack();
  closing.defer(() => world.close());
  const programs: Program[] = [];
  const program = (name: string, roles: string[]): Program => {
    const made = new Program(name, world.environmentOf(name), { roles });
    closing.defer(() => made.retire());
    programs.push(made);
    return made;
  };
  try {
    const gateway = program('gateway', ['ingest', 'ticker']);
    const projectors = [1, 2].map((number) => program(`projector${number}`, ['projectors']));
    for (const each of programs) each.start();
    for (const each of programs) await each.untilReady();

    const recorded = full && existsSync(recording) ? await recordedBodies() : null;
    const tenants = await grantTenants(world, recorded === null ? pollOperators : bookmakersOf(recorded));
    const { gatewayUrl } = world;
    const startsAt = Date.now() + 3 * 3_600_000;
    const honest = startHonest({ gatewayUrl, seed, games, startsAt, pauseMs: 100, tenants, recorded });
    for (const load of honest.loads) closing.defer(() => load.stop());
    const follower = startFollower(world.api, 100, () => gamesOfHonest(world));
    closing.defer(() => follower.stop());
    const msfFollower = await startMsfFollower({
      drivers: world.api.drivers,
      apis: [world.api.apiUrl],
      seed,
      pauseMs: 100,
      listGames: () => gamesOfMsf(world),
    });
    closing.defer(() => msfFollower.stop());
    const memory = watchMemory(programs);
    closing.defer(() => memory.stop());

    await honest.opened;
    // Programs that have just started are slow: compared with them, the attacked ones would look too fast.
    await delay(full ? 30_000 : 1_000);
    const begin = (): HostileThread => {
      const begun = startHostileThread({
        ...{ gatewayUrl, seed, games, startsAt, keys: tenants.hostile, atOnce: full ? 4 : 2 },
        honestReceipt: () => honest.quotes[0]?.acknowledged.at(-1)?.receipt ?? null,
      });
      closing.defer(() => begun.stop().then(() => {}));
      return begun;
    };
    const { hostile, freshness } = await measureFreshness(honest, begin, options);
    say(`${edition}, seed ${seed}: ${describeFreshness(freshness)}`);
    hostile.resume();
    honest.phase = 'kills';
    const isSquatted = async (): Promise<boolean> => {
      const { done } = await hostile.soFar();
      return ['squat', 'colleges'].every((deed) => done.has(deed));
    };
    await until('the late games are squatted upon', isSquatted);
    const begins = new Date(startsAt).toISOString();
    const parties = { hostile: tenants.hostile[0] as Tenant, honest: tenants.books[0] as Tenant };
    await turnRound(world, parties, games + 1, begins);
    honest.joinLate();
    const settled = await settleByHand(world, 0, begins);
    const random = seededRandom(seed * 59);
    for (let kill = 1; kill <= options.kills; kill += 1) {
      const victim = random.pick(programs);
      if (victim.running) await victim.kill();
      const place = await killOnce(world, victim, victim === gateway ? 'gateway' : 'projector', random);
      victim.start();
      await victim.untilReady();
      say(`${edition}, seed ${seed}: ${kill} of ${options.kills} kills; ${victim.name} at ${place}`);
    }
    const deeds = await hostile.stop();
    say(`${edition}, seed ${seed}: ${sum(deeds.done)} deeds done, ${counted(deeds.statuses)}; closing`);
    await honest.close();

    const quotes = honest.quotes.flatMap((load) => load.acknowledged);
    for (const [index, { key }] of [...tenants.books, tenants.poll, tenants.msf].entries()) {
      const load = honest.quotes[index] ?? honest.msf;
      await untilReceiptsApplied(gatewayUrl, key, load.acknowledged);
    }
    await untilTicked();
    await endByTerm(gateway);
    await untilAllIsFolded(world);
    await untilAllIsSettled(world);
    await memory.stop();
    for (const each of projectors) await endByTerm(each);
    const surprises = honest.loads.flatMap((load) => load.surprises);
    assert.deepEqual(surprises, [], 'unexpected answers to honest sources');
    assert.deepEqual([...deeds.breaches].sort(), [], 'answers that no attack may get');
    say(`${edition}, seed ${seed}: judging`);

    assert.ok(deeds.done.has('squat') && deeds.done.size >= leastDeeds, `attacks that ran: ${[...deeds.done.keys()]}`);
    const verdict = await judgeTenants(world, follower, quotes, settled);
    assert.ok(verdict.games >= games + lateGames + collegeGames, `${verdict.games} honest games`);
    assert.ok(verdict.results > 0 && verdict.closingLines > 0, 'an honest game is settled');
    assert.ok(verdict.hostileRecords > 0 && verdict.squatted > 0, 'no hostile record is in the logs of honest games');
    const { msf } = honest;
    const ofMsf = await judgeMsf({
      world,
      follower: msfFollower,
      acknowledged: msf.acknowledged,
      unanswered: msf.failures,
      seed,
      full: false,
    });
    const kept = await keptOf(world);
    const hostileMb = Math.round(deeds.bytes / 1_048_576);
    const { receipts, ...compared } = verdict;
    const figures: TenantsFigures = {
      ...compared,
      ...pick(ofMsf),
      ...kept,
      pushes: receipts + ofMsf.msfPushes,
      deeds: sum(deeds.done),
      hostileMb,
      kills: options.kills,
      ...freshness,
      gatewayMb: memory.most.gateway ?? 0,
      projectorMb: Math.max(...projectors.map(({ name }) => memory.most[name] ?? 0)),
      recorded: recorded === null ? 'generated games' : `${recorded.length} recorded polls`,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
    judgeBounds(figures, full);
    return figures;
  } catch (error) {
    throw await reported(error, { world, programs });
  }
}

function judgeBounds(figures: TenantsFigures, full: boolean): void {
  const { gatewayMb, projectorMb, objectsMb, tablesMb, hostileMb, ratio } = figures;
  assert.ok(gatewayMb <= mostGatewayMb, `the gateway used ${gatewayMb} MiB of at most ${mostGatewayMb}`);
  assert.ok(projectorMb <= mostProjectorMb, `a projector used ${projectorMb} MiB of at most ${mostProjectorMb}`);
  const most = 200 + mostKeptOfMb * hostileMb;
  assert.ok(objectsMb <= most, `${objectsMb} MiB of objects are stored, of at most ${most}`);
  assert.ok(tablesMb <= most, `${tablesMb} MiB of tables are stored, of at most ${most}`);
  if (full) assert.ok(ratio <= 2, describeFreshness(figures));
}

function pick({ observations, streams, revisions, moves }: MsfVerdict) {
  return { observations, streams, revisions, moves };
}

async function recordedBodies(): Promise<string[]> {
  const bodies: string[] = [];
  for await (const { body } of readRecording(recording)) bodies.push(bodyText(body));
  return bodies;
}

function bookmakersOf(bodies: readonly string[]): string[] {
  type Polled = { bookmakers: { key: string }[] }[];
  const keys = bodies.flatMap((body) => (JSON.parse(body) as Polled).flatMap(({ bookmakers }) => bookmakers));
  return [...new Set(keys.map(({ key }) => key.toUpperCase()))];
}

/** The public ids of the games that honest sources pushed. */
async function gamesOfHonest({ sql }: World): Promise<string[]> {
  const { rows } = await sql.query(
    `select distinct g.public_id from games g join game_events e on e.game_uuid = g.id
     where e.source = any ($1) and g.public_id is not null`,
    [honestSources],
  );
  return rows.map((row) => String(row.public_id));
}

/**
 * The public ids of the games that MSF has content about. Its injuries reach every game of the two teams, including one
 * that a hostile key founded.
 */
async function gamesOfMsf(world: World): Promise<string[]> {
  const { rows } = await world.sql.query(
    `select distinct g.public_id from games g join msf_streams s on s.scope_uuid = g.id where g.public_id is not null`,
  );
  return rows.map((row) => String(row.public_id));
}

/** Waits for ticks: the log ends with times that the honest records alone would have had too. */
async function untilTicked(): Promise<void> {
  await delay(2_500);
}

async function endByTerm(program: Program): Promise<void> {
  if (!program.running) return;
  program.terminate();
  await until(`${program.name} stops when asked to`, () => !program.running);
}

const sum = (counts: ReadonlyMap<unknown, number>): number =>
  [...counts.values()].reduce((total, one) => total + one, 0);
const counted = (counts: ReadonlyMap<unknown, number>): string =>
  [...counts]
    .sort()
    .map(([what, count]) => `${what}×${count}`)
    .join(' ');

/** A campaign's figures in one line. */
export function describeTenants(figures: TenantsFigures): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
