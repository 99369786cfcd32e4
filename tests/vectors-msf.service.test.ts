// The vectors of revisions through both editions: pushed over HTTP at the times that the cases say, folded, published, read back over HTTP.
import { describe, it } from 'node:test';
import { msfVectors } from './support/msf-vectors.ts';
import { type RevisionsVector, runMsfVector } from './support/run-msf-vector.ts';
import { twoEditions } from './support/two-editions.ts';

for (const [name, skip, prepare] of twoEditions) {
  describe(`revisions of the vectors, ${name}`, { skip: skip, concurrency: 2 }, () => {
    for (const vector of msfVectors<RevisionsVector>('revisions')) {
      it(vector.name, async () => {
        const { drop, ...options } = await prepare();
        try {
          await runMsfVector(vector, options);
        } finally {
          await drop();
        }
      });
    }
  });
}
