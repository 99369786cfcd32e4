import type { AdaptedPush, PushContext } from './adapted.ts';

/** A body of native events: `{"events":[…]}`, or one event a line. quotes.md, "The native event". */
export function adaptNativePush(body: Uint8Array, form: 'json' | 'ndjson', context: PushContext): AdaptedPush {
  throw new Error(`not written yet: ${body.length} ${form} ${context.source}`);
}
