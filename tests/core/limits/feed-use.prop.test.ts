// Claim: however several gateways hold, keep, give up, write or fail to write amounts, on any day, the sums are the amounts kept and
// written; a single gateway never exceeds a quota; and a killed gateway loses only what it kept since its last batch. A violation would
// need an amount that is given up and still counted, a batch that is lost or written twice, an amount counted both in the sums and beside
// them, or one counted on another day.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { isWithin, nextUtcDay, partWithin, utcDayOf } from '../../../core/limits/feed-quotas.ts';
import { FeedUseTable } from '../../../core/limits/feed-use.ts';
import type { UseCount } from '../../../core/ports/catalog/feed-use.ts';
import { cases } from '../../support/arbitraries/cases.ts';

const quotas = { bytes: 100, letters: 10 };
const days = ['2026-11-22', '2026-11-23', '2026-11-24'];

type Step =
  | { kind: 'push'; gateway: number; key: string; bytes: number; letters: number; kept: boolean; lingers: boolean }
  | { kind: 'write'; gateway: number; fails: boolean }
  | { kind: 'midnight' }
  /** The push in progress for the longest time ends, on any later day. */
  | { kind: 'end' }
  | { kind: 'kill'; gateway: number };

const gatewayOf = (gateways: number) => fc.nat(gateways - 1);
const step = (gateways: number): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('push' as const),
        gateway: gatewayOf(gateways),
        key: fc.constantFrom('a', 'b'),
        bytes: fc.nat(60),
        letters: fc.nat(6),
        kept: fc.boolean(),
        lingers: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('write' as const),
        gateway: gatewayOf(gateways),
        fails: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'midnight' as const }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'end' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), gateway: gatewayOf(gateways) }) },
  );

type Kept = { gateway: number; key: string; day: string; bytes: number; letters: number; written: boolean };
type Under = { gateway: number; key: string; day: string; bytes: number; letters: number; kept: boolean };

/** The expected sums, computed from a list of all added amounts. */
class Sums {
  readonly added: UseCount[] = [];
  of(key: string, day: string, name: string): number {
    return this.added
      .filter((each) => each.keyId === key && each.day === day && each.name === name)
      .reduce((sum, { amount }) => sum + amount, 0);
  }
  add(counts: readonly UseCount[]): UseCount[] {
    this.added.push(...counts);
    return counts.map((count) => ({ ...count, amount: this.of(count.keyId, count.day, count.name) }));
  }
}

function play(gateways: number, steps: readonly Step[]): void {
  const sums = new Sums();
  const tables = Array.from({ length: gateways }, () => new FeedUseTable());
  let kept: Kept[] = [];
  let under: Under[] = [];
  let day = 0;
  const tableOf = (gateway: number) => tables[gateway] as FeedUseTable;
  const keptOf = (key: string, on: string, name: 'bytes' | 'letters') =>
    kept.filter((each) => each.key === key && each.day === on).reduce((sum, each) => sum + each[name], 0);

  function end(push: Under): void {
    const table = tableOf(push.gateway);
    for (const name of ['bytes', 'letters'] as const) {
      table.hold(push.key, push.day, name, -push[name]);
      if (push.kept) table.count(push.key, push.day, 'used', name, push[name]);
    }
    if (push.kept) kept.push({ ...push, written: push.bytes + push.letters === 0 });
  }

  for (const each of steps) {
    const today = days[day] as string;
    if (each.kind === 'midnight') day = Math.min(day + 1, days.length - 1);
    if (each.kind === 'kill') {
      tables[each.gateway] = new FeedUseTable();
      kept = kept.filter(({ gateway, written }) => gateway !== each.gateway || written);
      under = under.filter(({ gateway }) => gateway !== each.gateway);
    }
    if (each.kind === 'write') {
      const table = tableOf(each.gateway);
      const counts = table.take();
      if (each.fails) table.notWritten(counts);
      else {
        table.written(counts, sums.add(counts));
        for (const push of kept) if (push.gateway === each.gateway) push.written = true;
      }
    }
    if (each.kind === 'push') {
      const { gateway, key } = each;
      const table = tableOf(gateway);
      if (!table.isKnown(key, today)) {
        // As a gateway does before it accepts a push: it counts the request, writes, and receives the sums.
        table.count(key, today, 'used', 'requests', 1);
        const counts = table.take();
        table.written(counts, sums.add(counts));
        for (const push of kept) if (push.gateway === gateway) push.written = true;
      }
      assert.ok(table.isKnown(key, today));
      if (!isWithin(quotas.bytes, table.used(key, today, 'bytes'), each.bytes)) continue;
      const letters = partWithin(quotas.letters, table.used(key, today, 'letters'), each.letters);
      const push = { gateway, key, day: today, bytes: each.bytes, letters, kept: each.kept };
      for (const name of ['bytes', 'letters'] as const) table.hold(key, today, name, push[name]);
      if (each.lingers) under.push(push);
      else end(push);
    }
    if (each.kind === 'end') for (const push of under.splice(0, 1)) end(push);
    if (gateways > 1) continue;
    for (const key of ['a', 'b'])
      for (const name of ['bytes', 'letters'] as const) {
        const on = days[day] as string;
        const stands = keptOf(key, on, name);
        assert.ok(stands <= quotas[name], `${name} of ${key}: ${stands}`);
        if (!tableOf(0).isKnown(key, on)) continue;
        const held = under.filter((push) => push.key === key && push.day === on);
        const holds = held.reduce((sum, push) => sum + push[name], 0);
        assert.equal(tableOf(0).used(key, on, name), stands + holds, `${name} of ${key} as its gateway has it`);
      }
  }
  for (const push of under) end(push);
  for (const table of tables) {
    const counts = table.take();
    table.written(counts, sums.add(counts));
  }
  for (const key of ['a', 'b'])
    for (const on of days)
      for (const name of ['bytes', 'letters'] as const)
        assert.equal(sums.of(key, on, name), keptOf(key, on, name), `${name} of ${key} on ${on}`);
}

describe('what feed keys use', () => {
  for (const gateways of [1, 2, 3])
    it(`is what was kept and written, by ${gateways} gateways`, () => {
      fc.assert(
        fc.property(fc.array(step(gateways), { maxLength: 60 }), (steps) => play(gateways, steps)),
        { numRuns: cases(2_000) },
      );
    });

  it('is within a quota up to its last one, and beyond it nothing more is, however far', () => {
    assert.deepEqual([isWithin(10, 7, 3), isWithin(10, 7, 4), isWithin(10, 12, 0)], [true, false, false]);
    assert.deepEqual([partWithin(10, 7, 2), partWithin(10, 7, 4), partWithin(10, 12, 4)], [2, 3, 0]);
  });

  it('of a day begins anew at midnight UTC, which is never more than a day away', () => {
    fc.assert(
      fc.property(fc.nat({ max: 4_000_000_000_000 }), fc.boolean(), (some, isMidnight) => {
        const ms = isMidnight ? some - (some % 86_400_000) : some;
        const now = ms * 1_000;
        const { at, seconds } = nextUtcDay(now);
        assert.equal(utcDayOf(now), new Date(ms).toISOString().slice(0, 10));
        assert.equal(utcDayOf(at), new Date(ms + 86_400_000).toISOString().slice(0, 10));
        assert.ok(seconds >= 1 && seconds <= 86_400 && at <= now + seconds * 1_000_000);
        assert.equal(at % 86_400_000_000, 0);
      }),
    );
  });
});
