// The spans of a partition's flushes. A flush has records of many pushes: its span continues the trace of the first, and is linked with a span of
// its own in the trace of each other, so that every push leads to its flush. What becomes visible of a game or scope continues the trace of the
// first push with a record of it. A flush without a traced push has no span.
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { StreamKey, Traces } from '../../core/ports/catalog/checkpoints.ts';
import { noSpan, type Span, type Tracer } from '../../core/ports/tracer.ts';
import { readTraceparent } from '../../core/traceparent.ts';

/** The span of a flush; the spans in the traces of its other pushes end with it. */
export type FlushSpan = Pick<Span, 'child' | 'end'> & {
  /** For each key of its traced records, what readers of its commit continue. `committing`: the span of the commit. */
  tracesOf(committing: Span): Traces;
};

/** A flush of many more pushes is found from those that came first. */
const mostTraces = 64;

export class FlushSpans {
  readonly #tracer: Tracer;
  readonly #name: string;
  readonly #attributes: Readonly<Record<string, string | number>>;
  /** By the context that it continues, the first one first. */
  #spans = new Map<string, Span>();
  /** By the key of a record, that of its first traced push. */
  #spansOfKeys = new Map<string, Span>();

  constructor(tracer: Tracer, { projector, topic, partition }: StreamKey) {
    this.#tracer = tracer;
    this.#name = `process ${topic}`;
    this.#attributes = {
      'messaging.operation.type': 'process',
      'messaging.destination.name': topic,
      'messaging.destination.partition.id': String(partition),
      'sds.projector': projector,
    };
  }

  /** The span in which these records are folded. */
  folding(records: readonly DeliveredRecord[]): Span {
    if (!this.#tracer.isOn) return noSpan;
    let isTraced = false;
    for (const { headers, key } of records) {
      const { traceparent } = headers;
      if (readTraceparent(traceparent)?.isSampled !== true) continue;
      isTraced = true;
      const span = this.#continue(traceparent as string);
      if (span !== null && key !== null && !this.#spansOfKeys.has(key)) this.#spansOfKeys.set(key, span);
    }
    return isTraced
      ? this.#first.child('fold', 'internal', { 'messaging.batch.message_count': records.length })
      : noSpan;
  }

  /** The span of the flush that begins; what is folded from now on belongs to the next one. */
  flushing(): FlushSpan {
    const [first, spans, spansOfKeys] = [this.#first, [...this.#spans.values()], this.#spansOfKeys];
    this.#spans = new Map();
    if (spansOfKeys.size > 0) this.#spansOfKeys = new Map();
    return {
      child: (name, kind, attributes) => first.child(name, kind, attributes),
      end(failure) {
        for (const span of spans) span.end(failure);
      },
      tracesOf(committing) {
        const traces = new Map<string, string>();
        for (const [key, span] of spansOfKeys) {
          const { traceparent } = span === first ? committing : span;
          if (traceparent !== null) traces.set(key, traceparent);
        }
        return traces;
      },
    };
  }

  get #first(): Span {
    const [first = noSpan] = this.#spans.values();
    return first;
  }

  #continue(traceparent: string): Span | null {
    const known = this.#spans.get(traceparent);
    if (known !== undefined || this.#spans.size >= mostTraces) return known ?? null;
    const span = this.#tracer.start(this.#name, 'consumer', traceparent, this.#attributes);
    if (span.traceparent === null) return null;
    const first = this.#first;
    if (first.traceparent !== null) {
      first.link(traceparent);
      span.link(first.traceparent);
    }
    this.#spans.set(traceparent, span);
    return span;
  }
}
