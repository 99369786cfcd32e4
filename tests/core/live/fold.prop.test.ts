// Claims about any history of a game:
// - saving and loading the state, anywhere and as often as one likes, changes no effect and no state;
// - row numbers run from 1 without a gap, and a row has the time of its record; the same records give the same result.
// A violation would need state that a checkpoint forgets, or a fold that depends on more than the records before.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { liveFacts } from '../../../core/live/manifest.ts';
import { loadGame } from '../../../core/live/saved-game.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { histories } from '../../support/arbitraries/live.ts';
import { LiveLog } from '../../support/folds/live-log.ts';
import { saveGame } from '../../support/folds/save-game.ts';

it('gives the same from a checkpoint as without one', () => {
  fc.assert(
    fc.property(histories, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (records, restarts) => {
      const whole = new LiveLog();
      const restarted = new LiveLog();
      records.forEach((record, at) => {
        if (restarts[at]) restarted.saveAndLoad();
        assert.deepEqual(restarted.apply(record), whole.apply(record));
        assert.deepEqual(restarted.boards(), whole.boards());
        assert.deepEqual(liveFacts(restarted.game), liveFacts(whole.game));
      });
      const saved = JSON.stringify(saveGame(whole.game));
      assert.equal(JSON.stringify(saveGame(restarted.game)), saved);
      assert.equal(JSON.stringify(saveGame(loadGame(JSON.parse(saved)))), saved);
    }),
    { numRuns: cases(500) },
  );
});

it('shares no object with its saved state', () => {
  fc.assert(
    fc.property(histories, histories, (before, after) => {
      const log = new LiveLog().applyAll(before);
      const saved = saveGame(log.game);
      const text = JSON.stringify(saved);
      const loaded = loadGame(saved);
      log.applyAll(after);
      assert.equal(JSON.stringify(saved), text);
      assert.equal(JSON.stringify(saveGame(loaded)), text);
    }),
    { numRuns: cases(100) },
  );
});

it("numbers rows without gaps and stamps them with their record's time", () => {
  fc.assert(
    fc.property(histories, (records) => {
      const log = new LiveLog();
      for (const record of records) {
        const before = log.rows.length;
        const { rows, segmentStarts, outcome } = log.apply(record);
        rows.forEach((row, index) => {
          assert.equal(row.row_number, before + index + 1);
          assert.equal(row.timestamp, rows[0]?.timestamp);
          assert.equal(row.source, record.source);
        });
        if (rows.length > 0) assert.equal(outcome?.state, 'applied');
        for (const start of segmentStarts) assert.ok(start < rows.length);
      }
      assert.equal(log.game.rows, log.rows.length);
      const open = log.game.segment;
      assert.equal(open?.seq, log.segments.length === 0 ? undefined : log.segments.length);
      assert.equal(open?.rows, log.segments.at(-1));
      assert.equal(
        log.segments.reduce((sum, rows) => sum + rows, 0),
        log.rows.length,
      );
    }),
    { numRuns: cases(500) },
  );
});

it('gives the same rows again for the same records', () => {
  fc.assert(
    fc.property(histories, (records) => {
      const [first, second] = [new LiveLog(), new LiveLog()];
      for (const record of records) assert.deepEqual(second.apply(structuredClone(record)), first.apply(record));
      assert.deepEqual(second.segments, first.segments);
    }),
    { numRuns: cases(200) },
  );
});
