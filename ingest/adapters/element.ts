// What the elements of every quotes format have in common: their size, their time, the names they give, and the frame of the
// observation that an accepted one becomes.
import { canonicalSha256, hashingCanonical } from '../../core/json/canonical.ts';
import type { ElementSpan } from '../../core/json/scan.ts';
import type { JsonValue } from '../../core/json/value.ts';
import { recordIdOfKey } from '../../core/quotes/record-id.ts';
import { sourceTimeRefusal } from '../../core/quotes/source-time.ts';
import type { QuoteRefusal, RefusalCode } from '../../core/quotes/types.ts';
import type { Steps } from '../../core/steps.ts';
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

/** Longer names and ids than this name nothing; they would not fit the catalog's keys. */
const maxNameLength = 256;

/** A name or id that can be kept: a string, not empty, Unicode, without U+0000; null for anything else. */
export function readName(value: JsonValue): string | null {
  if (typeof value !== 'string' || value === '' || value.length > maxNameLength) return null;
  return value.isWellFormed() && !value.includes('\0') ? value : null;
}

/** A time to be held against bounds: one beyond all of them is as far as micros go. */
export function readTime(value: JsonValue): Micros | null {
  return typeof value === 'string' ? nearestMicros(value) : null;
}

export const commenceTimeForm = 'RFC 3339 from 1970 to 2199, as 2026-12-01T01:20:00Z';

/** Of what form a name or id is that can be kept. */
export const nameForm = `1 to ${maxNameLength} characters`;

/** What is wrong with the shape of an event: `badAt` points at the member. */
export type WrongEvent = { badAt: string; detail: string };

/** The frame of the element at `index` of a list whose elements stand at `spans`. */
function frameOf(index: number, spans: readonly ElementSpan[]): ElementFrame {
  const { start, end } = spans[index] as ElementSpan;
  return { index, start, end, sha256: null };
}

/** The elements of a push, each adapted on its own; none behind more refusals than a push may have. */
export function* adaptElements(
  count: number,
  adapt: (index: number) => Steps<AdaptedElement>,
): Steps<Extract<AdaptedPush, { kind: 'elements' }>> {
  const adapted = new AdaptedElements();
  for (let index = 0; index < count; index += 1) {
    if (!(yield* adapted.add(yield* adapt(index)))) break;
  }
  return adapted.push();
}

/** As `adaptElements`, of the list of a body, which holds it so. What was parsed of an element is let go once it is adapted. */
export function* adaptList(
  { spans, elements }: Extract<OpenedBody, { kind: 'opened' }>,
  list: readonly JsonValue[],
  adapt: (element: JsonValue, frame: ElementFrame) => Steps<AdaptedElement>,
): Steps<AdaptedPush> {
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

  /** Whether more may come. */
  *add(element: AdaptedElement): Steps<boolean> {
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
 * The source time of an element: `own` (its member, or its wrapper's) where given, else the header's; null: receive-timed.
 * Refusals in the order of docs/quotes.md: `forbidden-time`, `bad-time`, `future-observation`.
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

/** Up to so many bytes of an element it is the faster way to make its whole text. */
const hashedAtOnce = 64 * 1024;

/** How an element is known again: its digest, and its record id where the push carried a key (docs/quotes.md#duplicates). */
export function* identifying(
  element: JsonValue,
  { index, start, end }: ElementFrame,
  context: PushContext,
): Steps<{ sha256: string; record_id: string | null }> {
  const sha256 = end - start > hashedAtOnce ? yield* hashingCanonical(element) : canonicalSha256(element);
  const { source, idempotencyKey: key } = context;
  return { sha256, record_id: key === null ? null : recordIdOfKey({ source, key, index, sha256 }) };
}
