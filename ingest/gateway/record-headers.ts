// The headers of the records that a push becomes.

/** `traceparent` null: the push is not traced, and its records say nothing of it. */
export function recordHeaders(source: string, traceparent: string | null): Readonly<Record<string, string>> {
  return traceparent === null ? { source } : { source, traceparent };
}
