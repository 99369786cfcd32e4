// Claim: a reader that follows cursors sees each row after its start exactly once, however the writer batches and
// however often it polls. After a rebuild its next poll is refused; it starts again at 0:0 and sees each row of the new
// log exactly once. A violation would need listAfter to skip the new rows of the cursor's own segment (from_row), list
// a segment twice, take an old log's position for one of the new log, or refuse a cursor of the current log.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import {
  beforeEverything,
  type Cursor,
  formatCursor,
  headOf,
  listAfter,
  parseCursor,
} from '../../../core/live/cursor.ts';
import type { LogSegment } from '../../../core/live/log-state.ts';

/** What happens to the log: rows are appended, sometimes with a cut, the log is rebuilt, or the reader polls. */
type Step = { append: number; cut: boolean } | 'rebuild' | 'poll';

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ append: fc.integer({ min: 1, max: 20 }), cut: fc.boolean() }) },
    { weight: 4, arbitrary: fc.constant('poll' as const) },
    { weight: 1, arbitrary: fc.constant('rebuild' as const) },
  ),
  { maxLength: 60 },
);

/** The most segments in one listing. */
const mostListed = fc.constantFrom(1, 2, 3, 512);

it('sees each row exactly once by following cursors, through rebuilds', () => {
  fc.assert(
    fc.property(steps, mostListed, (history, most) => {
      const log = new WrittenLog();
      const reader = new Reader(beforeEverything, most);
      for (const step of history) {
        if (step === 'poll') reader.poll(log);
        else if (step === 'rebuild') log.rebuild();
        else log.append(step.append, step.cut);
      }
      reader.poll(log);
      assert.deepEqual(reader.seen, log.names());
      assert.equal(reader.surprises, 0);
      const before = formatCursor(reader.cursor);
      reader.poll(log);
      assert.equal(formatCursor(reader.cursor), before, 'nothing new: the cursor is echoed');
    }),
    { numRuns: 1_000 },
  );
});

it('from any position of a log sees exactly the rows after it', () => {
  fc.assert(
    fc.property(steps, fc.nat(), fc.nat(), steps, mostListed, (before, pickSegment, pickRow, after, most) => {
      const log = new WrittenLog();
      for (const step of before) if (typeof step === 'object') log.append(step.append, step.cut);
      const segment = log.state().segments[pickSegment % Math.max(1, log.state().segments.length)];
      const from = segment === undefined ? beforeEverything : { seq: segment.seq, rows: pickRow % (segment.rows + 1) };
      const reader = new Reader(from, most);
      for (const step of after) {
        if (step === 'poll') reader.poll(log);
        else if (typeof step === 'object') log.append(step.append, step.cut);
      }
      reader.poll(log);
      const all = log.names();
      const expected = segment === undefined ? all : all.slice(all.indexOf(log.nameAt(from)) + 1);
      assert.deepEqual(reader.seen, expected, `from ${formatCursor(from)}`);
      assert.equal(reader.surprises, 0);
    }),
    { numRuns: 1_000 },
  );
});

/** A log whose rows have names: `generation/seq/row`. */
class WrittenLog {
  #generation = 1;
  #firstSeq = 1;
  #segments: LogSegment[] = [];

  append(rows: number, cut: boolean): void {
    const last = this.#segments.at(-1);
    if (last === undefined || cut) {
      if (last !== undefined) last.closed = true;
      const seq = last === undefined ? this.#firstSeq : last.seq + 1;
      this.#segments.push({ seq, rows, closed: false, min_timestamp: 0, max_timestamp: 0 });
    } else {
      last.rows += rows;
    }
  }

  /** Starts again above the highest seq ever used. */
  rebuild(): void {
    this.#firstSeq = (this.#segments.at(-1)?.seq ?? this.#firstSeq - 1) + 1;
    this.#generation += 1;
    this.#segments = [];
  }

  /** A copy, as the instance that serves the reader has it. */
  state() {
    const segments = this.#segments.map((segment) => ({ ...segment }));
    return { generation: this.#generation, firstSeq: this.#firstSeq, segments };
  }

  names(): string[] {
    return this.#segments.flatMap(({ seq, rows }) =>
      Array.from({ length: rows }, (_, row) => this.nameAt({ seq, rows: row + 1 })),
    );
  }

  /** The name of the last row before the cursor; '' at the beginning. */
  nameAt({ seq, rows }: Cursor): string {
    if (rows > 0) return `${this.#generation}/${seq}/${rows}`;
    const before = this.#segments.find((segment) => segment.seq === seq - 1);
    return before === undefined ? '' : `${this.#generation}/${before.seq}/${before.rows}`;
  }
}

/** Follows cursors as a client does: as text, and from 0:0 again when an answer says so. */
class Reader {
  seen: string[] = [];
  cursor: Cursor;
  /** Refusals although the log was not rebuilt. */
  surprises = 0;
  #generation = 1;
  readonly #most: number;

  constructor(from: Cursor = beforeEverything, most = 512) {
    this.cursor = from;
    this.#most = most;
  }

  poll(log: WrittenLog): void {
    const held = log.state();
    const answer = listAfter(held, parseCursor(formatCursor(this.cursor)), this.#most);
    if (answer.kind === 'refused') {
      if (this.#generation === held.generation) this.surprises += 1;
      this.seen = [];
      this.cursor = beforeEverything;
      this.#generation = held.generation;
      this.poll(log);
      return;
    }
    // A reader at 0:0 has read nothing of the old log, so it gets no reset.
    if (this.cursor.seq === 0) this.#generation = held.generation;
    for (const { seq, rows, from_row } of answer.segments) {
      for (let row = from_row ?? 0; row < rows; row += 1) this.seen.push(log.nameAt({ seq, rows: row + 1 }));
    }
    this.cursor = answer.cursor;
    // A full listing says so, and its cursor leads to the rest.
    assert.ok(answer.segments.length <= this.#most);
    if (answer.omitted > 0) this.poll(log);
    else if (answer.segments.length > 0) assert.deepEqual(answer.cursor, headOf(held));
  }
}
