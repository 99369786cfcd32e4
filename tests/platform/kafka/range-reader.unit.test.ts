// A range whose records retention deletes while it is read. A stub stands for the library, which then logs a line and fetches nothing.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { OffsetOutOfRange } from '../../../core/ports/broker.ts';
import type { LibraryLine } from '../../../platform/kafka/kafkajs-client.ts';
import { readRange } from '../../../platform/kafka/range-reader.ts';

type Tools = Parameters<typeof readRange>[0];
type Lines = { onLine?: (line: LibraryLine) => void };

/** Tools of a reader whose library says that the offset is out of range, once; `lows`: the partition's first offset at each look. */
function toolsOf(lows: readonly number[], partitions: readonly number[]): Tools {
  let looks = 0;
  const consumer = ({ onLine }: Lines) => ({
    events: {},
    on() {},
    seek() {},
    async connect() {},
    async subscribe() {},
    async disconnect() {},
    async run() {
      const message = 'Offset out of range, resetting to default offset';
      for (const partition of partitions) onLine?.({ message, topic: 't', partition });
    },
  });
  const admin = {
    async ranges() {
      looks += 1;
      return [{ partition: 0, low: lows[looks - 1] ?? lows.at(-1) ?? 0, high: 100 }];
    },
  };
  return {
    newClient: (lines: Lines) => ({ consumer: () => consumer(lines) }),
    admin,
    schemas: {},
    groupPrefix: 'x',
  } as unknown as Tools;
}

async function read(tools: Tools): Promise<void> {
  for await (const _ of readRange(tools, 't', 0, 5, 50)) assert.fail('nothing is there');
}

it('fails when what it would read next is deleted', async () => {
  await assert.rejects(read(toolsOf([0, 100], [0])), OffsetOutOfRange);
});

it('goes on where the log holds it still, or another partition is meant', async () => {
  for (const tools of [toolsOf([0, 0], [0]), toolsOf([0, 100], [1])]) {
    const late = new Promise((resolve) => setTimeout(resolve, 100, 'waits'));
    assert.equal(await Promise.race([read(tools), late]), 'waits');
  }
});
