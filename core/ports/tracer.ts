// Traces: what the service did for one push, as spans that continue each other across processes. A span that is not recorded costs nothing and
// leaves nothing behind: it has no context to pass on, and its children are not recorded either. Attributes name no game, key or address.
import type { Fields } from './telemetry.ts';

export type SpanKind = 'server' | 'producer' | 'consumer' | 'client' | 'internal';
export type Attributes = Readonly<Record<string, string | number>>;

export interface Span {
  /** The W3C `traceparent` for those who continue it elsewhere; null: it is not recorded. */
  readonly traceparent: string | null;
  /** The fields that tie a line of the log to its trace. */
  readonly fields: Fields;
  child(name: string, kind: SpanKind, attributes?: Attributes): Span;
  set(attributes: Attributes): void;
  /** It also belongs to what another span did. */
  link(traceparent: string): void;
  /** `failure`: the kind of error it ended with, never its text. */
  end(failure?: string): void;
}

export interface Tracer {
  /** Whether any span may be recorded. */
  readonly isOn: boolean;
  /** Begins a span that continues `parent`, a `traceparent`; null or not well-formed: it begins a trace. */
  start(name: string, kind: SpanKind, parent: string | null, attributes?: Attributes): Span;
}

export const noSpan: Span = {
  traceparent: null,
  fields: {},
  child: () => noSpan,
  set() {},
  link() {},
  end() {},
};

export const noTracer: Tracer = { isOn: false, start: () => noSpan };

/** Does the work, and ends the span with it. */
export function within<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  return work().then(
    (result) => {
      span.end();
      return result;
    },
    (error: unknown) => {
      span.end(nameOfFailure(error));
      throw error;
    },
  );
}

export function nameOfFailure(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
