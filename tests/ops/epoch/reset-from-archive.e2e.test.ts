// Both editions, with a log that has deleted its oldest observations: an epoch is reset from the raw archive and what the log still holds, to
// the same state, without a gap. A damaged file of the archive ends the command before anything is appended; without the archive the hole is
// named (docs/revisions.md#epoch-resets; docs/durability.md#the-raw-archive). A violation is an observation that the new epoch lacks untold.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { ObjectStore } from '../../../core/ports/object-store.ts';
import { RawFileDamaged } from '../../../core/ports/raw-archive.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { type PlannedReset, planResets } from '../../../ops/epoch/plan-resets.ts';
import { runResets } from '../../../ops/epoch/run-resets.ts';
import type { Session } from '../../../ops/session/command.ts';
import { wholeLog } from '../../../ops/session/whole-log.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { openRawArchive } from '../../../platform/raw-archive/raw-archive.ts';
import { archiveDays } from '../../../projectors/jobs/raw-archiver.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { bodyOf, gameObject, play } from '../../support/builders/msf-bodies.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { appliedMsf, pushMsf } from '../../support/editions/msf-client.ts';
import { getJson } from '../../support/editions/published-game.ts';
import { type Setting, sampledEditions } from '../../support/editions/two-editions.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const game = 'NBA_BOS_CLE_20260109';
const days = 24 * 3_600 * 1_000_000;
const [archived, later] = [4, 2];

for (const [name, skip, prepare] of sampledEditions()) {
  describe(`an epoch of which the log has deleted observations, ${name}`, skipFor(skip), () => {
    let setting: Setting;
    let edition: Edition;

    beforeAll(async () => {
      setting = await prepare();
      edition = await startEdition(setting);
      const key = await edition.feedKey(['msf']);
      for (let count = 1; count <= archived; count += 1) await push(key, count);
      const { broker, catalogs, objects } = edition.drivers;
      // In two days everything that is in the log now is of a day that is over.
      const live = { now: async () => systemClock.now() + 2 * days };
      const archive = openRawArchive(objects);
      await archiveDays(
        { broker, archive, leases: catalogs.leases, live, clock: systemClock, log: silentLog },
        null,
        new AbortController().signal,
      );
      for (let count = archived + 1; count <= archived + later; count += 1) await push(key, count);
      const found = await catalogs.games.find(game);
      assert.ok(found !== null);
      const partition = await broker.partitionOf(topics.observations, found.uuid);
      const low = (await archive.files(topics.observations, partition)).at(-1)?.to ?? 0;
      assert.ok(low >= archived, 'they are archived');
      const forget = async (topic: string, of: number, below: number) => {
        while ((await broker.forget?.(topic, of, { before: null, below }))?.more === true);
      };
      await (setting.deleteBelow ?? forget)(topics.observations, partition, low);
      const mark = (await broker.watermarks(topics.observations)).find((each) => each.partition === partition);
      assert.equal(mark?.low, low, 'they are deleted');
    });
    afterAll(async () => {
      await edition?.stop();
      await setting?.drop();
    });

    /** Pushes the plays of so many minutes, and waits until they are applied. */
    async function push(key: string, count: number): Promise<void> {
      const plays = Array.from({ length: count * 3 }, (_, second) => play({ quarter: 1, secondsElapsed: second }));
      const target = { league: 'NBA', season: '2025-2026-regular', feed: 'playbyplay', game: 900001 };
      const receipt = await pushMsf(edition, key, target, bodyOf({ game: gameObject(), plays }));
      await appliedMsf(edition, key, receipt);
    }

    const snapshot = async () =>
      (await getJson(edition, `/v1/games/${game}/plays/snapshot`)) as Readonly<Record<string, unknown>>;

    function sessionOn(objects: ObjectStore): Session {
      const { catalogs, broker, peppers } = edition.drivers;
      return {
        settings: readSettings(setting.environment),
        catalogs,
        peppers: () => peppers,
        actor: 'a test',
        broker: async () => broker,
        objects: async () => objects,
        interrupted: new AbortController().signal,
      };
    }

    async function planOn(objects: ObjectStore): Promise<readonly PlannedReset[]> {
      const { catalogs } = edition.drivers;
      const broker = await wholeLog(sessionOn(objects));
      return planResets({ catalogs, broker }, { scopes: [game], league: null, datasets: ['plays'] });
    }

    async function resetOn(objects: ObjectStore) {
      const planned = await planOn(objects);
      const { done, failure } = await runResets(sessionOn(objects), planned);
      assert.equal(failure, null);
      const [only] = done;
      assert.ok(only !== undefined);
      await until('the new epoch is served', async () => (await snapshot()).stream_epoch === only.epoch);
      return { kept: planned[0]?.kept.kept, only, now: await snapshot() };
    }

    const isArchive = (key: string): boolean => key.startsWith('raw-archive/');

    it('is refused where a file of the archive is damaged, and nothing is appended', async () => {
      const { objects, broker } = edition.drivers;
      const before = [await snapshot(), await broker.watermarks(topics.observations)];
      const damaged: ObjectStore = {
        ...objects,
        async get(key, ...rest) {
          const bytes = await objects.get(key, ...rest);
          return isArchive(key) && bytes !== null ? bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte)) : bytes;
        },
      };
      await assert.rejects(planOn(damaged), RawFileDamaged);
      assert.deepEqual([await snapshot(), await broker.watermarks(topics.observations)], before);
    });

    it('starts over from the archive and the log, to the same state', async () => {
      const before = await snapshot();
      const { kept, only, now } = await resetOn(edition.drivers.objects);
      assert.deepEqual([kept, only.observations, only.gaps], [archived + later, archived + later, []]);
      assert.equal(only.replaced, before.stream_epoch);
      assert.equal(now.history_origin, 'reconstructed');
      for (const member of ['revision', 'snapshot_digest', 'snapshot_row_count'])
        assert.deepEqual(now[member], before[member], member);
    });

    it('names the hole where neither has the observations', async () => {
      const { objects } = edition.drivers;
      const without: ObjectStore = {
        ...objects,
        async *list(prefix, ...rest) {
          for await (const each of objects.list(prefix, ...rest)) if (!isArchive(each.key)) yield each;
        },
      };
      const before = await snapshot();
      const { kept, only, now } = await resetOn(without);
      assert.deepEqual([kept, only.observations], [later, later]);
      assert.equal(only.gaps.length, 1, JSON.stringify(only.gaps));
      assert.match(only.gaps[0] ?? '', / observations-missing$/);
      assert.equal((now.coverage as { state: string }).state, 'legacy_partial');
      assert.equal(now.snapshot_digest, before.snapshot_digest, 'the newest observation has the whole state');
    });
  });
}
