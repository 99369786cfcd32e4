import assert from 'node:assert/strict';
import kafkajs from 'kafkajs';
import { describe, it } from 'vitest';
import { murmur2, partitionOfKey } from '../../core/partition-of-key.ts';
import { gameUuids } from '../support/builders/broker-records.ts';

describe('the partition of a key', () => {
  it('hashes as the Java client does (the vectors of its own tests)', () => {
    const vectors: Record<string, number> = {
      '21': -973932308,
      foobar: -790332482,
      'a-little-bit-long-string': -985981536,
      'a-little-bit-longer-string': -1486304829,
      lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8: -58897971,
      abc: 479470107,
    };
    for (const [text, hash] of Object.entries(vectors)) assert.equal(murmur2(Buffer.from(text)), hash, text);
  });

  it('is the one that another client chooses, for any text and number of partitions', () => {
    const partitioner = kafkajs.Partitioners.DefaultPartitioner();
    for (const key of [...gameUuids, '', 'é', '李小龍🏀', 'x'.repeat(1000)]) {
      for (const partitions of [1, 2, 3, 8, 64]) {
        const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
          partitionId,
          partitionErrorCode: 0,
          leader: 1,
          replicas: [1],
          isr: [1],
        }));
        const theirs = partitioner({ topic: 't', partitionMetadata, message: { key, value: null } });
        assert.equal(partitionOfKey(key, partitions), theirs);
      }
    }
  });
});
