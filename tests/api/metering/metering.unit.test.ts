// The metering between reads and the ledger: paid rows need no call, many charges go in one, no account pays twice for a lost answer, and
// reads of an outage are served up to a bound and debited afterwards (docs/metering.md#the-ledger; docs/metering.md).
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'vitest';
import { type ApiLimits, defaultLimits } from '../../../api/compose/resource-limits.ts';
import { openDeadlines } from '../../../api/dependencies/deadlines.ts';
import type { Owed } from '../../../api/metering/grace.ts';
import type { ChargeOutcome } from '../../../api/metering/metering.ts';
import { openMetering } from '../../../api/metering/open-metering.ts';
import type { ApiKey } from '../../../core/ports/catalog/keys.ts';
import type { Clock } from '../../../core/ports/clock.ts';
import type { ChargedRead } from '../../../core/ports/ledger.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import type { Micros } from '../../../core/units.ts';
import { isRefusal, type Refusal } from '../../../http/refusal.ts';
import { sleep } from '../../../platform/process/clock.ts';
import { file, live } from '../../support/contracts/ledger-contract.ts';
import { MemoryJournal } from '../../support/fakes/memory-journal.ts';
import { MemoryLedger } from '../../support/fakes/memory-ledger.ts';
import { NaiveLedger } from '../../support/fakes/naive-ledger.ts';
import { until } from '../../support/services/until.ts';

const second = 1_000_000;

class TwoClocks implements Clock {
  wall: Micros = Date.UTC(2020, 0, 1) * 1000;
  passed: Micros = 0;
  now(): Micros {
    return this.wall;
  }
  elapsed(): Micros {
    return this.passed;
  }
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleep(ms, signal);
  }
  advance(micros: Micros): void {
    this.wall += micros;
    this.passed += micros;
  }
}

type Stage = AsyncDisposable & {
  ledger: MemoryLedger;
  journal: MemoryJournal<Owed>;
  clock: TwoClocks;
  key: ApiKey;
  charge(read: ChargedRead, key?: ApiKey): ChargeOutcome | Promise<ChargeOutcome>;
  debit(read: ChargedRead): Promise<number>;
  refusal(read: ChargedRead): Promise<Refusal>;
  usedRows(): Promise<number>;
  metering: ReturnType<typeof openMetering>;
};

function stage(
  options: {
    monthlyRows?: number | null;
    boardWeightMillionths?: number;
    limits?: Partial<ApiLimits>;
    ledger?: MemoryLedger;
    journal?: MemoryJournal<Owed>;
    accountId?: string;
  } = {},
): Stage {
  const { monthlyRows = null, accountId = randomUUID() } = options;
  const ledger = options.ledger ?? new MemoryLedger();
  const journal = options.journal ?? new MemoryJournal<Owed>();
  ledger.quotas.set(accountId, monthlyRows);
  const clock = new TwoClocks();
  const limits = { ...defaultLimits, ledgerPauseMs: 5, ...options.limits };
  const metering = openMetering({
    ledger,
    journal,
    boardWeightMillionths: options.boardWeightMillionths ?? 0,
    newChargeId: randomUUID,
    site: { baseUrl: 'https://api.example.test' },
    deadlines: openDeadlines(clock, silentLog, { catalog: limits.catalogDeadlineMs, objects: 1_000 }),
    clock,
    log: silentLog,
    limits,
  });
  const key: ApiKey = { id: 'key', accountId, state: 'active', tier: 'PRO', entitled: true, monthlyRows };
  const charge = (read: ChargedRead, by = key) => metering.charge(by, read);
  return {
    ledger,
    journal,
    clock,
    key,
    metering,
    charge,
    async debit(read) {
      const charged = await charge(read);
      assert.ok(!isRefusal(charged), JSON.stringify(charged));
      return charged.debited;
    },
    async refusal(read) {
      const charged = await charge(read);
      assert.ok(isRefusal(charged), JSON.stringify(charged));
      return charged;
    },
    usedRows: async () => (await ledger.usage(accountId)).usedRows,
    [Symbol.asyncDispose]: () => metering.close(),
  };
}

