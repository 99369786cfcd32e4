// What an instance believes is served, and files in its memory: docs/interface.md#what-an-instance-remembers; docs/durability.md#what-each-loss-costs.
// Every sentence is about when the catalog or the store is asked, and when it is not.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'vitest';
import { openDeadlines, Unavailable } from '../../../api/dependencies/deadlines.ts';
import { DamagedFile } from '../../../api/files/damaged-file.ts';
import { openFiles } from '../../../api/files/files.ts';
import { type KeptVersions, openKeptVersions } from '../../../api/serving/kept-versions.ts';
import { openServedGames, type ServedGames } from '../../../api/serving/served-games.ts';
import { noMeter } from '../../../core/ports/meter.ts';
import type { ObjectKey } from '../../../core/ports/object-store.ts';
import { type FileRef, type ObjectStore, ObjectTruncated } from '../../../core/ports/object-store.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { noTracer } from '../../../core/ports/tracer.ts';
import { microsPerSecond } from '../../../core/units.ts';
import { FakeCatalog, FakeLog, uuidOf } from '../../support/fakes/api-fakes.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { MovableClock } from '../../support/http/api-http.ts';

const uuid = uuidOf('a game');

let catalog: FakeCatalog;
let clock: MovableClock;
let objects: ObjectStore;
let log: FakeLog;
let kept: KeptVersions;
let serving: ServedGames;

beforeEach(async () => {
  catalog = new FakeCatalog();
  clock = new MovableClock();
  objects = openMemoryStore();
  log = new FakeLog(catalog, objects, uuid);
  const deadlines = openDeadlines(clock, silentLog, { catalog: 1_000, objects: 1_000 });
  kept = openKeptVersions({ live: catalog, deadlines, clock });
  serving = openServedGames({
    artifacts: catalog,
    live: catalog,
    deadlines,
    clock,
    log: silentLog,
    tracer: noTracer,
    maxAge: 5 * microsPerSecond,
    onServed: (served) => kept.remember(served),
  });
  await idle();
});

function pass(seconds: number): void {
  clock.ahead += seconds * microsPerSecond;
}

async function idle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const rowsServed = () => serving.peek(uuid)?.live?.log.rows;

describe('the version in memory', () => {
  it('is read once, however many ask at the same time', async () => {
    await log.append(3);
    const served = await Promise.all(Array.from({ length: 200 }, () => serving.current(uuid)));
    assert.ok(served.every((each) => each.live?.log.rows === 3));
    assert.equal(catalog.calls.served, 1);
  });

  it('answers without the catalog until it is five seconds old', async () => {
    await log.append(3);
    await serving.current(uuid);
    pass(2);
    assert.equal(rowsServed(), 3);
    pass(3);
    assert.equal(rowsServed(), undefined);
    assert.equal(catalog.calls.served, 1);
  });

  it('is confirmed before it expires, so that a followed game never waits', async () => {
    await log.append(3);
    await serving.current(uuid);
    for (let second = 0; second < 30; second += 1) {
      pass(1);
      assert.equal(rowsServed(), 3);
      await idle();
    }
    assert.ok(catalog.calls.served <= 12, `${catalog.calls.served} reads in 30 s`);
  });

  it('moves at once with a notice', async () => {
    await log.append(3);
    await serving.current(uuid);
    await log.append(1);
    assert.equal(rowsServed(), undefined, 'the old version is served no more');
    await idle();
    assert.equal(rowsServed(), 4, 'and the new one is there before anybody asks');
  });

  it('is not read at a notice of a game without followers', async () => {
    await log.append(3);
    await serving.current(uuid);
    pass(60);
    await log.append(1);
    await idle();
    assert.equal(catalog.calls.served, 1);
    assert.equal((await serving.current(uuid)).live?.log.rows, 4);
  });

  it('is not older than a notice that came while it was being read', async () => {
    await log.append(3);
    const slow = Promise.withResolvers<void>();
    const served = catalog.served.bind(catalog);
    catalog.served = async (game) => {
      const seen = await served(game);
      await slow.promise;
      return seen;
    };
    const asked = serving.current(uuid);
    await idle();
    await log.append(1);
    catalog.served = served;
    slow.resolve();
    assert.equal((await asked).live?.log.rows, 4);
  });

  it('never goes back, in whatever order reads end', async () => {
    const old = await log.append(3);
    await log.append(1);
    await serving.current(uuid);
    catalog.logs.set(uuid, old);
    pass(6);
    assert.equal((await serving.current(uuid)).live?.log.rows, 4);
  });

  it('follows a rebuilt log, whose versions count on', async () => {
    await log.append(7);
    await serving.current(uuid);
    await log.rebuild(2);
    await idle();
    assert.equal(rowsServed(), 2);
    assert.equal(serving.peek(uuid)?.live?.log.generation, 2);
  });

  it('is not trusted after notices may have been lost', async () => {
    await log.append(3);
    await serving.current(uuid);
    catalog.announcing = false;
    await log.append(1);
    assert.equal(rowsServed(), 3);
    catalog.loseNotices();
    assert.equal(rowsServed(), undefined);
    assert.equal((await serving.current(uuid)).live?.log.rows, 4);
  });

  it('is not trusted after the clock stepped back', async () => {
    await log.append(3);
    await serving.current(uuid);
    pass(-3_600);
    assert.equal(rowsServed(), undefined);
  });

  it('is not served when it is too old and the catalog is down, and recovers by itself', async () => {
    await log.append(3);
    await serving.current(uuid);
    for (const state of ['down', 'hanging'] as const) {
      catalog.state = state;
      pass(6);
      await assert.rejects(serving.current(uuid), Unavailable);
      catalog.state = 'up';
      assert.equal((await serving.current(uuid)).live?.log.rows, 3);
    }
  });
});

