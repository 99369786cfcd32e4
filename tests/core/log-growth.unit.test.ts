import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type Counts, planGrowth, unclaimed } from '../../core/log-growth.ts';
import type { LogLayout } from '../../core/ports/catalog/log-layouts.ts';
import { topics } from '../../schemas/events/topics.ts';

const counts = (quotes: number, observations = quotes): Counts => ({
  [topics.quotes]: quotes,
  [topics.observations]: observations,
});
const layoutOf = (layout: number, quotes: number, observations = quotes): LogLayout => ({
  layout,
  partitions: counts(quotes, observations),
});

describe('planning how partitions are added', () => {
  it('adds to each topic what it lacks, and counts the layouts', () => {
    assert.deepEqual(planGrowth(counts(4, 6), layoutOf(2, 4, 6), 8), {
      kind: 'grow',
      layout: layoutOf(3, 8),
      adds: [
        { topic: topics.quotes, from: 4, to: 8 },
        { topic: topics.observations, from: 6, to: 8 },
      ],
    });
  });

  it('goes on where it was interrupted: partitions that are there are not added again', () => {
    assert.deepEqual(planGrowth(counts(8, 4), layoutOf(0, 4), 8), {
      kind: 'grow',
      layout: layoutOf(1, 8),
      adds: [{ topic: topics.observations, from: 4, to: 8 }],
    });
    assert.deepEqual(planGrowth(counts(12), layoutOf(0, 4), 8), { kind: 'grow', layout: layoutOf(1, 8), adds: [] });
  });

  it('does nothing twice, and takes no partition away that games use', () => {
    assert.deepEqual(planGrowth(counts(9), layoutOf(1, 8), 8), { kind: 'done' });
    assert.deepEqual(planGrowth(counts(9), layoutOf(1, 6, 8), 7), {
      kind: 'refused',
      topic: topics.observations,
      partitions: 8,
    });
  });
});

describe('the partitions without an owner', () => {
  it('are those of the layout without a claim of the projector that folds them', () => {
    const claimed = [
      { projector: 'live', topic: topics.quotes, partition: 0 },
      { projector: 'live', topic: topics.quotes, partition: 1 },
      { projector: 'revisions', topic: topics.observations, partition: 1 },
      { projector: 'reference', topic: topics.games, partition: 0 },
    ];
    assert.deepEqual(unclaimed(layoutOf(1, 2), claimed), [
      { projector: 'revisions', topic: topics.observations, partition: 0 },
    ]);
    assert.equal(unclaimed(layoutOf(1, 3), []).length, 6);
  });
});
