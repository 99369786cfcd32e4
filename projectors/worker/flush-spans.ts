// The spans of a partition's flushes. A flush has records of many pushes: its span continues the trace of the first, and is linked with a span of
// its own in the trace of each other, so that every push leads to its flush. A flush without a traced push has no span.
import type { DeliveredRecord } from '../../core/ports/broker.ts';
import type { StreamKey } from '../../core/ports/catalog/checkpoints.ts';
import { noSpan, type Span, type Tracer } from '../../core/ports/tracer.ts';
import { readTraceparent } from '../../core/traceparent.ts';

/** The span of a flush; the spans in the traces of its other pushes end with it. */
export type FlushSpan = Pick<Span, 'child' | 'end'>;

/** A flush of many more pushes is found from those that came first. */
const mostTraces = 64;

export class FlushSpans {
  readonly #tracer: Tracer;
  readonly #name: string;
  readonly #attributes: Readonly<Record<string, string | number>>;
  /** By the context that it continues, the first one first. */
  #spans = new Map<string, Span>();

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
    for (const { headers } of records) {
      const { traceparent } = headers;
      if (readTraceparent(traceparent)?.isSampled !== true) continue;
      isTraced = true;
      this.#continue(traceparent as string);
    }
    return isTraced
      ? this.#first.child('fold', 'internal', { 'messaging.batch.message_count': records.length })
      : noSpan;
  }

  /** The span of the flush that begins; what is folded from now on belongs to the next one. */
  flushing(): FlushSpan {
    const [first, spans] = [this.#first, [...this.#spans.values()]];
    this.#spans = new Map();
    return {
      child: (name, kind, attributes) => first.child(name, kind, attributes),
      end(failure) {
        for (const span of spans) span.end(failure);
      },
    };
  }

  get #first(): Span {
    const [first = noSpan] = this.#spans.values();
    return first;
  }

  #continue(traceparent: string): void {
    if (this.#spans.has(traceparent) || this.#spans.size >= mostTraces) return;
    const span = this.#tracer.start(this.#name, 'consumer', traceparent, this.#attributes);
    if (span.traceparent === null) return;
    const first = this.#first;
    if (first.traceparent !== null) {
      first.link(traceparent);
      span.link(first.traceparent);
    }
    this.#spans.set(traceparent, span);
  }
}
