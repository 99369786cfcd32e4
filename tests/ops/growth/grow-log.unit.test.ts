// Claim: no game is founded in a partition without an owner, however the command ends, and a command that was ended is run again.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Growth } from '../../../core/log-growth.ts';
import type { StreamKey } from '../../../core/ports/catalog/checkpoints.ts';
import type { LogLayout } from '../../../core/ports/catalog/log-layouts.ts';
import { growLog, planLogGrowth } from '../../../ops/growth/grow-log.ts';
import { growingTopics, topics } from '../../../schemas/events/topics.ts';
import { heardProgress } from '../../support/fakes/heard-progress.ts';
import { MemoryLayouts } from '../../support/fakes/memory-layouts.ts';

/** A log of two partitions a topic. `claims`: how many of each are claimed at the nth check. */
function world(claims: (look: number) => number) {
  const counts = new Map<string, number>(growingTopics.map((topic) => [topic, 2]));
  const layouts = new MemoryLayouts();
  const interruption = new AbortController();
  const did: string[] = [];
  let looks = 0;
  let now = 0;
  const streams = async () => {
    looks += 1;
    did.push('look');
    const claimed = (projector: string, topic: string): StreamKey[] =>
      Array.from({ length: claims(looks) }, (_, partition) => ({ projector, topic, partition }));
    const rest = { ownerEpoch: 1, ownerId: '', nextOffset: 0, updatedAt: 0, halted: null };
    return [...claimed('live', topics.quotes), ...claimed('revisions', topics.observations)].map((stream) => ({
      ...stream,
      ...rest,
    }));
  };
  const tools = {
    broker: {
      partitions: async (topic: string) => counts.get(topic) ?? 0,
      addPartitions: async (topic: string, to: number) => {
        did.push(`add ${topic} ${to}`);
        counts.set(topic, to);
      },
    },
    layouts,
    operations: { streams },
    clock: {
      now: () => now,
      sleep: async (ms: number) => {
        now += ms * 1_000;
      },
    },
    actor: 'admin',
    interrupted: interruption.signal,
  };
  return { tools, layouts, did, interruption };
}

async function growth(tools: ReturnType<typeof world>['tools'], wanted: number) {
  const { growth: planned } = await planLogGrowth(tools, wanted);
  assert.equal(planned.kind, 'grow');
  return planned as Extract<Growth, { kind: 'grow' }>;
}

const newestOf = async (layouts: MemoryLayouts): Promise<LogLayout> => (await layouts.newest()) as LogLayout;

describe('adding partitions', () => {
  it('waits for owners of all of them before games are founded there', async () => {
    const { tools, layouts, did } = world((look) => Math.min(4, 1 + look));
    const { open, heard } = heardProgress();
    assert.deepEqual(await growLog(tools, await growth(tools, 4), 60_000_000, open), { kind: 'grown' });
    assert.deepEqual(heard, ['4 of 4 partitions']);
    assert.deepEqual(did, [`add ${topics.quotes} 4`, `add ${topics.observations} 4`, 'look', 'look', 'look']);
    assert.equal((await newestOf(layouts)).layout, 1);
    assert.equal((await planLogGrowth(tools, 4)).growth.kind, 'done');
  });

  it('founds games as before where no projector claims the new partitions, and continues when it is run again', async () => {
    let owned = 3;
    const { tools, layouts, did } = world(() => owned);
    const { open, heard } = heardProgress();
    const grown = await growLog(tools, await growth(tools, 4), 1_000_000, open);
    assert.deepEqual(heard, ['0 of 2 partitions']);
    assert.deepEqual(grown, { kind: 'unclaimed', partitions: ['live/3', 'revisions/3'] });
    assert.equal((await newestOf(layouts)).layout, 0);
    owned = 4;
    did.length = 0;
    assert.deepEqual(await growLog(tools, await growth(tools, 4), 1_000_000), { kind: 'grown' });
    assert.deepEqual(did, ['look', 'look'], 'no partition is added twice');
  });

  it('adds nothing while a process of an older release runs', async () => {
    const { tools, layouts, did } = world(() => 9);
    const planned = await growth(tools, 4);
    layouts.older = [{ roles: 'ingest', heardAt: 7 }];
    assert.deepEqual(await growLog(tools, planned, 60_000_000), { kind: 'older', processes: layouts.older });
    assert.deepEqual([did, layouts.keepsOlderOut, (await newestOf(layouts)).layout], [[], false, 0]);
  });

  it('keeps older releases out before it adds a partition, and founds games as before if one has started just then', async () => {
    const { tools, layouts, did } = world(() => 9);
    const add = tools.broker.addPartitions;
    tools.broker.addPartitions = async (topic, to) => {
      assert.ok(layouts.keepsOlderOut, 'a process that starts now would divide by what it finds');
      await add(topic, to);
      layouts.older = [{ roles: 'ingest', heardAt: 7 }];
    };
    const grown = await growLog(tools, await growth(tools, 4), 60_000_000);
    assert.deepEqual(grown, { kind: 'older', processes: layouts.older });
    assert.equal((await newestOf(layouts)).layout, 0);
    assert.equal(did.filter((each) => each.startsWith('add')).length, 2);
    layouts.older = [];
    assert.deepEqual(await growLog(tools, await growth(tools, 4), 60_000_000), { kind: 'grown' });
  });

  it('founds games as before where it is interrupted', async () => {
    const { tools, layouts, interruption } = world(() => 2);
    interruption.abort();
    assert.deepEqual(await growLog(tools, await growth(tools, 4), 60_000_000), { kind: 'interrupted' });
    assert.equal((await newestOf(layouts)).layout, 0);
  });

  it('gives way to a command that was faster', async () => {
    const { tools, layouts } = world(() => 9);
    const planned = await growth(tools, 4);
    await growLog(tools, await growth(tools, 6), 1_000_000);
    assert.deepEqual(await growLog(tools, planned, 1_000_000), { kind: 'overtaken' });
    assert.equal((await newestOf(layouts)).partitions[topics.quotes], 6);
  });
});
