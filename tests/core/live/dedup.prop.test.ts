// Claim: what the fold's compact memory says of a record — new, duplicate, conflict, late — is what a list of all applied
// records says, scanned from end to end, however the two kinds of time, pushes, keys and sources mix, and through restarts.
// A violation would need a track that is not sorted, a fingerprint that takes two for one, or an id lost in growing.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import {
  addRecordId,
  hasRecordId,
  loadRecordIds,
  newRecordIds,
  recordIdOf,
  saveRecordIds,
} from '../../../core/live/record-ids.ts';
import { judge, loadTrack, newTrack, remember, type Sighting, saveTrack } from '../../../core/live/record-track.ts';

const few = fc.integer({ min: 0, max: 3 });
const seen: fc.Arbitrary<Sighting & { sourceTimed: boolean }> = fc.record({
  time: fc.integer({ min: 0, max: 12 }),
  content: few,
  push: few,
  index: fc.integer({ min: 0, max: 1 }),
  sourceTimed: fc.boolean(),
});

it('judges as a scan of all applied records does', () => {
  fc.assert(
    fc.property(fc.array(seen, { maxLength: 40 }), fc.nat(), (records, restart) => {
      let track = newTrack();
      const applied: Sighting[] = [];
      records.forEach((record, at) => {
        const newest = Math.max(0, ...applied.map(({ time }) => time));
        const sighting = record.sourceTimed ? record : { ...record, time: Math.max(record.time, newest) };
        const verdict = record.sourceTimed ? judge(track, sighting) : 'new';
        if (record.sourceTimed) assert.equal(verdict, scan(applied, sighting));
        if (verdict === 'new') {
          applied.push(sighting);
          remember(track, sighting);
        }
        if (at === restart % 40) track = loadTrack(JSON.parse(JSON.stringify(saveTrack(track))));
      });
    }),
    { numRuns: 2_000 },
  );
});

function scan(applied: readonly Sighting[], { time, content, push, index }: Sighting) {
  const alike = applied.filter((other) => other.time === time);
  if (alike.some((other) => other.content === content && (other.push !== push || other.index === index)))
    return 'duplicate';
  if (alike.some((other) => other.push !== push)) return 'conflict';
  return applied.some((other) => other.time > time) ? 'late' : 'new';
}

describe('record ids', () => {
  it('are known exactly when they were added, through growth and restarts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('s1', 's2'), fc.integer({ min: 0, max: 200 })), { maxLength: 300 }),
        fc.nat(),
        (given, restart) => {
          let ids = newRecordIds();
          const known = new Set<string>();
          given.forEach(([source, id], at) => {
            const fingerprint = recordIdOf(source, `key-${id}`);
            assert.equal(hasRecordId(ids, fingerprint), known.has(`${source} ${id}`));
            if (!hasRecordId(ids, fingerprint)) addRecordId(ids, fingerprint);
            known.add(`${source} ${id}`);
            if (at === restart % 300) ids = loadRecordIds(saveRecordIds(ids));
          });
          assert.equal(ids.size, known.size);
          for (const word of known) {
            const [source, id] = word.split(' ');
            assert.ok(hasRecordId(ids, recordIdOf(source!, `key-${id}`)));
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
