// How the use of feed keys is read and written: at midnight, while the shares are slow to answer, and while the catalog is unreachable.
import assert from 'node:assert/strict';
import { setImmediate as pass } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { defaultFeedQuotas } from '../../../core/limits/feed-quotas.ts';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type { UseCount } from '../../../core/ports/catalog/feed-use.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openFeedUses } from '../../../ingest/gateway/feed-use.ts';
import { shareOfRequest } from '../../../ingest/gateway/key-share.ts';
import { openMemoryFeedShares } from '../../../platform/process/memory-feed-shares.ts';
import { openManualClock } from '../../support/fakes/manual-clock.ts';

const [yesterday, today] = ['2026-11-22', '2026-11-23'];

function openStage() {
  const clock = openManualClock(0);
  const stage = { away: false, asked: 0 };
  const written: UseCount[] = [];
  const feedUse = {
    async add(counts: readonly UseCount[]) {
      stage.asked += 1;
      if (stage.away) {
        await clock.sleep(300);
        throw new CatalogUnavailable('away');
      }
      written.push(...counts);
      return counts;
    },
  };
  const uses = openFeedUses({ feedUse, quotas: defaultFeedQuotas, clock, log: silentLog });
  return {
    ...{ stage, uses, written, clock },
    request(day: string) {
      uses.table.count('key', day, 'used', 'requests', 1);
      uses.writeSoon();
    },
    async elapse(ms: number) {
      clock.advance(ms);
      for (let turn = 0; turn < 20; turn += 1) await pass();
    },
  };
}

describe('what feed keys use', () => {
  it('holds up no request of the day before, once one of the new day has come', async () => {
    const { uses, request } = openStage();
    request(yesterday);
    request(today);
    await uses.known('key', today);
    await uses.known('key', yesterday);
    await uses.close();
  });

  it('is known though it was written before it was asked for', async () => {
    const { uses, request, elapse, stage } = openStage();
    request(today);
    await elapse(1_000);
    assert.equal(stage.asked, 1);
    await uses.known('key', today);
    await uses.close();
  });

  it('is tried once a second while the catalog is away, however many requests come, and written once it is back', async () => {
    const { uses, request, elapse, stage, written } = openStage();
    stage.away = true;
    for (let tenth = 0; tenth < 200; tenth += 1) {
      request(today);
      await elapse(100);
    }
    assert.ok(stage.asked >= 14 && stage.asked <= 16, `asked ${stage.asked} times in 20 s`);
    stage.away = false;
    await elapse(300);
    await elapse(1_000);
    assert.equal(written.find(({ name }) => name === 'requests')?.amount, 200);
    const { asked } = stage;
    await elapse(5_000);
    assert.equal(stage.asked, asked, 'nothing is left to write');
    await uses.close();
  });

  it('that comes while a batch is under way goes with one of the next second', async () => {
    const { uses, request, elapse, stage, written } = openStage();
    request(today);
    await elapse(999);
    const count = uses.known('key', today);
    request(today);
    await count;
    request(today);
    await elapse(1_000);
    await elapse(1_000);
    assert.equal(
      written.filter(({ name }) => name === 'requests').reduce((sum, { amount }) => sum + amount, 0),
      3,
    );
    assert.ok(stage.asked <= 3);
    await uses.close();
  });

  it('is written also where a refusal is counted long after its request has ended, as a paced one is', async () => {
    const { uses, elapse, written, clock } = openStage();
    const shares = openMemoryFeedShares({ requests: 0.1, bytes: 1, elements: 1 });
    const share = () => shareOfRequest({ shares, uses, clock }, 'key');
    const [first, second] = [share(), share()];
    const begun = first.begin(0);
    await elapse(1_000);
    await begun;
    first.end();
    const refusal = await second.begin(0);
    assert.ok(refusal !== null);
    second.end();
    await elapse(1_000);
    const before = written.length;
    await elapse(5_000);
    assert.equal(written.length, before, 'all that was counted is written');
    second.refused(refusal);
    await elapse(1_000);
    assert.deepEqual(
      written.slice(before).flatMap(({ kind, name, amount }) => (kind === 'refused' ? [[name, amount]] : [])),
      [['limit-requests', 1]],
    );
    await uses.close();
  });
});