describe('a game that became final', () => {
  const file = { key: 'f' as ObjectKey, offset: 0, size: 3, sha256: 'ab' };
  const artifact = { dataset: 'sportsbook-lines', version: 1, rows: 3, file, reason: 'settled' };
  const land = () => catalog.land(uuid, [artifact]);

  /** Lets reads that begin now end only when the test says so. */
  function holdReads(): () => void {
    const held = Promise.withResolvers<void>();
    const served = catalog.served.bind(catalog);
    catalog.served = async (game) => {
      const seen = await served(game);
      await held.promise;
      return seen;
    };
    return () => {
      catalog.served = served;
      held.resolve();
    };
  }

  it('is final in memory before the first request', async () => {
    await log.append(3);
    await serving.current(uuid);
    await land();
    assert.equal(serving.peek(uuid), undefined, 'the log is served no more');
    await idle();
    const served = serving.peek(uuid);
    assert.deepEqual([served?.final, served?.live], [true, null]);
    assert.equal(served?.artifacts.get('sportsbook-lines')?.rows, 3);
    assert.equal(catalog.calls.served, 2);
  });

  it('is final for requests that came while the log was read', async () => {
    await log.append(3);
    const release = holdReads();
    const asked = serving.current(uuid);
    await idle();
    await land();
    release();
    assert.equal((await asked).final, true);
  });

  it('stays final whatever versions of its log are announced or arrive late', async () => {
    const old = await log.append(3);
    await land();
    await serving.current(uuid);
    await log.append(1);
    assert.equal(serving.peek(uuid)?.final, true, 'a version of the log is no news');
    catalog.artifacts.delete(uuid);
    catalog.logs.set(uuid, old);
    pass(6);
    assert.deepEqual([(await serving.current(uuid)).final, (await serving.latest(uuid)).live], [true, null]);
  });

  it('stays final when the rest of it was forgotten, and for a read that began earlier', async () => {
    await log.append(3);
    const forget = async () => {
      for (let other = 0; other < 5_001; other += 1) await serving.current(`other ${other}`);
    };
    const release = holdReads();
    const late = serving.current(uuid);
    await idle();
    // Other reads do not wait.
    const held = catalog.served;
    catalog.served = FakeCatalog.prototype.served.bind(catalog);
    await forget();
    await land();
    assert.equal((await serving.current(uuid)).final, true);
    await forget();
    catalog.artifacts.delete(uuid);
    catalog.served = held;
    release();
    assert.equal((await late).final, true, 'it saw the log, and answers after the game was seen to be final');
    assert.equal((await serving.latest(uuid)).final, true);
  });

  it('takes newer versions with their notice, and never an older one again', async () => {
    const results = { ...artifact, dataset: 'market-results' };
    await catalog.land(uuid, [artifact, results]);
    await serving.current(uuid);
    const version = (dataset: string) => serving.peek(uuid)?.artifacts.get(dataset)?.version;
    for (const next of [artifact, results]) {
      assert.equal(version(next.dataset), 1);
      await catalog.land(uuid, [{ ...next, version: 2 }]);
      assert.equal(serving.peek(uuid), undefined, 'what memory has may not be the newest');
      await idle();
      assert.equal(version(next.dataset), 2);
    }
    const all = catalog.artifacts.get(uuid) ?? [];
    catalog.artifacts.set(
      uuid,
      all.filter((each) => each.version === 1),
    );
    for (const served of [await serving.latest(uuid), await serving.current(uuid)])
      assert.deepEqual(
        [...served.artifacts.values()].map((each) => each.version),
        [2, 2],
      );
    for (let other = 0; other < 5_001; other += 1) await serving.current(`other ${other}`);
    const lines = (await serving.current(uuid)).artifacts.get('sportsbook-lines');
    assert.equal(lines?.version, 2, 'the lines are remembered longer than anything else');
  });

  it('takes files that land later with their notice', async () => {
    await log.append(3);
    await land();
    await serving.current(uuid);
    await catalog.land(uuid, [{ ...artifact, dataset: 'market-results' }]);
    await idle();
    assert.deepEqual([...(serving.peek(uuid)?.artifacts.keys() ?? [])], ['sportsbook-lines', 'market-results']);
  });
});

