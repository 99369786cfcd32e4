// Since when the service is degraded, and who sees it (docs/operations.md#health).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { mergeReports, StandingReasons } from '../../../core/health/reason.ts';

const named = (name: string, since?: number) => ({ name, detail: 'd', ...(since === undefined ? {} : { since }) });

describe('a reason', () => {
  it('begins with the first of its unbroken findings, unless the finding names its own time', () => {
    const standing = new StandingReasons();
    const sinceOf = (...at: Parameters<StandingReasons['note']>) =>
      standing.note(...at).map(({ name, since }) => [name, since]);
    assert.deepEqual(sinceOf([named('log')], 10), [['log', 10]]);
    assert.deepEqual(sinceOf([named('ticks', 3), named('log')], 20), [
      ['ticks', 3],
      ['log', 10],
    ]);
    assert.deepEqual(sinceOf([], 30), []);
    assert.deepEqual(sinceOf([named('log')], 40), [['log', 40]]);
  });

  it('is listed once, however many checks find it', () => {
    assert.equal(new StandingReasons().note([named('catalog'), named('catalog', 1)], 5).length, 1);
  });

  it('of several processes is one: since the earliest, seen by all', () => {
    const reason = (name: string, since: number) => ({ name, since, detail: `of ${since}` });
    assert.deepEqual(
      mergeReports([
        { roles: 'api', reasons: [reason('objects', 9)] },
        { roles: 'projectors', reasons: [reason('objects', 4), reason('log', 5)] },
        { roles: 'projectors', reasons: [reason('log', 6)] },
      ]),
      [
        { name: 'objects', since: 4, detail: 'of 9', seenBy: ['api', 'projectors'] },
        { name: 'log', since: 5, detail: 'of 5', seenBy: ['projectors'] },
      ],
    );
  });
});