const allPaid = (journal: MemoryJournal<Owed>) => until('what is owed is debited', () => journal.entries.length === 0);

describe('a charge', () => {
  it('for rows already paid is answered from memory', async () => {
    await using at = stage();
    assert.equal(await at.debit(live('g', 1, 1, 10)), 10);
    const calls = at.ledger.calls.length;
    for (const rows of [10, 3, 1]) assert.deepEqual(at.charge(live('g', 1, 1, rows)), { debited: 0 });
    assert.equal(at.ledger.calls.length, calls);
    assert.equal(await at.debit(live('g', 1, 1, 12)), 2);
    const other = { ...at.key, accountId: randomUUID() };
    assert.deepEqual(await at.charge(live('g', 1, 1, 10), other), { debited: 10 }, 'another account pays');
    const another = { ...at.key, id: 'another' };
    assert.deepEqual(at.charge(live('g', 1, 1, 12), another), { debited: 0 }, 'another key of the account does not');
  });

  it('of a file goes to the ledger each time', async () => {
    await using at = stage();
    for (let time = 0; time < 3; time += 1) assert.equal(await at.debit(file(5)), 5);
    assert.equal(await at.usedRows(), 15);
  });

  it('of nothing makes no call: an empty file, a board without weight', async () => {
    await using at = stage();
    const board: ChargedRead = { ...file(7), kind: 'board' } as ChargedRead;
    assert.deepEqual(at.charge(board), { debited: 0 });
    assert.deepEqual(at.charge(file(0)), { debited: 0 });
    assert.deepEqual(at.ledger.calls, []);
    await using weighed = stage({ boardWeightMillionths: 290_000 });
    assert.equal(await weighed.debit({ ...board, rows: 100 } as ChargedRead), 29);
    assert.deepEqual(weighed.charge({ ...board, rows: 3 } as ChargedRead), { debited: 0 });
    assert.equal(await weighed.usedRows(), 29);
  });

  it('that would pass the quota is refused, with its reset and a way to have more', async () => {
    await using at = stage({ monthlyRows: 10 });
    assert.equal(await at.debit(live('g', 1, 1, 10)), 10);
    const refusal = await at.refusal(live('g', 1, 1, 11));
    assert.equal(refusal.refused, 'quota-exhausted');
    assert.deepEqual(refusal.members, { reset: '2026-09-01', upgrade_url: 'https://api.example.test/docs#tiers' });
    assert.deepEqual(at.charge(live('g', 1, 1, 10)), { debited: 0 }, 'what is paid stays readable');
    assert.equal(await at.usedRows(), 10);
  });

  it('shares one call with charges that arrive meanwhile, and each amount is exact', async () => {
    await using at = stage();
    const naive = new NaiveLedger(null);
    const reads = Array.from({ length: 600 }, (_, index) =>
      index % 9 === 0 ? file(2) : live(`game ${index % 2}`, 1, 1 + (index % 4), 1 + ((index * 7_919) % 300)),
    );
    for (const read of reads) naive.read(read);
    const debits = await Promise.all(reads.map((read) => at.debit(read)));
    assert.equal(
      debits.reduce((sum, debit) => sum + debit, 0),
      naive.used(),
    );
    assert.equal(await at.usedRows(), naive.used());
    assert.ok(at.ledger.calls.length <= 5, `${at.ledger.calls.length} calls`);
    assert.ok(Math.max(...at.ledger.calls) <= defaultLimits.chargesPerCall);
  });

  it('of one account does not wait for other accounts', async () => {
    const ledger = new MemoryLedger();
    await using at = stage({ ledger });
    const { promise, resolve } = Promise.withResolvers<void>();
    ledger.state = promise;
    const slow = at.charge(file(1));
    ledger.state = 'up';
    const quick = { ...at.key, accountId: randomUUID() };
    assert.deepEqual(await at.charge(file(2), quick), { debited: 2 });
    resolve();
    assert.deepEqual(await slow, { debited: 1 });
  });
});

