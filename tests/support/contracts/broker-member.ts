// A member of a group that records all broker events, for tests to inspect and await.
import assert from 'node:assert/strict';
import type {
  Broker,
  Consumer,
  DeliveredBatch,
  DeliveredRecord,
  OffsetOutOfRange,
} from '../../../core/ports/broker.ts';
import { until } from '../services/until.ts';

export type MemberOptions = {
  topic: string;
  group: string;
  /** Where to read a partition from; 0 unless given. */
  from?: (partition: number, self: Member) => number | Promise<number>;
  /** Runs in the batch handler. */
  work?: (batch: DeliveredBatch) => Promise<void>;
  onRevoked?: (partition: number) => void;
  onOutOfRange?: (error: OffsetOutOfRange) => void;
};

export class Member {
  /** `assigned 0`, `revoked 0`, in order. */
  readonly events: string[] = [];
  readonly batches: DeliveredBatch[] = [];
  failure: Error | null = null;
  #held = new Set<number>();
  #consumer: Consumer | null = null;

  static async join(broker: Broker, options: MemberOptions): Promise<Member> {
    const member = new Member();
    member.#consumer = await broker.consume(options, {
      async assigned(partition) {
        assert.ok(!member.#held.has(partition), `partition ${partition} assigned twice`);
        member.#held.add(partition);
        member.events.push(`assigned ${partition}`);
        return (await options.from?.(partition, member)) ?? 0;
      },
      revoked(partition) {
        assert.ok(member.#held.delete(partition), `partition ${partition} revoked without being held`);
        member.events.push(`revoked ${partition}`);
        options.onRevoked?.(partition);
      },
      async batch(batch) {
        member.batches.push(batch);
        await options.work?.(batch);
      },
      ...(options.onOutOfRange === undefined ? {} : { outOfRange: options.onOutOfRange }),
      failed(error) {
        member.failure = error;
      },
    });
    return member;
  }

  get held(): number[] {
    return [...this.#held].sort((a, b) => a - b);
  }

  /** Everything delivered from a partition, or from all, in order of delivery. */
  records(partition?: number): DeliveredRecord[] {
    return this.batches
      .filter((batch) => partition === undefined || batch.partition === partition)
      .flatMap((batch) => batch.records);
  }

  acknowledge(partition: number, nextOffset: number): Promise<void> {
    return (this.#consumer as Consumer).acknowledge(partition, nextOffset);
  }

  async receives(count: number): Promise<void> {
    await this.until(`${count} records`, () => this.records().length >= count);
    assert.equal(this.records().length, count);
  }

  async holds(count: number): Promise<void> {
    await this.until(`${count} partitions held`, () => this.#held.size === count);
  }

  /** Waits until the condition holds for this member; fails at once if the member has failed. */
  async until(what: string, condition: () => boolean): Promise<void> {
    await until(what, () => this.failure !== null || condition(), { everyMs: 5 });
    if (!condition()) throw this.failure ?? new Error(what);
  }

  async fails(): Promise<Error> {
    await until('the consumer fails', () => this.failure !== null, { everyMs: 5 });
    return this.failure as Error;
  }

  async stop(): Promise<void> {
    await this.#consumer?.stop();
  }
}
