// Dead letters of the fold: each names its quote, and a record that loses thousands of quotes is not stored thousands of times.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import type { GameState } from '../../../core/live/game-state.ts';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import type { DeadLetter } from '../../../core/ports/catalog/dead-letters.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { noLiveChanges } from '../../../projectors/live/changes.ts';
import { liveProjector } from '../../../projectors/live/live-projector.ts';
import { deadLettersOf as msfLettersOf } from '../../../projectors/revisions/dead-letters.ts';
import { revisionsProjector } from '../../../projectors/revisions/revisions-projector.ts';
import { mostDeadLetters, mostPartBytes } from '../../../projectors/worker/record-dead-letters.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import type { QuotesRecord, RawQuote } from '../../../schemas/events/quotes.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { delta, gameImage, image, quote, t0, uuid, withdrawn } from '../../support/builders/live-records.ts';
import { KeptCommits } from '../../support/folds/flushed-projector.ts';
import { foldRecord } from '../../support/folds/fold-record.ts';

/** The dead letters of the last of these records, all changes, and the refusals in its receipt. */
function buried(...values: QuotesRecord[]) {
  const records = values.map(
    (value, offset): DeliveredRecord => ({
      offset,
      timestamp: t0,
      key: uuid,
      headers: {},
      value,
      bytes: new Uint8Array(),
      undecodable: null,
    }),
  );
  const changes = noLiveChanges();
  const live = { partition: 0, games: new Map(), touched: new Set<GameState>(), closed: new Set<string>() };
  for (const record of records) foldRecord(live, changes, record);
  const letters = changes.deadLetters.filter(({ offset }) => offset === values.length - 1);
  const [receipt] = [...changes.receipts.values()].slice(-1);
  const shown = receipt?.records.at(-1)?.refusals ?? [];
  return { letters, changes, shown, records };
}