describe('latest', () => {
  it('is a read that begins after the question', async () => {
    await log.append(3);
    const slow = Promise.withResolvers<void>();
    const served = catalog.served.bind(catalog);
    catalog.served = async (game) => {
      const seen = await served(game);
      await slow.promise;
      return seen;
    };
    const before = serving.current(uuid);
    await idle();
    catalog.announcing = false;
    await log.append(1);
    const latest = serving.latest(uuid);
    const alike = serving.latest(uuid);
    catalog.served = served;
    slow.resolve();
    assert.equal((await latest).live?.log.rows, 4);
    assert.equal((await alike).live?.log.rows, 4);
    await before;
    assert.equal(catalog.calls.served, 2, 'those who wait share one read');
  });
});

it('watches from the start, and keeps trying while the catalog is down', async (t) => {
  const late = new FakeCatalog();
  late.state = 'down';
  const deadlines = openDeadlines(clock, silentLog, { catalog: 1_000, objects: 1_000 });
  const naps: (() => void)[] = [];
  const napping = { now: () => clock.now(), sleep: () => new Promise<void>((resolve) => naps.push(resolve)) };
  const other = openServedGames({
    artifacts: late,
    live: late,
    deadlines,
    clock: napping,
    log: silentLog,
    tracer: noTracer,
    maxAge: 5e6,
    onServed() {},
  });
  t.onTestFinished(() => other.close());
  await idle();
  assert.deepEqual([late.calls.watchServing, naps.length], [1, 1]);
  naps.shift()?.();
  await idle();
  assert.equal(late.calls.watchServing, 2);
  late.state = 'up';
  naps.shift()?.();
  await idle();
  assert.deepEqual([late.calls.watchServing, naps.length], [3, 0]);
});

describe('earlier versions of a segment', () => {
  it('served by this instance cost no query for five minutes', async () => {
    await log.append(1);
    const first = (await serving.current(uuid)).live;
    const file = first?.log.tail?.file as FileRef;
    await log.append(1);
    const second = (await serving.current(uuid)).live;
    assert.deepEqual(await kept.find(second!, 1, 1), { rows: 1, file });
    assert.equal(catalog.calls.tailVersion, 0);
    pass(301);
    assert.deepEqual(await kept.find(second!, 1, 1), { rows: 1, file });
    assert.equal(catalog.calls.tailVersion, 1);
  });

  it('not served by this instance are queried, and kept for five seconds', async () => {
    await log.append(2);
    await log.append(2);
    const served = (await serving.current(uuid)).live;
    assert.equal((await kept.find(served!, 1, 1))?.rows, 2);
    await kept.find(served!, 1, 1);
    assert.equal(catalog.calls.tailVersion, 1);
    pass(6);
    await kept.find(served!, 1, 1);
    assert.equal(catalog.calls.tailVersion, 2);
  });
});

