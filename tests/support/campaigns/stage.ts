// What the campaigns share: a world under load of quotes and MSF bodies, clients that follow both, and the end, which
// waits until all receipts are applied and games settled, stops everything, folds the logs by the oracles and compares
// the result with what is served.
import { anyGame } from '../../../core/ports/catalog/games.ts';
import { feedScopes } from '../../../core/ports/catalog/keys.ts';
import { noCrashPoints } from '../../../core/ports/crash-points.ts';
import { collectOrphans } from '../../../projectors/jobs/collector.ts';
import { until } from '../services/until.ts';
import { untilAllIsSettled } from './finals-verdict.ts';
import { type Follower, startFollower } from './follower.ts';
import { endGame, type Load, type LoadOptions, produceDirect, slateOf, startLoad } from './load.ts';
import { type MsfFollower, startMsfFollower } from './msf-follower.ts';
import { produceStrangers, startMsfLoad } from './msf-load.ts';
import { judgeMsf, type MsfVerdict } from './msf-verdict.ts';
import type { EditionName, PlaceOptions } from './place.ts';
import { Program } from './program.ts';
import { type ShortGames, startShortGames } from './short-games.ts';
import { judge, untilAllIsFolded, untilReceiptsApplied, type Verdict } from './verdict.ts';
import { openWorld, type World } from './world.ts';

export type Stage = {
  world: World;
  load: Load;
  msfLoad: Load;
  shortGames: ShortGames;
  follower: Follower;
  msfFollower: MsfFollower;
  feedKey: string;
  /** The process with the gateway and the ticker. */
  gateway: Program;
  projectors: Program[];
  programs: Program[];
  program(name: string, command: ConstructorParameters<typeof Program>[2]): Program;
  /**
   * Appends records to the log as a hostile producer does, for games that pushes have founded, and closes another game.
   * `mayEnd`: the records may close games too, which are then no longer pushed.
   */
  putDirect(mayEnd?: boolean): Promise<void>;
  /** Ends everything and judges it. */
  conclude(): Promise<Conclusion>;
  close(): Promise<void>;
};

export type Conclusion = Verdict &
  MsfVerdict & { orphans: number; direct: number; strangers: number; pushes: number; unanswered: number };

export type StageOptions = PlaceOptions &
  Partial<Pick<LoadOptions, 'games' | 'pushers' | 'pauseMs'>> & {
    projectors: number;
    /** How many games are played besides the load, one after another (default: none). */
    shortGames?: number;
    /** Twice as many MSF bodies, and at the end two outside checks: the Python reader and `sds verify`. */
    full?: boolean;
  };

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
  const feedKey = await world.api.feedKey(feedScopes);
  const { games = 8, pushers = 3, pauseMs = 60, full = false } = options;
  const startsAt = Date.now() + 3 * 3_600_000;
  const pushing = { gatewayUrl: world.gatewayUrl, feedKey, seed, pauseMs };
  const load = startLoad({ ...pushing, games, pushers, startsAt });
  const met = slateOf({ games, startsAt }).slice(0, 2);
  const msfLoad = startMsfLoad({ ...pushing, pushers: full ? 2 : 1, met });
  const shortGames = startShortGames(world, { ...pushing, pauseMs: 10 * pauseMs, games: options.shortGames ?? 0 });
  const follower = startFollower(world.api);
  const msfFollower = await startMsfFollower({ drivers: world.api.drivers, apis: [world.api.apiUrl], seed });
  const loads = [load, msfLoad, shortGames.load];
  let direct = 0;
  let strangers = 0;
  let ended = 0;

  const stage: Stage = {
    world,
    load,
    msfLoad,
    shortGames,
    follower,
    msfFollower,
    feedKey,
    gateway,
    projectors,
    programs,
    program,
    async putDirect(mayEnd = false) {
      const { games, ending } = await someGames(world, ended);
      direct += await produceDirect(world.api.drivers.broker, games, seed + direct, 120, mayEnd);
      if (ending !== null) await endGame(world.api.drivers.broker, ending);
      ended += 1;
      strangers += await produceStrangers(world.api.drivers.broker, games);
    },
    async conclude() {
      for (const each of [gateway, ...projectors]) if (!each.running) each.start();
      for (const each of [gateway, ...projectors]) await each.untilReady();
      await stage.putDirect(true);
      await Promise.all(loads.map((each) => each.stop()));
      const quotesAcknowledged = [...load.acknowledged, ...shortGames.load.acknowledged];
      const acknowledged = loads.flatMap((each) => each.acknowledged);
      await untilReceiptsApplied(world.gatewayUrl, feedKey, acknowledged);
      await endByTerm(gateway);
      await untilAllIsFolded(world);
      await untilAllIsSettled(world);
      for (const each of programs) await endByTerm(each);
      const surprises = [...loads.flatMap((each) => each.surprises), ...programs.flatMap(whatNobodyShouldSay)];
      if (surprises.length > 0) throw new Error(`unexpected answers: ${surprises.join('; ')}`);
      const tools = {
        catalog: world.api.drivers.catalogs.objects,
        live: world.api.drivers.catalogs.live,
        objects: world.api.drivers.objects,
        crash: noCrashPoints,
      };
      const orphans = await collectOrphans(tools, -5_000_000);
      const ofQuotes = await judge(world, follower, quotesAcknowledged, shortGames.scores);
      const { failures: unanswered } = msfLoad;
      const ofMsf = await judgeMsf({
        world,
        follower: msfFollower,
        acknowledged: msfLoad.acknowledged,
        unanswered,
        seed,
        full,
      });
      const pushed = { pushes: quotesAcknowledged.length, unanswered: load.failures };
      return { ...ofQuotes, ...ofMsf, ...pushed, orphans, direct, strangers };
    },
    async close() {
      for (const each of programs) await each.retire();
      await Promise.all([...loads.map((each) => each.stop()), follower.stop(), msfFollower.stop()]);
      await world.close();
    },
  };
  return stage;
}

const strangersGames = 3;
/** The most games of the load that are closed by order. */
const mostEnded = 3;

type NamedGame = { uuid: string; id: string; league: string };

/** Games for hostile records, and the next game to close. */
async function someGames(world: World, ended: number): Promise<{ games: NamedGame[]; ending: NamedGame | null }> {
  const known = await world.api.drivers.catalogs.games.list({ ...anyGame, limit: strangersGames + mostEnded });
  const named = known.map(({ uuid, gameId, league }) => ({ uuid, id: gameId, league }));
  return { games: named.slice(0, strangersGames), ending: named[strangersGames + ended] ?? null };
}

/** A state other than the committed one, or a halted partition: no kill can explain it. */
function whatNobodyShouldSay({ name, said }: Program): string[] {
  return said.flatMap((line) => {
    const isWrong = line.msg === 'state is not the committed one' || line.msg.startsWith('partition halted');
    return isWrong ? [`${name}: ${JSON.stringify(line)}`] : [];
  });
}

async function endByTerm(program: Program): Promise<void> {
  if (!program.running) return;
  program.terminate();
  await until(`${program.name} stops when asked to`, () => !program.running);
}
