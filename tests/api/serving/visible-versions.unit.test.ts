import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'vitest';
import { openVisibleVersions, type VisibleVersions } from '../../../api/serving/visible-versions.ts';
import { contextOf, type KeptSpan, keepSpans } from '../../support/fakes/kept-spans.ts';

const traceparent = contextOf(1);

let visible: VisibleVersions<number>;
let spans: KeptSpan[];

beforeEach(() => {
  const kept = keepSpans();
  spans = kept.spans;
  visible = openVisibleVersions(kept.tracer, (version, than) => version > than);
});

describe('a version is visible', () => {
  it('at once where no older version is in memory', () => {
    visible.noticed('a', 2, traceparent, false);
    assert.deepEqual(
      spans.map(({ parent, ended }) => [parent, ended]),
      [[traceparent, 'well']],
    );
  });

  it('once it or a newer one is in memory', () => {
    visible.noticed('a', 2, traceparent, true);
    visible.served('a', 1);
    visible.served('b', 9);
    assert.equal(spans[0]?.ended, undefined);
    visible.served('a', 3);
    assert.equal(spans[0]?.ended, 'well');
    visible.noticed('a', 4, traceparent, true);
    visible.served('a', 4);
    assert.equal(spans[1]?.ended, 'well');
  });

  it('once a newer one is noticed, which is read with it', () => {
    visible.noticed('a', 2, traceparent, true);
    visible.noticed('a', 3, traceparent, true);
    assert.deepEqual(
      spans.map(({ ended }) => ended),
      ['well', undefined],
    );
  });

  it('without a span where its commit is not traced', () => {
    visible.noticed('a', 2, undefined, true);
    assert.deepEqual(spans, []);
  });
});