const bytesOf = (letters: readonly DeadLetter[]) => letters.reduce((sum, { payload }) => sum + payload.length, 0);
const textOf = (letter: DeadLetter | undefined) => Buffer.from(letter?.payload ?? []).toString();
/** The value that a JSON pointer names in a record. */
const at = (record: unknown, pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .reduce((value, token) => (value as Record<string, unknown>)[token], record);

it('holds the whole record in its first letter, and the quote in the others', () => {
  const bad = Array.from({ length: 3_000 }, (_, index) => quote(`s${index}`, 5));
  const value = image('x', [quote('home', -110), ...bad]);
  const { letters } = buried(value);
  assert.equal(letters.length, 3_000);
  assert.equal(textOf(letters[0]), JSON.stringify(value));
  const last = letters.at(-1);
  assert.deepEqual([last?.code, last?.pointer.startsWith('/observation/operators/0/quotes/3000')], ['bad-price', true]);
  assert.equal((JSON.parse(textOf(last)) as { selection: string }).selection, 's2999');
});

it('names the very quote that cannot be withdrawn, whatever stands before it, in its letter and in the receipt', () => {
  const value = delta('x', [quote('home', 5), withdrawn('away')]);
  const entries = value.observation?.operators ?? [];
  entries.push({ operator: 'X', quotes: [quote('draw', -110), withdrawn('away'), withdrawn('nobody')] });
  const { letters, shown } = buried(value);
  const expected = [
    ['bad-price', '/observation/operators/0/quotes/0'],
    ['duplicate-selection', '/observation/operators/1/quotes/1'],
    ['unknown-selection', '/observation/operators/0/quotes/1'],
    ['unknown-selection', '/observation/operators/1/quotes/2'],
  ];
  assert.deepEqual(
    letters.map(({ code, pointer }) => [code, pointer]),
    expected,
  );
  assert.deepEqual(
    shown.map(({ code, pointer }) => [code, pointer]),
    expected,
  );
  assert.deepEqual(JSON.parse(textOf(letters[3])), withdrawn('nobody'));
});

it('names the very operator that is of another source', () => {
  const owned = image('B', [quote('home', -110)]);
  const { letters } = buried(owned, gameImage({ C: [], A: [], b: [quote('home', -120)] }, { source: 'other' }));
  assert.deepEqual(
    letters.map(({ code, pointer }) => [code, pointer]),
    [['other-source', '/observation/operators/2']],
  );
});

// Claim: whatever is refused in a record, each dead letter names it, and all letters together keep little more than the
// record itself. A violation would need a pointer to a whole list, with which each letter would keep the record.
it('keeps little of a record in all, and the flush knows how much', () => {
  const some = fc.constantFrom(1, 3, 40, 700);
  const quotes = fc.array(
    fc.record({ name: fc.nat(60), length: some, of: fc.constantFrom(withdrawn, (name: string) => quote(name, 5)) }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(quotes, fc.constantFrom(1, 30, 120), (some, times) => {
      const all: RawQuote[] = Array.from({ length: times }, (_, time) =>
        some.map(({ name, length, of }) => of(`${name} ${time % 90} ${'x'.repeat(length)}`)),
      ).flat();
      const value = delta('x', all.slice(0, 5_000));
      const { letters, changes, records } = buried(value);
      const whole = JSON.stringify(value).length;
      assert.ok(bytesOf(letters.slice(0, 1)) <= whole);
      assert.ok(bytesOf(letters.slice(1)) <= mostPartBytes + 120 * letters.length);
      assert.ok(changes.deadLetterBytes >= bytesOf(letters) + 400 * letters.length);
      const projector = liveProjector(new KeptCommits()).open(0, null);
      runToEnd(projector.folding(records));
      assert.equal(projector.weight, changes.deadLetterBytes);
      for (const [index, letter] of letters.entries()) {
        const named = at(value, letter.pointer) as RawQuote;
        assert.equal(typeof named.selection, 'string', letter.pointer);
        const text = textOf(letter);
        if (index > 0 && !text.startsWith('{"payload_cut":')) assert.deepEqual(JSON.parse(text), named);
      }
    }),
    { numRuns: cases(60) },
  );
});

it('says of a payload what was cut, and where the rest is', () => {
  const all = Array.from({ length: 5_000 }, (_, index) => withdrawn(`${index} ${'x'.repeat(1_000)}`));
  const { letters } = buried(delta('x', all));
  assert.equal(letters.length, 5_000);
  assert.ok(bytesOf(letters.slice(1)) < mostPartBytes + 5_000 * 120);
  assert.match(textOf(letters.at(-1)), /^\{"payload_cut":"1\d{3} bytes; the first letter of this record holds it"\}$/);
  assert.match(letters.at(-1)?.pointer ?? '', /quotes\/4999$/);
});

it('has a letter for no more operators than anybody can read, and tells of the others', () => {
  const value = gameImage({ x: [] });
  value.observation?.operators.push(...Array.from({ length: 60_000 }, () => ({ operator: '?', quotes: [] })));
  const { letters, shown } = buried(value);
  assert.equal(letters.length, mostDeadLetters);
  assert.match(letters.at(-1)?.detail ?? '', /; 40000 more refusals of this record have no letter$/);
  assert.equal(shown.length, 6_000, 'the receipt does not name them all either');
});

it('keeps little of an observation of MSF too, and the flush knows how much', () => {
  const element = 'x'.repeat(900_000);
  const record = { element } as unknown as ObservationsRecord;
  const refusals = Array.from({ length: 11 }, (_, index) => ({ code: 'bad-value', pointer: `/${index}`, detail: '' }));
  const delivered: DeliveredRecord = {
    offset: 0,
    timestamp: t0,
    key: null,
    headers: {},
    value: record,
    bytes: new Uint8Array(1_000),
    undecodable: 'cut off',
  };
  const letters = msfLettersOf(0, delivered, record, refusals);
  assert.equal(letters.length, 11);
  const whole = JSON.stringify(record);
  assert.deepEqual(letters.slice(0, 3).map(textOf), [whole, whole, whole]);
  assert.ok(bytesOf(letters) <= whole.length + mostPartBytes + 11 * 120);
  assert.match(textOf(letters[10]), /payload_cut/);

  const projector = revisionsProjector(new KeptCommits()).open(0, null);
  runToEnd(projector.folding([delivered]));
  assert.ok(projector.weight >= 1_000);
});
