// Freshness by source: the age of the oldest record of each at its commit; sources without end make no series without end.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import type { Meter } from '../../../core/ports/meter.ts';
import { FlushMeasures } from '../../../projectors/worker/flush-measures.ts';

const record = (source: string, timestamp: number) =>
  ({ headers: { source }, timestamp }) as unknown as DeliveredRecord;

function measured() {
  const seen: [string, string, number][] = [];
  const meter: Meter = {
    add() {},
    counter: () => () => {},
    series: () => () => {},
    observe(name, labels, value) {
      if (name === 'sds_freshness_seconds') seen.push([name, (labels as { source: string }).source, value]);
    },
  };
  return { seen, measures: new FlushMeasures('live', meter) };
}

it('a flush tells the age of the oldest record of each source, once, and nothing of ticks', () => {
  const { seen, measures } = measured();
  measures.folded([record('a', 5_000_000), record('b', 6_000_000), record('a', 4_000_000), record('', 1)]);
  measures.flushed(0.1, 10, 7_000_000);
  measures.flushed(0.1, 10, 9_000_000);
  assert.deepEqual(seen, [
    ['sds_freshness_seconds', 'a', 3],
    ['sds_freshness_seconds', 'b', 1],
  ]);
});

it('what a direct producer calls a source, and is none, is no label', () => {
  const { seen, measures } = measured();
  measures.folded([record('svc_live_Secret', 0), record('10.0.0.1', 0)]);
  measures.flushed(0.1, 10, 1_000_000);
  assert.deepEqual(
    seen.map(([, source]) => source),
    ['_other'],
  );
});

it('sources beyond the hundredth are told together', () => {
  const { seen, measures } = measured();
  measures.folded(Array.from({ length: 150 }, (_, at) => record(`s${at}`, 0)));
  measures.flushed(0.1, 10, 1_000_000);
  assert.equal(seen.length, 101);
  assert.equal(seen.at(-1)?.[1], '_other');
});
