// The header in which a trace crosses processes, in the form of W3C's Trace Context, version 00.

export type TraceContext = { traceId: string; spanId: string; isSampled: boolean };

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const noTrace = /^0+$/;

/** What the header says; null: nothing that counts. */
export function readTraceparent(text: string | null | undefined): TraceContext | null {
  const found = text?.length === 55 ? form.exec(text) : null;
  const [, traceId = '', spanId = '', flags = ''] = found ?? [];
  if (found === null || noTrace.test(traceId) || noTrace.test(spanId)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The header of a span that is recorded. */
export function traceparentOf({ traceId, spanId }: Pick<TraceContext, 'traceId' | 'spanId'>): string {
  return `00-${traceId}-${spanId}-01`;
}
