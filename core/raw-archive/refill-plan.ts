// Plans how to fill a Kafka partition so that each record gets the offset it had. A log has offsets without records: markers of
// transactions, records of aborted transactions, compacted records. No record may be written there, because a projector would fold it; the
// plan fills them with markers and aborted records again. Independent of Kafka's protocol.

/**
 * `committed`: records in a transaction of their own, whose marker takes the next offset. `void`: this many offsets of an aborted
 * transaction.
 */
export type RefillStep<R> =
  | { kind: 'records'; records: readonly R[] }
  | { kind: 'committed'; record: R }
  | { kind: 'void'; offsets: number };

type Sized = { offset: number; bytes: Uint8Array };

const mostRecords = 5_000;
const mostBytes = 900_000;

export class RefillPlan<R extends Sized> {
  #run: R[] = [];
  #bytes = 0;
  #next: number;

  /** `from`: the offset of the first record, which must be the partition's next one. */
  constructor(from: number) {
    this.#next = from;
  }

  *add(record: R): Generator<RefillStep<R>> {
    const gap = record.offset - this.#next;
    if (gap < 0) throw new RangeError(`offset ${record.offset} comes after ${this.#next}`);
    if (gap > 0) yield* this.#skip(gap);
    else if (this.#run.length >= mostRecords || this.#bytes + record.bytes.length > mostBytes) yield* this.#flush();
    this.#run.push(record);
    this.#bytes += record.bytes.length;
    this.#next = record.offset + 1;
  }

  /** `to`: the offset after the last one. */
  *end(to: number): Generator<RefillStep<R>> {
    if (to > this.#next) yield* this.#skip(to - this.#next);
    yield* this.#flush();
    this.#next = Math.max(this.#next, to);
  }

  *#skip(gap: number): Generator<RefillStep<R>> {
    // The marker of an aborted transaction needs a record before it, but a single free offset has room for a marker only.
    const last = gap === 1 ? this.#run.pop() : undefined;
    yield* this.#flush();
    if (gap > 1) yield { kind: 'void', offsets: gap };
    else if (last !== undefined) yield { kind: 'committed', record: last };
    else throw new RangeError(`no record before offset ${this.#next} to be committed with it`);
  }

  *#flush(): Generator<RefillStep<R>> {
    if (this.#run.length > 0) yield { kind: 'records', records: this.#run };
    [this.#run, this.#bytes] = [[], 0];
  }
}