describe('the month', () => {
  it('ends when the ledger says so, whatever the wall clock says', async () => {
    await using at = stage();
    const turn = Date.UTC(2026, 8, 1) * 1000;
    at.ledger.now = turn - 100 * second;
    assert.equal(await at.debit(live('g', 1, 1, 10)), 10);
    at.clock.advance(99 * second);
    assert.deepEqual(at.charge(live('g', 1, 1, 10)), { debited: 0 });
    at.clock.wall -= 3_600 * second;
    at.clock.passed += second;
    at.ledger.now = turn;
    assert.equal(await at.debit(live('g', 1, 1, 10)), 10);
    assert.equal((await at.ledger.items(at.key.accountId, '2026-08')).usedRows, 10);
    assert.equal((await at.ledger.items(at.key.accountId, '2026-09')).usedRows, 10);
    assert.deepEqual(at.charge(live('g', 1, 1, 10)), { debited: 0 });
  });

  it('ends also while the machine sleeps', async () => {
    await using at = stage();
    const turn = Date.UTC(2026, 8, 1) * 1000;
    at.ledger.now = turn - 100 * second;
    await at.debit(live('g', 1, 1, 10));
    at.clock.wall += 100 * second;
    at.ledger.now = turn;
    assert.equal(await at.debit(live('g', 1, 1, 10)), 10);
  });
});

