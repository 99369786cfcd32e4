// Claim: programs wait for a database, a broker or an object store that is unreachable — stopped, killed, frozen, or not started yet: no
// program ends, pushes are answered 503 and not lost, reads are answered 200 or 503, games that end meanwhile are settled, and everything —
// live logs, final files — is as the oracles have it when they are back (I17, I30, I32).
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it, type TestContext } from 'vitest';
import { type EditionName, editions, type OwnServices } from '../../support/campaigns/place.ts';
import { Program } from '../../support/campaigns/program.ts';
import type { ShortGame } from '../../support/campaigns/short-game.ts';
import { openStage, type Stage } from '../../support/campaigns/stage.ts';
import { openWorld } from '../../support/campaigns/world.ts';
import type { Controls } from '../../support/services/process.ts';
import { until } from '../../support/services/until.ts';
import { leftOut, outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));

type Trouble = { name: string; edition: EditionName; of: keyof OwnServices; strike(service: Controls): Promise<void> };

const stopped = async (service: Controls): Promise<void> => {
  await service.stop();
  await delay(1_500);
  await service.restart();
};
const killed = async (service: Controls): Promise<void> => {
  await service.kill();
  await delay(500);
  await service.restart();
};
const frozen = async (service: Controls): Promise<void> => {
  await service.freeze();
  await delay(3_000);
  await service.resume();
};

const troubles: readonly Trouble[] = [
  { name: 'the database is stopped and started', edition: 'embedded', of: 'postgres', strike: stopped },
  { name: 'the database is frozen for a while', edition: 'embedded', of: 'postgres', strike: frozen },
  { name: 'the broker is killed and started', edition: 'distributed', of: 'kafka', strike: killed },
  { name: 'the object store is stopped and started', edition: 'distributed', of: 's3', strike: stopped },
  { name: 'the database is stopped and started', edition: 'distributed', of: 'postgres', strike: stopped },
];

for (const edition of editions) {
  describe(
    `outages of the ${edition} edition under load (seed ${seed})`,
    skipFor(outOfTurn() || leftOut(edition, editions)),
    () => {
      it('are waited out by every program, and lose nothing', async (t) => {
        const stage = await openStage(edition, seed, { projectors: 2, own: true, sessionMs: 6_000, shortGames: 40 });
        if (typeof stage === 'string') return t.skip(stage);
        try {
          for (const projector of stage.projectors) projector.start();
          for (const projector of stage.projectors) await projector.untilReady();
          const struck = troubles.filter((trouble) => trouble.edition === edition);
          for (const trouble of struck) await weather(t, stage, trouble);
          for (const { name, ends } of stage.programs) assert.deepEqual(ends, [], `${name} has never ended`);
          const { pushes, rows, unanswered, msfPushes, revisions, ...settled } = await stage.conclude();
          assert.ok(settled.finals >= struck.length, `${settled.finals} games settled`);
          t.annotate(
            `${pushes} pushes acknowledged, ${unanswered} unanswered, ${rows} rows compared, statuses ${statuses(stage)}`,
          );
          t.annotate(`${msfPushes} bodies of MSF acknowledged, ${revisions} revisions compared`);
          t.annotate(
            `${settled.finals} games settled: ${settled.finalRows} rows, ${settled.closingLines} closing lines, ${settled.results} results compared; ${settled.versions} versions`,
          );
        } finally {
          await stage.close();
        }
      });
    },
  );
}

const statuses = ({ load }: Stage): string => JSON.stringify(Object.fromEntries(load.statuses));

async function weather(t: TestContext, stage: Stage, { name, of, strike }: Trouble): Promise<void> {
  const service = stage.world.own[of];
  assert.ok(service !== undefined);
  const before = stage.load.acknowledged.length;
  await until('pushes are acknowledged', () => stage.load.acknowledged.length > before + 10);
  const game = await gameInPlay(stage);
  await Promise.all([strike(service), delay(300).then(() => stage.shortGames.end(game))]);
  const struck = stage.load.acknowledged.length;
  await until(`pushes are acknowledged again after ${name}`, () => stage.load.acknowledged.length > struck + 10);
  await untilSettled(stage, game, name);
  for (const { name: program, ends } of stage.programs)
    assert.deepEqual(ends, [], `${program} has not ended when ${name}`);
  t.annotate(`${name}: statuses so far ${statuses(stage)}`);
}

async function gameInPlay({ shortGames }: Stage): Promise<ShortGame> {
  const found: ShortGame[] = [];
  await until('a game is in play', () => found.push(...shortGames.open) > 0);
  return found[0] as ShortGame;
}

async function untilSettled({ world }: Stage, { id, uuid }: ShortGame, trouble: string): Promise<void> {
  const { settlement, artifacts } = world.api.drivers.catalogs;
  const isSettled = async (): Promise<boolean> => {
    const state = await settlement.state(uuid);
    if (state?.landedAt == null) throw new Error(JSON.stringify(state));
    return true;
  };
  await until(`${id}, which ended when ${trouble}, is settled`, isSettled);
  const landed = (await artifacts.served(uuid)).artifacts.map(({ dataset }) => dataset);
  assert.ok(landed.includes('sportsbook-lines') && landed.includes('closing-lines'), `${id}: ${landed.join(', ')}`);
}

describe('a service that is not there at the start', skipFor(outOfTurn()), () => {
  for (const [edition, of] of [
    ['embedded', 'postgres'],
    ['distributed', 'kafka'],
    ['distributed', 's3'],
  ] as const) {
    it(`${edition}: ${of} is waited for`, async (t) => {
      const world = await openWorld(edition, { own: true });
      if (typeof world === 'string') return t.skip(world);
      const program = new Program('late', world.environmentOf('late'), { roles: ['ingest', 'projectors', 'ticker'] });
      try {
        const service = world.own[of];
        assert.ok(service !== undefined);
        await service.stop();
        program.start();
        // The object store gets no request before there is something to write.
        if (of !== 's3')
          await until('it says what it waits for', () =>
            program.said.some(({ msg }) => msg === 'waiting for a dependency'),
          );
        assert.equal(program.ready, of === 's3' && program.ready);
        await service.restart();
        await program.untilReady();
        assert.ok(program.ready, `the program ended: ${JSON.stringify(program.ends)}`);
      } finally {
        await program.kill();
        await world.close();
      }
    });
  }
});
