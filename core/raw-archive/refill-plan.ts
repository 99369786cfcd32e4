// How a partition of Kafka is filled so that each record gets the offset that it had. A log has offsets without records: markers of transactions,
// records of aborted ones, records that were compacted away. No record may stand there, because a projector would fold it. So they become markers
// and aborted records again. Unaware of Kafka's protocol.

/** `committed`: in a transaction of its own, whose marker takes the offset after it. `void`: so many offsets, of an aborted transaction. */
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

  /** `from`: the offset of the first record, which the partition has to give next. */
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
    // The marker of an aborted transaction needs a record before it, and one offset has room for the marker alone.
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
