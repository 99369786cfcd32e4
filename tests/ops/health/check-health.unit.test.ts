// What a look at the health finds (docs/operations.md#health): each fault under its name while it lasts, and nothing before and after it.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type { ObjectStore } from '../../../core/ports/object-store.ts';
import { openHealthCheck } from '../../../ops/health/check-health.ts';
import { sleep } from '../../../platform/process/clock.ts';

const second = 1_000_000;
const start = Date.UTC(2026, 7, 5, 20) * 1_000;

type Sample = Pick<ObjectStore, 'get' | 'put'>;

function stage(ticksExpectedFrom = 0, sample: Sample | null = null) {
  const state = {
    now: start,
    databaseAhead: 0,
    tickAge: 0 as number | null,
    halted: null as string | null,
    nextOffset: 5,
    end: 5,
    catalog: 'up' as 'up' | 'down',
    objects: 'up' as 'up' | 'down' | 'hangs',
    log: true,
    registry: true,
    asked: 0,
  };
  const up = <T>(answer: T): Promise<T> =>
    state.catalog === 'up' ? Promise.resolve(answer) : Promise.reject(new CatalogUnavailable('down'));
  const { look, facts } = openHealthCheck(
    {
      operations: {
        newestTick: () => up(state.tickAge === null ? null : { at: state.now - state.tickAge, age: state.tickAge }),
        outbox: () => up({ records: 7, age: second }),
        streams: () => {
          const stream = { projector: 'live', topic: 't', partition: 3, ownerEpoch: 1, ownerId: 'o', updatedAt: start };
          return up([{ ...stream, nextOffset: state.nextOffset, halted: state.halted }]);
        },
      },
      live: { now: () => up(state.now + state.databaseAhead) },
      objects: {
        get: () => {
          state.asked += 1;
          if (state.objects === 'hangs') return new Promise(() => {});
          return state.objects === 'up'
            ? Promise.resolve(null)
            : Promise.reject(new Error('The bucket does not exist'));
        },
      },
      sample,
      broker: {
        healthy: async () => state.log,
        registryAnswers: async () => state.registry,
        watermarks: async () => [{ partition: 3, low: 0, high: state.end }],
      },
      // Only the limit of patience sleeps: it is over at once.
      clock: { now: () => state.now, sleep: (_ms, signal) => sleep(20, signal) },
    },
    ticksExpectedFrom,
  );
  return { state, look, facts, names: async () => (await look()).map(({ name }) => name) };
}

