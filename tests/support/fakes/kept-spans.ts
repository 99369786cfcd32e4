// A tracer that keeps its spans in memory in the order in which they begin; their ids are their numbers.
import type { Attributes, Span, SpanKind, Tracer } from '../../../core/ports/tracer.ts';
import { readTraceparent, traceparentOf } from '../../../core/traceparent.ts';

export type KeptSpan = {
  name: string;
  kind: SpanKind;
  parent: string | null;
  traceparent: string;
  attributes: Attributes;
  links: string[];
  /** How it ended; undefined: it is still open. */
  ended: 'well' | string | undefined;
};

/** The context of a push about which nothing else is known. */
export function contextOf(number: number): string {
  const id = number.toString(16).padStart(16, 'a');
  return traceparentOf({ traceId: id + id, spanId: id });
}

export function keepSpans(): { tracer: Tracer; spans: KeptSpan[] } {
  const spans: KeptSpan[] = [];
  function start(name: string, kind: SpanKind, parent: string | null, attributes: Attributes = {}): Span {
    const spanId = (spans.length + 1).toString(16).padStart(16, '0');
    const traceId = readTraceparent(parent)?.traceId ?? spanId + spanId;
    const traceparent = traceparentOf({ traceId, spanId });
    const kept: KeptSpan = { name, kind, parent, traceparent, attributes, links: [], ended: undefined };
    spans.push(kept);
    return {
      traceparent,
      fields: { trace_id: traceId },
      child: (named, how, more) => start(named, how, traceparent, more),
      set(more) {
        kept.attributes = { ...kept.attributes, ...more };
      },
      link: (other) => void kept.links.push(other),
      end(failure = 'well') {
        kept.ended = failure;
      },
    };
  }
  return { tracer: { isOn: true, start }, spans };
}
