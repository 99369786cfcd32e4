// Claim: the digest of a partition is the exclusive or of one hash for each of its games as they are now, whenever and however often it
// was asked for before, and wherever the state was saved and loaded. A violation would need a change of a game that goes unnoticed.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { type LiveState, liveProjector } from '../projectors/live/live-projector.ts';
import { generateRecords } from './oracle/generate-records.ts';
import { seededRandom } from './oracle/random.ts';
import { deliveredRecord } from './support/delivered-record.ts';

const runs = 60;
const firstSeed = Number(process.env['SDS_SEED'] ?? Math.floor(Math.random() * 1e9));

it(`is that of all games, whatever was hashed before (seeds ${firstSeed} … ${firstSeed + runs - 1})`, () => {
  let changes = 0;
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const random = seededRandom(seed);
    let state = liveProjector.start(0, null);
    let before = liveProjector.digest(state);
    assert.equal(before, '0'.repeat(64));
    for (const [offset, record] of generateRecords(seed, 60).entries()) {
      liveProjector.fold(state, liveProjector.noChanges(), [deliveredRecord({ ...record, offset })]);
      if (random.chance(0.1)) state = liveProjector.start(0, JSON.parse(JSON.stringify(liveProjector.save(state))));
      if (random.chance(0.5)) continue;
      const digest = liveProjector.digest(state);
      assert.equal(digest, digestOfAll(state), `seed ${seed}`);
      if (digest !== before) changes += 1;
      before = digest;
    }
  }
  assert.ok(changes > runs, 'the games changed');
});

function digestOfAll({ games }: LiveState): string {
  const all = new Uint8Array(32);
  for (const { uuid, generation, rows, segment, logTime, appliedThrough } of games.values()) {
    const facts = JSON.stringify([uuid, generation, rows, segment?.seq, segment?.rows, logTime, appliedThrough]);
    const hash = createHash('sha256').update(facts).digest();
    for (const [at, byte] of hash.entries()) all[at] = (all[at] ?? 0) ^ byte;
  }
  return Buffer.from(all).toString('hex');
}
