// Sums of the use of feed keys (core/ports/catalog/feed-use.ts): the contract in memory and in PostgreSQL.
import assert from 'node:assert/strict';
import { beforeAll, describe, it } from 'vitest';
import { defaultFeedQuotas, utcDayOf } from '../../../../core/limits/feed-quotas.ts';
import type { FeedUseCatalog, UseCount } from '../../../../core/ports/catalog/feed-use.ts';
import { silentLog } from '../../../../core/ports/telemetry.ts';
import { microsPerHour } from '../../../../core/units.ts';
import { type FeedUses, openFeedUses } from '../../../../ingest/gateway/feed-use.ts';
import { openFeedUseCatalog } from '../../../../platform/postgres/feed-use-catalog.ts';
import { systemClock } from '../../../../platform/process/clock.ts';
import { MemoryFeedUse } from '../../../support/fakes/memory-feed-use.ts';
import { allTestServers, openDatabase } from '../../../support/services/databases.ts';
import { unique } from '../../../support/services/unique.ts';
import { until } from '../../../support/services/until.ts';
import { skipFor } from '../../../support/vitest/skip-for.ts';

const now = () => Date.now() * 1_000;
const dayBefore = (days: number) => utcDayOf(now() - days * 24 * microsPerHour);

function used(keyId: string, name: string, amount: number, day = dayBefore(0)): UseCount {
  return { keyId, day, kind: 'used', name, amount };
}

function feedUseContract(name: string, skip: string | false, open: () => Promise<FeedUseCatalog>): void {
  describe(`what feed keys use, ${name}`, skipFor(skip), () => {
    let catalog: FeedUseCatalog;
    beforeAll(async () => {
      catalog = await open();
    });
    const ofKey = async (keyId: string) => (await catalog.today()).filter((sum) => sum.keyId === keyId);
    const sorted = (counts: readonly UseCount[]) =>
      counts.map((each) => JSON.stringify(each, Object.keys(each).sort())).sort();

    it('is added to the sums of its key, day, kind and name, which are the answer', async () => {
      const key = unique('key');
      const refused: UseCount = { ...used(key, 'bytes', 2), kind: 'refused' };
      const yesterday = used(key, 'bytes', 5, dayBefore(1));
      const first = [used(key, 'bytes', 10), used(key, 'letters', 0), refused, yesterday];
      assert.deepEqual(sorted(await catalog.add(first)), sorted(first));
      const again = await catalog.add([used(key, 'bytes', 7), used(key, 'letters', 0), used(key, 'requests', 1)]);
      const sums = [used(key, 'bytes', 17), used(key, 'letters', 0), used(key, 'requests', 1)];
      assert.deepEqual(sorted(again), sorted(sums));
      assert.deepEqual(sorted(await ofKey(key)), sorted([refused, ...sums]));
    });

    it('is listed by key, kind and name', async () => {
      const [one, other] = [unique('one'), unique('zwei')];
      await catalog.add([used(other, 'b', 1), used(one, 'b', 1), used(one, 'a', 1)]);
      await catalog.add([{ ...used(one, 'z', 1), kind: 'refused' }]);
      const listed = (await catalog.today()).filter(({ keyId }) => keyId === one || keyId === other);
      assert.deepEqual(
        listed.map(({ keyId, kind, name }) => [keyId, kind, name]),
        [
          [one, 'refused', 'z'],
          [one, 'used', 'a'],
          [one, 'used', 'b'],
          [other, 'used', 'b'],
        ],
      );
    });

    it('of many gateways at once is added up: none is lost, and none waits for ever', async () => {
      const keys = Array.from({ length: 5 }, () => unique('many'));
      const gateway = async (nth: number) => {
        for (let round = 0; round < 10; round += 1) {
          const counts = keys.flatMap((key) => [used(key, 'bytes', 1), used(key, 'letters', 2)]);
          await catalog.add(nth % 2 === 0 ? counts : counts.toReversed());
        }
      };
      await Promise.all([0, 1, 2, 3].map(gateway));
      for (const key of keys)
        assert.deepEqual(sorted(await ofKey(key)), sorted([used(key, 'bytes', 40), used(key, 'letters', 80)]));
    });

    it('is known to each gateway with its own next batch, and to one that starts before its first push', async () => {
      const tools = { feedUse: catalog, quotas: defaultFeedQuotas, clock: systemClock, log: silentLog };
      const [key, day] = [unique('two'), dayBefore(0)];
      const start = async (): Promise<FeedUses> => {
        const uses = openFeedUses(tools);
        uses.table.count(key, day, 'used', 'requests', 1);
        await uses.known(key, day);
        return uses;
      };
      const usedAt = ({ table }: FeedUses) => [table.used(key, day, 'bytes'), table.used(key, day, 'letters')];
      const [one, other] = [await start(), await start()];
      one.table.count(key, day, 'used', 'bytes', 900);
      await one.close();
      other.table.count(key, day, 'used', 'letters', 3);
      assert.deepEqual(usedAt(other), [0, 3]);
      other.writeSoon();
      await until('the other has read', () => usedAt(other)[0] === 900);
      const third = await start();
      assert.deepEqual(
        [usedAt(other), usedAt(third)],
        [
          [900, 3],
          [900, 3],
        ],
      );
      await Promise.all([other.close(), third.close()]);
      assert.equal((await ofKey(key)).find(({ name }) => name === 'requests')?.amount, 3);
    });

    it('is forgotten after 35 days', async () => {
      const key = unique('old');
      const days = [0, 34, 36].map((days) => used(key, 'bytes', 1, dayBefore(days)));
      await catalog.add(days);
      await catalog.expire();
      const left = await catalog.add(days.map((count) => ({ ...count, amount: 0 })));
      assert.deepEqual(
        left.map(({ day, amount }) => [day, amount]).sort(),
        days.map(({ day }, nth) => [day, nth === 2 ? 0 : 1]).sort(),
      );
    });
  });
}

feedUseContract('in memory', false, async () => new MemoryFeedUse(now));
for (const server of await allTestServers())
  feedUseContract(`on ${server.name}`, server.skip, async () => openFeedUseCatalog((await openDatabase(server)).sql));
