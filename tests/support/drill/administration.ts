// Work that administrators do during games: rebuild a log, reset an epoch, and deploy a build with one more column,
// member by member. None of it is a fault; clients may notice only what the interface allows.
import { anyGame } from '../../../core/ports/catalog/games.ts';
import { furtherColumn } from '../processes/further-column.ts';
import { nextRelease } from '../processes/releases.ts';
import { runSds } from '../processes/sds.ts';
import type { DrillFault, Scene } from './drill-fault.ts';
import { startQuoteFlow } from './quote-flow.ts';

async function sds({ place, fleet }: Scene, words: readonly string[]): Promise<void> {
  const of = fleet.members[0]?.build.of;
  const { code, out, err } = await runSds(
    { ...place.plain, LOG_LEVEL: 'error' },
    words,
    of === undefined ? {} : { of },
  );
  if (code !== 0) throw new Error(`sds ${words.join(' ')} ended with ${code}: ${err} ${out}`);
}

function commanded(name: string, words: (scene: Scene) => Promise<readonly string[]>): DrillFault {
  return {
    name,
    async begin(scene) {
      await sds(scene, await words(scene));
      return { reportedAs: null, end: async () => {} };
    },
  };
}

async function gameOf({ place, random }: Scene, league: string): Promise<string> {
  const games = await place.drivers.catalogs.games.list({ ...anyGame, league: league as 'MLB', limit: 1_000 });
  return random.pick(games).gameId;
}

const freshWithinMs = 5_000;
const patienceMs = 60_000;

/** Asks each member to stop and starts it as the new build, as a deploy does, under a thousand quotes a second. */
const rollingRestart: DrillFault = {
  name: 'rolling-restart',
  // The last one has started, takes over its partitions and folds their logs anew.
  async begin(scene) {
    const { place, fleet } = scene;
    const of = nextRelease(place.folder, 'further', furtherColumn);
    const flow = await startQuoteFlow(scene);
    for (const member of fleet.members) await member.replace({ of });
    const fresh = { ms: await flow.conclude(patienceMs), limitMs: freshWithinMs };
    return { reportedAs: null, fresh, end: async () => {} };
  },
};

export const administration: readonly DrillFault[] = [
  commanded('rebuild', async (scene) => ['log', 'rebuild', await gameOf(scene, 'MLB'), '--yes']),
  commanded('epoch-reset', async (scene) => ['epoch', 'reset', '--scope', await gameOf(scene, 'NBA'), '--yes']),
  rollingRestart,
];