describe('a look', () => {
  it('finds nothing where all is well', async () => {
    assert.deepEqual(await stage().names(), []);
  });

  it('expects no tick of a service in its first ten seconds', async () => {
    for (const tickAge of [null, 3_600 * second]) {
      const { state, names } = stage(start);
      Object.assign(state, { tickAge, now: start + 10 * second });
      assert.deepEqual(await names(), []);
      Object.assign(state, { now: start + 11 * second });
      assert.deepEqual(await names(), ['ticks']);
    }
  });

  const faults: [string, (state: ReturnType<typeof stage>['state']) => void, RegExp][] = [
    ['objects', (state) => Object.assign(state, { objects: 'down' }), /The bucket does not exist/],
    ['objects', (state) => Object.assign(state, { objects: 'hangs' }), /no answer within 2000 ms/],
    ['log', (state) => Object.assign(state, { log: false }), /do not answer/],
    ['registry', (state) => Object.assign(state, { registry: false }), /no longer has the schemas/],
    ['partition live/3', (state) => Object.assign(state, { halted: 'gap; bring back' }), /gap; bring back/],
    ['ticks', (state) => Object.assign(state, { tickAge: 11 * second }), /11\.0 s old/],
    ['ticks', (state) => Object.assign(state, { tickAge: null }), /no tick yet/],
    ['clock', (state) => Object.assign(state, { databaseAhead: 3 * second }), /3\.0 s behind/],
    ['clock', (state) => Object.assign(state, { databaseAhead: -3 * second }), /3\.0 s ahead of/],
  ];
  for (const [name, breaks, detail] of faults) {
    it(`finds ${name} (${detail.source}) while it lasts`, async () => {
      const { state, look } = stage();
      const well = { ...state };
      await look();
      breaks(state);
      const found = await look();
      assert.deepEqual(
        found.map((each) => each.name),
        [name],
      );
      assert.match(found[0]?.detail ?? '', detail);
      Object.assign(state, well);
      if (name === 'objects') return;
      assert.deepEqual(await look(), []);
    });
  }

  it('finds a checkpoint that does not move while the log does, but not of a partition that is halted', async () => {
    const { state, names } = stage();
    const looks = async () => {
      let found: string[] = [];
      for (let n = 0; n < 5; n += 1) {
        found = await names();
        Object.assign(state, { now: state.now + 2 * second, end: state.end + 3 });
      }
      return found;
    };
    assert.deepEqual(await looks(), ['stalled live/3']);
    state.halted = 'gap';
    assert.deepEqual(await looks(), ['partition live/3']);
    Object.assign(state, { halted: null, nextOffset: state.end });
    assert.deepEqual(await names(), []);
  });

  it('reads back what it has put, and finds a store that gives other bytes', async () => {
    const kept = new Map<string, Uint8Array>();
    let wrong = false;
    const { look } = stage(0, {
      async get(key) {
        const bytes = kept.get(key) ?? null;
        return wrong && bytes !== null ? bytes.map((byte) => byte ^ 1) : bytes;
      },
      put: async (key, bytes) => void kept.set(key, bytes),
    });
    assert.deepEqual(await look(), []);
    assert.deepEqual([...kept.keys()], ['readiness/sample']);
    wrong = true;
    assert.deepEqual(await look(), [
      { name: 'objects', detail: 'Error: readiness/sample has other bytes than were put' },
    ]);
    wrong = false;
    assert.deepEqual(await look(), []);
  });

  it('keeps what the catalog said last while it is away', async () => {
    const { state, names } = stage();
    state.halted = 'gap';
    await names();
    state.catalog = 'down';
    assert.deepEqual(await names(), ['catalog', 'partition live/3']);
  });

  it('keeps what it has seen, for metrics', async () => {
    const { state, look, facts } = stage();
    assert.equal(facts(), null);
    Object.assign(state, { end: 9, tickAge: second, now: state.now + 4 * second, databaseAhead: -second });
    await look();
    assert.deepEqual(facts(), {
      streams: [{ projector: 'live', partition: 3, ownerEpoch: 1, isHalted: false, behind: 4, still: 3 * second }],
      tickAge: second,
      skew: second,
      outbox: { records: 7, age: second },
    });
  });

  it('takes the control record of a transaction, which is never folded, for no lag', async () => {
    const { state, look, facts } = stage();
    const told = async () => {
      await look();
      const { behind, still } = facts()?.streams[0] ?? {};
      return [behind, still];
    };
    Object.assign(state, { now: state.now + 60 * second, end: state.nextOffset + 1 });
    assert.deepEqual(await told(), [1, 0]);
    state.end += 1;
    assert.deepEqual(await told(), [2, 60 * second]);
  });

  it('tells no number of the catalog while it is away, but what is known of its partitions', async () => {
    const { state, look, facts } = stage();
    Object.assign(state, { end: 9, tickAge: second, halted: 'gap' });
    await look();
    state.catalog = 'down';
    await look();
    const stream = { projector: 'live', partition: 3, ownerEpoch: 1, isHalted: true, behind: null, still: 0 };
    assert.deepEqual(facts(), { streams: [stream], tickAge: null, skew: null, outbox: null });
    state.catalog = 'up';
    await look();
    assert.deepEqual([facts()?.tickAge, facts()?.streams[0]?.behind], [second, 4]);
  });

  it('asks a dependency that hangs once, however often it looks', async () => {
    const { state, names } = stage();
    state.objects = 'hangs';
    for (let n = 0; n < 3; n += 1) assert.deepEqual(await names(), ['objects']);
    assert.equal(state.asked, 1);
  });
});
