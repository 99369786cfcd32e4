// The common parts of elements in every quotes format: their size, time and names, and the frame of the observation that an accepted one
// becomes.
import { canonicalSha256, hashingCanonical } from '../../core/json/canonical.ts';
import type { ElementSpan } from '../../core/json/scan.ts';
import type { JsonValue } from '../../core/json/value.ts';
import { recordIdOfKey, sha256OfKey } from '../../core/quotes/record-id.ts';
import { sourceTimeRefusal } from '../../core/quotes/source-time.ts';
import type { QuoteRefusal, RefusalCode } from '../../core/quotes/types.ts';
import type { Task } from '../../core/scheduling/task.ts';
import { nearestMicros } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import {
  type AdaptedElement,
  type AdaptedPush,
  type ElementFrame,
  mostRefusals,
  mostWarnings,
  type PushContext,
} from './adapted.ts';
import { type OpenedBody, unlessNotJson } from './json-body.ts';

/** Most bytes of an element as received, inflated. docs/quotes.md#the-native-event. */
export const maxElementBytes = 900_000;

/** Longer names and ids are refused; they would not fit the catalog's keys. */
const maxNameLength = 256;

/** A name or id that can be stored: a non-empty Unicode string without U+0000; null for any other value. */
export function readName(value: JsonValue): string | null {
  if (typeof value !== 'string' || value === '' || value.length > maxNameLength) return null;
  return value.isWellFormed() && !value.includes('\0') ? value : null;
}

/** A time to compare with bounds; one out of range is clamped to the range of micros. */
export function readTime(value: JsonValue): Micros | null {
  return typeof value === 'string' ? nearestMicros(value) : null;
}

export const commenceTimeForm = 'RFC 3339 from 1970 to 2199, as 2026-12-01T01:20:00Z';

/** The form of a name or id that can be stored, for messages. */
export const nameForm = `1 to ${maxNameLength} characters`;

/** A fault in the shape of an event: `badAt` is the pointer of the member. */
export type WrongEvent = { badAt: string; detail: string };

/** The frame of the element at `index` of a list whose elements are at `spans`. */
function frameOf(index: number, spans: readonly ElementSpan[]): ElementFrame {
  const { start, end } = spans[index] as ElementSpan;
  return { index, start, end, sha256: null };
}

/** Adapts the elements of a push one by one; stops after more refusals than a push may have. */
export function* adaptElements(
  count: number,
  adapt: (index: number) => Task<AdaptedElement>,
): Task<Extract<AdaptedPush, { kind: 'elements' }>> {
  const adapted = new AdaptedElements();
  for (let index = 0; index < count; index += 1) {
    if (!(yield* adapted.add(yield* adapt(index)))) break;
  }
  return adapted.push();
}

/** `adaptElements` for a list that is read from the body step by step. What was parsed of an element is released once it is adapted. */
export function* adaptList(
  { spans, elements }: Extract<OpenedBody, { kind: 'opened' }>,
  list: readonly JsonValue[],
  adapt: (element: JsonValue, frame: ElementFrame) => Task<AdaptedElement>,
): Task<AdaptedPush> {
  const adapted = new AdaptedElements();
  const read = yield* unlessNotJson(
    elements(list, function* (element, index) {
      return yield* adapted.add(yield* adapt(element, frameOf(index, spans)));
    }),
  );
  return read.kind === 'malformed' ? read : adapted.push();
}

class AdaptedElements {
  readonly #elements: AdaptedElement[] = [];
  #refusals = 0;
  #warnings = 0;

  /** Adds an element. Returns whether more may follow. */
  *add(element: AdaptedElement): Task<boolean> {
    this.#refusals += element.refusals.length;
    this.#elements.push(this.#withinWarnings(element));
    yield;
    return this.#refusals <= mostRefusals;
  }

  push(): Extract<AdaptedPush, { kind: 'elements' }> {
    const warningsMore = Math.max(0, this.#warnings - mostWarnings);
    return { kind: 'elements', elements: this.#elements, warningsMore };
  }

  #withinWarnings(element: AdaptedElement): AdaptedElement {
    if (element.kind === 'refused' || element.warnings.length === 0) return element;
    const left = Math.max(0, mostWarnings - this.#warnings);
    this.#warnings += element.warnings.length;
    return element.warnings.length <= left ? element : { ...element, warnings: element.warnings.slice(0, left) };
  }
}

export function refuse(frame: ElementFrame, code: RefusalCode, pointer: string, detail: string) {
  return { ...frame, kind: 'refused', refusals: [{ code, pointer, detail }], gameId: null } as const;
}

/**
 * The source time of an element: `own` (its member, or its wrapper's) if given, otherwise the header's; null: receive-timed. Refusals in
 * the order of docs/quotes.md: `forbidden-time`, `bad-time`, `future-observation`.
 */
export function readSourceTime(
  own: JsonValue,
  pointer: string,
  context: PushContext,
): { observedAt: Micros | null } | { refusal: QuoteRefusal } {
  const given = own ?? context.observedAt;
  if (given === null) return { observedAt: null };
  if (!context.mayBackfill) {
    return {
      refusal: {
        code: 'forbidden-time',
        pointer,
        detail: 'a source time needs a feed key with the scope backfill: leave it out where the event is of now',
      },
    };
  }
  const observedAt = readTime(given);
  const refusal = sourceTimeRefusal(observedAt, context.receivedAt, own === null ? '' : pointer);
  return refusal === null ? { observedAt } : { refusal };
}

/** Up to this size, hashing the whole text of an element at once is faster. */
const hashedAtOnce = 64 * 1024;

/** What identifies an element when it is sent again: its digest, and its record id if the push had a key (docs/quotes.md#duplicates). */
export function* identifying(
  element: JsonValue,
  { index, start, end }: ElementFrame,
  context: PushContext,
): Task<{ sha256: string; record_id: string | null }> {
  const sha256 = end - start > hashedAtOnce ? yield* hashingCanonical(element) : canonicalSha256(element);
  const { source, idempotencyKey: key } = context;
  if (key === null) return { sha256, record_id: null };
  return { sha256, record_id: recordIdOfKey({ source, keySha256: sha256OfKey(key), index, sha256 }) };
}
