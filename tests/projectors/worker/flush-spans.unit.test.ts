import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import { noTracer } from '../../../core/ports/tracer.ts';
import { FlushSpans } from '../../../projectors/worker/flush-spans.ts';
import { contextOf, keepSpans } from '../../support/fakes/kept-spans.ts';

const stream = { projector: 'live', topic: 'sds.quotes.v1', partition: 3 };

function recordsOf(...contexts: (string | null)[]): DeliveredRecord[] {
  return contexts.map((traceparent, offset) => ({
    ...{ offset, timestamp: 0, key: null, value: null, bytes: new Uint8Array(), undecodable: null },
    headers: traceparent === null ? {} : { traceparent },
  }));
}

describe('the span of a flush', () => {
  it('continues the push of its first traced record, and ends with the flush', () => {
    const { tracer, spans } = keepSpans();
    const flushes = new FlushSpans(tracer, stream);
    flushes.folding(recordsOf(null, contextOf(1), contextOf(1))).end();
    const flush = flushes.flushing();
    flush.child('commit', 'client').end();
    assert.deepEqual(
      spans.map(({ name, parent, ended }) => [name, parent, ended]),
      [
        ['process sds.quotes.v1', contextOf(1), undefined],
        ['fold', spans[0]?.traceparent, 'well'],
        ['commit', spans[0]?.traceparent, 'well'],
      ],
    );
    flush.end('Fenced');
    assert.equal(spans[0]?.ended, 'Fenced');
  });

  it('is linked with one in the trace of each other push', () => {
    const { tracer, spans } = keepSpans();
    const flushes = new FlushSpans(tracer, stream);
    flushes.folding(recordsOf(contextOf(1), contextOf(2)));
    flushes.folding(recordsOf(contextOf(3), contextOf(2)));
    const [first, second, third] = spans.filter(({ name }) => name.startsWith('process'));
    assert.deepEqual(first?.links, [contextOf(2), contextOf(3)]);
    assert.deepEqual([second?.parent, second?.links], [contextOf(2), [first?.traceparent]]);
    assert.deepEqual([third?.parent, third?.links], [contextOf(3), [first?.traceparent]]);
    flushes.flushing().end();
    assert.ok([first, second, third].every((span) => span?.ended === 'well'));
  });

  it('gives what becomes visible of a key the trace of the first push with a record of it', () => {
    const { tracer, spans } = keepSpans();
    const flushes = new FlushSpans(tracer, stream);
    const keyed = (key: string | null, context: string | null) => ({ ...recordsOf(context)[0]!, key });
    flushes.folding([keyed('untraced', null), keyed('a', contextOf(1)), keyed('b', contextOf(1))]).end();
    flushes.folding([keyed('b', contextOf(2)), keyed('c', contextOf(2)), keyed(null, contextOf(2))]).end();
    const flush = flushes.flushing();
    const committing = flush.child('commit', 'client');
    const second = spans.find(({ parent }) => parent === contextOf(2));
    assert.deepEqual(
      [...flush.tracesOf(committing)],
      [
        ['a', committing.traceparent],
        ['b', committing.traceparent],
        ['c', second?.traceparent],
      ],
    );
    const next = flushes.flushing();
    assert.equal(next.tracesOf(next.child('commit', 'client')).size, 0);
  });

  it('is of one flush: what is folded after it began belongs to the next', () => {
    const { tracer, spans } = keepSpans();
    const flushes = new FlushSpans(tracer, stream);
    flushes.folding(recordsOf(contextOf(1)));
    flushes.flushing().end();
    flushes.folding(recordsOf(contextOf(2)));
    assert.deepEqual(
      spans.filter(({ links }) => links.length > 0),
      [],
    );
  });

  it('has an end to the traces it is in, and hostile headers count for nothing', () => {
    const { tracer, spans } = keepSpans();
    const flushes = new FlushSpans(tracer, stream);
    flushes.folding(recordsOf('00-', 'x'.repeat(100_000), contextOf(1).replace(/01$/, '00')));
    assert.equal(spans.length, 0);
    for (let push = 0; push < 1_000; push += 1) flushes.folding(recordsOf(contextOf(push))).end();
    assert.equal(spans.filter(({ name }) => name.startsWith('process')).length, 64);
  });

  it('is none where nothing is traced', () => {
    const flushes = new FlushSpans(noTracer, stream);
    assert.equal(flushes.folding(recordsOf(contextOf(1))).traceparent, null);
    assert.equal(flushes.flushing().child('commit', 'client').traceparent, null);
  });
});
