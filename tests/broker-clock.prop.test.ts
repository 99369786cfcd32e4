// Claim: no record moves a game's log time further than the broker's clock and what clocks may differ by (quotes.md, "Time of a record",
// Folding 11), whoever wrote it and whether or not it carries a push: what says more is a dead letter that names the member. A violation
// would be a time of the frame that nothing holds against the broker's; log time never goes back, so one such record would do for good.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { liveProjector } from '../projectors/live/live-projector.ts';
import { generateRecords } from './oracle/generate-records.ts';
import { cases } from './support/cases.ts';
import { deliveredRecord } from './support/delivered-record.ts';

const seeds = cases(300);
/** A receive time 5 s after the broker's, and a source time 5 s after that. */
const mostAheadMicros = 10_000_000;

it(`log time stays with the broker's clock: seeds 1 to ${seeds}`, () => {
  const buried = new Map<string, number>();
  for (let seed = 1; seed <= seeds; seed += 1) {
    const state = liveProjector.start(0, null);
    const changes = liveProjector.noChanges();
    let brokerTime = 0;
    for (const record of generateRecords(seed)) {
      const delivered = deliveredRecord(record);
      brokerTime = Math.max(brokerTime, delivered.timestamp);
      liveProjector.fold(state, changes, [delivered]);
      for (const { uuid, logTime } of state.games.values()) {
        const ahead = (logTime ?? 0) - brokerTime;
        assert.ok(ahead <= mostAheadMicros, `seed ${seed}, offset ${delivered.offset}: ${uuid} is ${ahead} ahead`);
      }
    }
    for (const { code, pointer } of changes.deadLetters) {
      if (code === 'bad-record') buried.set(pointer, (buried.get(pointer) ?? 0) + 1);
    }
  }
  assert.deepEqual([...buried.keys()].sort(), ['/received_at', '/status/at', '/tick/at'], 'each was met');
});
