// Fetched messages of a partition that are not delivered yet. Fetching continues while a handler works, up to a limit of bytes, so that
// neither waits for the other and a slow handler costs bounded memory.
import type kafkajs from 'kafkajs';

type Fetched = { messages: readonly kafkajs.KafkaMessage[]; bytes: number; highWatermark: number };

/** Fetching pauses at the first and resumes at the second, early, because the next fetch takes a while. */
const fullBytes = 4 * 1024 * 1024;
const roomyBytes = 2 * 1024 * 1024;
/** Most that one delivery holds, beyond its first fetch. */
const maxHandedBytes = 1024 * 1024;

export class PartitionQueue {
  #waiting: Fetched[] = [];
  #bytes = 0;
  #wake: (() => void) | null = null;
  #closed = false;
  #finished = false;

  get isFull(): boolean {
    return this.#bytes >= fullBytes;
  }

  get hasRoom(): boolean {
    return this.#bytes <= roomyBytes;
  }

  get closed(): boolean {
    return this.#closed;
  }

  put(messages: readonly kafkajs.KafkaMessage[], highWatermark: number): void {
    if (this.#closed || this.#finished || messages.length === 0) return;
    const bytes = messages.reduce((sum, message) => sum + (message.value?.length ?? 0) + 100, 0);
    this.#waiting.push({ messages, bytes, highWatermark });
    this.#bytes += bytes;
    this.#wake?.();
  }

  /** No more messages will come; queued ones are still delivered. */
  finish(): void {
    this.#finished = true;
    this.#wake?.();
  }

  /** Ends the queue and discards what is in it. */
  close(): void {
    this.#closed = true;
    this.#waiting = [];
    this.#bytes = 0;
    this.#wake?.();
  }

  /** The next messages, in order; null at the end of the queue. One taker at a time. */
  async take(): Promise<{ messages: readonly kafkajs.KafkaMessage[]; highWatermark: number } | null> {
    if (this.#waiting.length === 0 && !this.#closed && !this.#finished) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
    if (this.#closed || this.#waiting.length === 0) return null;
    const taken: Fetched[] = [];
    let bytes = 0;
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if (taken.length > 0 && bytes + first.bytes > maxHandedBytes) break;
      taken.push(first);
      bytes += first.bytes;
      this.#waiting.shift();
    }
    this.#bytes -= bytes;
    const [only] = taken as [Fetched];
    const messages = taken.length === 1 ? only.messages : taken.flatMap((each) => each.messages);
    return { messages, highWatermark: taken.at(-1)?.highWatermark ?? 0 };
  }
}