describe('files', () => {
  const reads: { file: string; answer: (bytes: Uint8Array | null) => void; fail: (error: Error) => void }[] = [];
  const store = {
    get: (file: string) =>
      new Promise<Uint8Array | null>((answer, fail) => {
        reads.push({ file, answer, fail });
      }),
  };
  const abc: FileRef = {
    key: 'k' as ObjectKey,
    offset: 5,
    size: 3,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  };
  const large = { pieceBytes: 1_024, largeAtOnce: 2 };
  const open = (deadline = 1_000) => {
    reads.length = 0;
    const deadlines = openDeadlines(clock, silentLog, { catalog: deadline, objects: deadline });
    return openFiles({
      objects: store,
      deadlines,
      log: silentLog,
      meter: noMeter,
      memoryBytes: 4_096,
      largestKept: 2_048,
      ...large,
    });
  };

  it('are read once, however many ask, and then are in memory', async () => {
    const files = open();
    const asked = Array.from({ length: 50 }, () => files.bytes(abc));
    assert.equal(reads.length, 1);
    reads[0]?.answer(Buffer.from('abc'));
    for (const bytes of await Promise.all(asked)) assert.equal(bytes.toString(), 'abc');
    assert.ok(Buffer.isBuffer(files.bytes(abc)), 'no promise: nothing to wait for');
    assert.equal(reads.length, 1);
  });

  const damaged: [string, Uint8Array | null][] = [
    ['missing', null],
    ['cut short', Buffer.from('ab')],
    ['longer', Buffer.from('abcd')],
    ['of other bytes', Buffer.from('abd')],
  ];
  for (const [name, bytes] of damaged) {
    it(`that are ${name} are never served, and are read again`, async () => {
      const files = open();
      const asked = files.bytes(abc);
      reads[0]?.answer(bytes);
      await assert.rejects(async () => asked, DamagedFile);
      const again = files.bytes(abc);
      reads[1]?.answer(Buffer.from('abc'));
      assert.equal((await again).toString(), 'abc');
    });
  }

  it('beyond the end of their object count as damaged for good, not as an outage of the store', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
    const deadlines = openDeadlines(clock, log, { catalog: 1_000, objects: 1_000 });
    reads.length = 0;
    const files = openFiles({
      objects: store,
      deadlines,
      log,
      meter: noMeter,
      memoryBytes: 4_096,
      largestKept: 2,
      ...large,
    });
    for (const read of [() => files.bytes(abc), () => files.body(abc, null)]) {
      const asked = read();
      reads.at(-1)?.fail(new ObjectTruncated('k', 8, 6));
      await assert.rejects(async () => asked, DamagedFile);
    }
    assert.deepEqual([warnings, deadlines.degraded()], [[], []]);
  });

  it('of a store that fails or is slow are unavailable', async () => {
    const files = open(50);
    const failing = files.bytes(abc);
    reads[0]?.fail(new Error('503 SlowDown'));
    await assert.rejects(async () => failing, Unavailable);
    await assert.rejects(async () => files.bytes(abc), Unavailable, 'nobody answers the second read');
  });

  it('stay within their share of memory', async () => {
    const files = open();
    const { createHash } = await import('node:crypto');
    const refs = Array.from({ length: 8 }, (_, at) => {
      const bytes = Buffer.alloc(1_000, at);
      return {
        bytes,
        ref: {
          key: `${at}` as ObjectKey,
          offset: 0,
          size: 1_000,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        },
      };
    });
    for (const { bytes, ref } of refs) {
      const asked = files.bytes(ref);
      reads.at(-1)?.answer(bytes);
      await asked;
    }
    const held = refs
      .map(({ ref }) => files.bytes(ref))
      .filter((bytes) => {
        if (bytes instanceof Promise) bytes.catch(() => {});
        return Buffer.isBuffer(bytes);
      });
    assert.equal(held.length, 2);
  });
});
