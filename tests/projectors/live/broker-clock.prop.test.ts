// Claim: no record moves a game's log time further than the broker's clock and what clocks may differ by (docs/quotes.md#time-of-a-record,
// docs/quotes.md#ticks), whichever producer wrote it and whether or not it carries a push; and none is lost because of the clock of its
// writer. A violation would be a time of the frame that is not compared with the broker's; log time never goes back, so one such record
// would have a permanent effect.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { GameState } from '../../../core/live/game-state.ts';
import { noLiveChanges } from '../../../projectors/live/changes.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { generateRecords } from '../../oracle/generate-records.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { deliveredRecord } from '../../support/builders/delivered-record.ts';
import { foldRecord } from '../../support/folds/fold-record.ts';

const seeds = cases(800);
/** A receive time 5 s after the broker's, and a source time 5 s after that. */
const mostAheadMicros = 10_000_000;

it(`log time stays with the broker's clock: seeds 1 to ${seeds}`, () => {
  const ahead = { received: 0, tick: 0, status: 0 };
  for (let seed = 1; seed <= seeds; seed += 1) {
    const games = new Map<string, GameState>();
    const changes = noLiveChanges();
    let brokerTime = 0;
    for (const record of generateRecords(seed)) {
      const delivered = deliveredRecord(record);
      brokerTime = Math.max(brokerTime, delivered.timestamp);
      foldRecord({ partition: 0, games, touched: new Set(), closed: new Set() }, changes, delivered);
      for (const { uuid, logTime } of games.values()) {
        const by = (logTime ?? 0) - brokerTime;
        assert.ok(by <= mostAheadMicros, `seed ${seed}, offset ${delivered.offset}: ${uuid} is ${by} ahead`);
      }
      if (delivered.undecodable !== null) continue;
      const { received_at: received, tick, status } = delivered.value as QuotesRecord;
      const isAhead = (time: number | undefined): boolean => (time ?? 0) > delivered.timestamp + mostAheadMicros / 2;
      if (isAhead(received ?? 0)) ahead.received += 1;
      if (isAhead(tick?.at)) ahead.tick += 1;
      if (isAhead(status?.at)) ahead.status += 1;
    }
    const ofTimes = changes.deadLetters.filter(({ pointer }) =>
      ['/received_at', '/tick/at', '/status/at'].includes(pointer),
    );
    assert.deepEqual(ofTimes, [], `seed ${seed}`);
  }
  assert.ok(Math.min(...Object.values(ahead)) > 0, `each was met: ${JSON.stringify(ahead)}`);
});
