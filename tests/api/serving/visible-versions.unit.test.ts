import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'vitest';
import { openVisibleVersions, type VisibleVersions } from '../../../api/serving/visible-versions.ts';
import { contextOf, type KeptSpan, keepSpans } from '../../support/fakes/kept-spans.ts';

const traceparent = contextOf(1);
const version = (number: number, generation = 1) => ({ gameUuid: 'a', generation, version: number });

let visible: VisibleVersions;
let spans: KeptSpan[];

beforeEach(() => {
  const kept = keepSpans();
  spans = kept.spans;
  visible = openVisibleVersions(kept.tracer);
});

describe('a version is visible', () => {
  it('at once where none is in memory that could be answered instead', () => {
    visible.noticed({ ...version(2), traceparent }, false);
    assert.deepEqual(
      spans.map(({ parent, ended }) => [parent, ended]),
      [[traceparent, 'well']],
    );
  });

  it('once it, or a newer one, is in memory', () => {
    visible.noticed({ ...version(2), traceparent }, true);
    visible.served(version(1));
    visible.served({ ...version(9), gameUuid: 'b' });
    assert.equal(spans[0]?.ended, undefined);
    visible.served(version(3));
    assert.equal(spans[0]?.ended, 'well');
    visible.noticed({ ...version(4), traceparent }, true);
    visible.served(version(1, 2));
    assert.equal(spans[1]?.ended, 'well');
  });

  it('in no span where its commit is not traced', () => {
    visible.noticed(version(2), true);
    assert.deepEqual(spans, []);
  });
});
