// What every campaign has in common: a world under load, a client that follows it, and the end — all receipts applied, everything stopped,
// the log folded by the oracle and compared with what is served.

import { noCrashPoints } from '../../core/ports/crash-points.ts';
import { collectOrphans } from '../../projectors/collector.ts';
import { type Follower, startFollower } from './campaign-follower.ts';
import { type Load, type LoadOptions, produceDirect, startLoad } from './campaign-load.ts';
import { Program } from './campaign-program.ts';
import { judge, untilCaughtUp, untilReceiptsApplied, type Verdict } from './campaign-verdict.ts';
import { type EditionName, openWorld, type World, type WorldOptions } from './campaign-world.ts';
import { until } from './services/until.ts';

export type Stage = {
  world: World;
  load: Load;
  follower: Follower;
  feedKey: string;
  /** The gateway and the ticker. */
  gateway: Program;
  projectors: Program[];
  programs: Program[];
  program(name: string, command: ConstructorParameters<typeof Program>[2]): Program;
  /** Puts records straight into the log, as a stranger does, for games that the pushes have founded. */
  putDirect(): Promise<void>;
  /** Brings everything to its end and judges it. */
  conclude(): Promise<Verdict & { orphans: number; direct: number; pushes: number; unanswered: number }>;
  close(): Promise<void>;
};

export type StageOptions = WorldOptions &
  Partial<Pick<LoadOptions, 'games' | 'pushers' | 'pauseMs'>> & { projectors: number };

/** Opens a stage; nothing but the gateway runs yet. A string says which service is missing. */
export async function openStage(edition: EditionName, seed: number, options: StageOptions): Promise<Stage | string> {
  const opened = await openWorld(edition, options);
  if (typeof opened === 'string') return opened;
  const world = opened;
  const programs: Program[] = [];
  const program: Stage['program'] = (name, command) => {
    const made = new Program(name, world.environmentOf(name), command);
    programs.push(made);
    return made;
  };
  const gateway = program('gateway', { roles: ['ingest', 'ticker'] });
  const projectors = Array.from({ length: options.projectors }, (_, number) =>
    program(`projector${number + 1}`, { roles: ['projectors'] }),
  );
  gateway.start();
  await gateway.untilReady();
  const feedKey = await world.api.feedKey(['push', 'backfill']);
  const { games = 8, pushers = 3, pauseMs = 60 } = options;
  const load = startLoad({ gatewayUrl: world.gatewayUrl, feedKey, seed, games, pushers, pauseMs });
  const follower = startFollower(world.api);
  let direct = 0;

  const stage: Stage = {
    world,
    load,
    follower,
    feedKey,
    gateway,
    projectors,
    programs,
    program,
    async putDirect() {
      direct += await putDirectRecords(world, seed + direct);
    },
    async conclude() {
      for (const each of [gateway, ...projectors]) if (!each.running) each.start();
      for (const each of [gateway, ...projectors]) await each.untilReady();
      await stage.putDirect();
      await load.stop();
      await untilReceiptsApplied(world.gatewayUrl, feedKey, load.acknowledged, 90_000);
      await endByTerm(gateway);
      await untilCaughtUp(world, 90_000);
      for (const each of programs) await endByTerm(each);
      if (load.surprises.length > 0) throw new Error(`the load met ${load.surprises.join('; ')}`);
      const tools = {
        catalog: world.api.drivers.catalogs.live,
        objects: world.api.drivers.objects,
        crash: noCrashPoints,
      };
      const orphans = await collectOrphans(tools, -5_000_000);
      const verdict = await judge(world, follower, load.acknowledged);
      return { ...verdict, orphans, direct, pushes: load.acknowledged.length, unanswered: load.failures };
    },
    async close() {
      for (const each of programs) {
        each.thaw();
        await each.kill();
      }
      await load.stop();
      await follower.stop();
      await world.close();
    },
  };
  return stage;
}

async function putDirectRecords(world: World, seed: number): Promise<number> {
  const everything = { league: null, status: null, dateFrom: null, dateTo: null, team: null, after: null };
  const known = await world.api.drivers.catalogs.games.list({ ...everything, limit: 3 });
  const games = known.map(({ uuid, gameId, league }) => ({ uuid, id: gameId, league }));
  return produceDirect(world.api.drivers.broker, games, seed, 120);
}

async function endByTerm(program: Program): Promise<void> {
  if (!program.running) return;
  program.terminate();
  await until(`${program.name} stops when asked to`, () => !program.running, { timeoutMs: 30_000 });
}