describe('while the ledger is unreachable', () => {
  it('reads are served up to the grace, then get 503 with Retry-After; they are debited once the ledger is back', async () => {
    await using at = stage({ monthlyRows: 1_000 });
    assert.equal(await at.debit(live('g', 1, 1, 10)), 10);
    at.ledger.state = 'down';
    assert.equal(await at.debit(live('g', 1, 1, 40)), 30, 'what lies above the known mark');
    assert.deepEqual(at.charge(live('g', 1, 1, 40)), { debited: 0 }, 'is paid once it is journaled');
    assert.equal(await at.debit(file(20)), 20);
    assert.equal(at.journal.entries.length, 2);
    const refusal = await at.refusal(file(1));
    assert.deepEqual([refusal.refused, refusal.headers], ['temporarily-unavailable', ['Retry-After', '1']]);
    assert.equal(await at.metering.usage(at.key), null);
    at.ledger.state = 'up';
    await allPaid(at.journal);
    assert.equal(await at.usedRows(), 60);
    assert.equal(await at.debit(file(1)), 1);
    at.ledger.state = 'down';
    assert.equal(await at.debit(file(50)), 50, 'the next outage begins anew');
    await at.refusal(file(1));
  });

  it('an answer that was lost is paid once', async () => {
    await using at = stage();
    at.ledger.state = 'lost';
    assert.equal(await at.debit(live('g', 1, 1, 40)), 40);
    assert.equal(await at.debit(file(20)), 20);
    at.ledger.state = 'up';
    await allPaid(at.journal);
    assert.equal(await at.usedRows(), 60);
  });

  it('a debit whose answer was lost is given back when the read is refused', async () => {
    await using at = stage({ monthlyRows: 1_000 });
    at.ledger.state = 'lost';
    assert.equal((await at.refusal(file(800))).refused, 'temporarily-unavailable');
    at.ledger.state = 'up';
    await allPaid(at.journal);
    assert.equal(await at.usedRows(), 0);
    assert.equal(await at.debit(file(800)), 800);
    assert.deepEqual(
      (await at.ledger.items(at.key.accountId, null)).items.map(({ reads }) => reads),
      [1],
    );
  });

  it('a debit that arrives after it was given back costs nothing', async () => {
    await using at = stage({ monthlyRows: 1_000, limits: { catalogDeadlineMs: 50 } });
    const { promise, resolve } = Promise.withResolvers<void>();
    at.ledger.state = promise;
    assert.equal((await at.refusal(file(800))).refused, 'temporarily-unavailable');
    at.ledger.state = 'up';
    await allPaid(at.journal);
    resolve();
    await sleep(5);
    assert.equal(await at.usedRows(), 0);
  });

  it('rows of a segment that were debited without an answer are free when they are read again', async () => {
    await using at = stage({ monthlyRows: 1_000 });
    at.ledger.state = 'lost';
    assert.equal((await at.refusal(live('g', 1, 1, 800))).refused, 'temporarily-unavailable');
    at.ledger.state = 'up';
    await until('the ledger is back', async () => (await at.metering.usage(at.key)) !== null);
    assert.equal(await at.debit(live('g', 1, 1, 800)), 0);
    assert.equal(await at.usedRows(), 800);
  });

  it('the cost of one outage counts in the next', async () => {
    await using at = stage({ monthlyRows: 1_000 });
    await at.debit(file(900));
    for (const [rows, refused] of [
      [50, null],
      [50, null],
      [1, 'quota-exhausted'],
    ] as const) {
      at.ledger.state = 'down';
      if (refused === null) assert.equal(await at.debit(file(rows)), rows);
      else assert.equal((await at.refusal(file(rows))).refused, refused);
      at.ledger.state = 'up';
      await allPaid(at.journal);
      await until('the ledger is back', async () => (await at.metering.usage(at.key)) !== null);
    }
    assert.equal(await at.usedRows(), 1_000);
  });

  it('a ledger that hangs is waited for once, by all reads together', async () => {
    await using at = stage({ limits: { catalogDeadlineMs: 50 } });
    const { promise, resolve } = Promise.withResolvers<void>();
    at.ledger.state = promise;
    const debits = await Promise.all(Array.from({ length: 300 }, () => at.debit(file(1))));
    assert.equal(debits.length, 300);
    assert.equal(at.ledger.calls.length, 1);
    assert.equal(await at.debit(file(1)), 1);
    at.ledger.state = 'up';
    resolve();
    await allPaid(at.journal);
    assert.equal(await at.usedRows(), 301);
  });

  it('an account whose quota is known to be used gets no grace', async () => {
    await using at = stage({ monthlyRows: 1_000 });
    await at.debit(file(990));
    at.ledger.state = 'down';
    assert.equal(await at.debit(file(10)), 10);
    const refusal = await at.refusal(file(1));
    assert.deepEqual([refusal.refused, refusal.members?.reset], ['quota-exhausted', '2026-09-01']);
    at.ledger.state = 'up';
    await allPaid(at.journal);
    assert.equal(await at.usedRows(), 1_000);
  });

  it('what was served belongs to the month in which it was served', async () => {
    await using at = stage();
    at.ledger.now = Date.UTC(2026, 8, 1) * 1000 - 100 * second;
    await at.debit(file(1));
    at.ledger.state = 'down';
    assert.equal(await at.debit(live('g', 1, 1, 10)), 10);
    at.clock.advance(101 * second);
    assert.equal(await at.debit(live('g', 1, 1, 10)), 10, 'in the new month it costs again');
    at.ledger.now += 101 * second;
    at.ledger.state = 'up';
    await allPaid(at.journal);
    assert.equal((await at.ledger.items(at.key.accountId, '2026-08')).usedRows, 11);
    assert.equal((await at.ledger.items(at.key.accountId, '2026-09')).usedRows, 10);
  });

  it('what was used last month does not count in an outage of this month', async () => {
    await using at = stage({ monthlyRows: 1_000 });
    at.ledger.now = Date.UTC(2026, 8, 1) * 1000 - 100 * second;
    assert.equal(await at.debit(file(950)), 950);
    at.ledger.state = 'down';
    assert.equal(await at.debit(file(20)), 20);
    at.clock.advance(101 * second);
    at.ledger.now += 101 * second;
    at.ledger.state = 'up';
    await allPaid(at.journal);
    await until('the ledger is back', async () => (await at.metering.usage(at.key)) !== null);
    at.ledger.state = 'down';
    assert.equal(await at.debit(file(40)), 40);
  });

  it('rows served before a kill are debited by the next process, which grants no second grace', async () => {
    const [ledger, journal] = [new MemoryLedger(), new MemoryJournal<Owed>()];
    const same = { ledger, journal, accountId: randomUUID(), monthlyRows: 1_000 };
    const killed = stage(same);
    ledger.state = 'down';
    assert.equal(await killed.debit(file(50)), 50);
    await killed.metering.close();
    await using next = stage(same);
    await sleep(1);
    assert.equal((await next.refusal(file(1))).refused, 'temporarily-unavailable');
    ledger.state = 'up';
    await allPaid(journal);
    assert.equal(await next.usedRows(), 50);
  });

  it('no row is served that cannot be journaled', async () => {
    await using at = stage();
    at.ledger.state = 'down';
    at.journal.full = true;
    assert.equal((await at.refusal(file(1))).refused, 'temporarily-unavailable');
    at.journal.full = false;
    assert.equal(await at.debit(file(50_000)), 50_000);
  });

  it('the journal is read once it is back, and not at each attempt', async () => {
    await using at = stage();
    at.ledger.state = 'down';
    assert.equal(await at.debit(file(1)), 1);
    const { reads } = at.journal;
    const asked = at.ledger.asked;
    await until('the ledger is asked some more times', () => at.ledger.asked > asked + 5);
    assert.ok(at.journal.reads <= reads + 1, `${at.journal.reads - reads} reads`);
    at.ledger.state = 'up';
    await allPaid(at.journal);
    assert.equal(await at.usedRows(), 1);
  });

  it('a start during the outage reads the journal once', async () => {
    const [ledger, journal] = [new MemoryLedger(), new MemoryJournal<Owed>()];
    const same = { ledger, journal, accountId: randomUUID() };
    {
      await using killed = stage(same);
      ledger.state = 'down';
      await killed.debit(file(1));
    }
    const { reads } = journal;
    await using at = stage(same);
    await until('the ledger is asked some times', () => at.ledger.asked > 8);
    assert.equal(journal.reads, reads + 1);
  });

  for (const flaw of ['unreadable', 'kept'] as const)
    it(`reads are charged again once it is back, although the journal is ${flaw}`, async () => {
      await using at = stage({ monthlyRows: 1_000 });
      at.ledger.state = 'down';
      assert.equal(await at.debit(file(50)), 50);
      await at.refusal(file(1));
      at.journal.flaw = flaw;
      at.ledger.state = 'up';
      await until('the ledger is back', async () => (await at.metering.usage(at.key)) !== null);
      assert.equal(await at.debit(file(100)), 100);
      at.journal.flaw = null;
      await allPaid(at.journal);
      assert.equal(await at.usedRows(), 150, 'and what is owed is paid once');
    });

  it('an entry that the ledger refuses for good delays no other', async () => {
    await using at = stage();
    at.ledger.state = 'down';
    for (let time = 0; time < 3; time += 1) await at.debit(file(1));
    const bad = at.journal.entries[1]?.chargeId;
    const { charge } = at.ledger;
    at.ledger.charge = (charges) => {
      if (charges.some(({ chargeId }) => chargeId === bad)) return Promise.reject(new Error('no such account'));
      return charge.call(at.ledger, charges);
    };
    at.ledger.state = 'up';
    await allPaid(at.journal);
    assert.equal(await at.usedRows(), 2);
  });
});

describe('the books', () => {
  it('are compared also where old months cannot be dropped, and those are dropped where they cannot be compared', async () => {
    const ledger = new MemoryLedger();
    const done = { compared: 0, dropped: 0 };
    const cancelled = () => Promise.reject(new Error('canceling statement due to statement timeout'));
    ledger.expire = cancelled;
    ledger.reconcile = async () => {
      done.compared += 1;
      return [];
    };
    await using _ = stage({ ledger, limits: { booksEveryMs: 1 } });
    await until('they are compared', () => done.compared > 0);
    ledger.reconcile = cancelled;
    ledger.expire = async () => {
      done.dropped += 1;
      return 0;
    };
    await until('old months are dropped', () => done.dropped > 0);
  });
});
