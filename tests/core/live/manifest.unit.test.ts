// The facts of a log in the catalog and in a manifest: docs/interface.md#live-manifest; docs/quotes.md#scheduled-start.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { liveFacts } from '../../../core/live/manifest.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import {
  delta,
  gameImage,
  heartbeat,
  image,
  kickOff,
  ownerRecord,
  quote,
  seconds,
  startRecord,
  tick,
  withdrawn,
} from '../../support/builders/live-records.ts';
import { LiveLog } from '../../support/folds/live-log.ts';

const home = (american = -110) => [quote('home', american)];
const factsAfter = (...records: QuotesRecord[]) => liveFacts(new LiveLog().applyAll(records).game);

it('is empty before the first record', () => {
  assert.deepEqual(liveFacts(new LiveLog({ generation: 3, firstSeq: 8 }).game), {
    gameUuid: '11111111-2222-5333-8444-555555555555',
    generation: 3,
    firstSeq: 8,
    rows: 0,
    appliedThrough: null,
    logTime: null,
    operators: {},
    openOffer: false,
    receiveTimed: false,
    scheduledStart: null,
  });
});

describe('operators', () => {
  it('have an entry from their first row on, and keep it when nothing is left', () => {
    assert.deepEqual(factsAfter(image('X', [quote('home', 50)])).operators, {});
    const gone = factsAfter(image('X', home()), delta('X', [withdrawn('home')], { at: 3 }), heartbeat('X', { at: 9 }));
    assert.deepEqual(gone.operators, { X: { last_row_at: seconds(3), observed_through: seconds(9), source: 'feed' } });
    assert.equal(gone.openOffer, false);
  });

  it('have a watermark that never goes back, founded by an image or delta', () => {
    const game = gameImage({ X: home() }, { observedAt: 100 });
    const older = factsAfter(game, delta('X', home(-120), { observedAt: 50 }));
    assert.deepEqual(older.operators.X, { last_row_at: seconds(50), observed_through: seconds(100), source: 'feed' });
    const assigned = [ownerRecord('X', 'feed'), heartbeat('X', { observedAt: 150 })];
    assert.equal(factsAfter(...assigned, game).operators.X?.observed_through, seconds(100), 'unknown as yet');
    assert.equal(factsAfter(game, ...assigned).operators.X?.observed_through, seconds(150));
  });

  it('are in the order of their codes', () => {
    assert.deepEqual(Object.keys(factsAfter(image('C', home()), image('A', home()), image('B', home())).operators), [
      'A',
      'B',
      'C',
    ]);
  });
});

describe('times', () => {
  it('applied_through moves by applied records only, log time by ticks too', () => {
    const ticked = factsAfter(image('X', home(), { at: 5 }), tick(60));
    assert.deepEqual([ticked.appliedThrough, ticked.logTime], [seconds(5), seconds(60)]);
    const late = factsAfter(
      image('X', home(), { observedAt: 50 }),
      image('X', home(), { observedAt: 20 }),
      image('Y', home(), { observedAt: 30 }),
    );
    assert.deepEqual([late.appliedThrough, late.logTime], [seconds(50), seconds(50)]);
    const started = factsAfter({ ...startRecord(seconds(900)), received_at: seconds(7_000) });
    assert.deepEqual([started.appliedThrough, started.logTime], [null, null]);
  });

  it('whether the newest record was receive-timed is a matter of log position', () => {
    assert.equal(factsAfter(image('X', home(), { at: 5 })).receiveTimed, true);
    assert.equal(factsAfter(image('X', home(), { at: 5 }), image('Y', home(), { observedAt: 1 })).receiveTimed, false);
    assert.equal(factsAfter(image('X', home(), { observedAt: 5 }), tick(9)).receiveTimed, false);
    assert.equal(
      factsAfter(image('X', home(), { at: 5 }), image('X', home(), { observedAt: 1 })).receiveTimed,
      true,
      'a late one is not applied',
    );
  });
});

describe("the game's start", () => {
  it("is the founder's, also when the founder moves it", () => {
    assert.equal(factsAfter(startRecord(kickOff)).scheduledStart, kickOff);
    const moved = [
      startRecord(kickOff),
      image('X', home(), { start: kickOff }),
      image('X', home(), { start: seconds(900), at: 1 }),
    ];
    assert.equal(factsAfter(...moved).scheduledStart, seconds(900));
    assert.equal(
      factsAfter(...moved, startRecord(kickOff)).scheduledStart,
      seconds(900),
      'a start logged twice founds once',
    );
    assert.equal(
      factsAfter(...moved, image('Y', home(), { source: 's2', start: seconds(1) })).scheduledStart,
      seconds(900),
    );
  });

  it('is of the source that founded the game first', () => {
    const twice = [startRecord(kickOff, { source: 's1' }), startRecord(seconds(900), { source: 's2' })];
    assert.equal(factsAfter(...twice).scheduledStart, kickOff);
  });

  it('is moved by applied records only', () => {
    const starts = [startRecord(kickOff), image('X', home(), { observedAt: 50, start: kickOff })];
    assert.equal(
      factsAfter(...starts, image('X', home(), { observedAt: 20, start: seconds(900) })).scheduledStart,
      kickOff,
    );
  });

  it('without a `start` record is that of the first source that reported one', () => {
    const none = image('X', home(), { start: null });
    const first = image('Y', home(), { source: 's2', start: seconds(900) });
    assert.equal(factsAfter(none, first, image('X', home(), { at: 1, start: kickOff })).scheduledStart, seconds(900));
    assert.equal(
      factsAfter(first, startRecord(kickOff, { source: 's3' })).scheduledStart,
      kickOff,
      'until one founds it',
    );
  });

  it("is the schedule's where there is one", () => {
    const schedule = startRecord(seconds(60), { source: 'msf', fromSchedule: true });
    assert.equal(
      factsAfter(startRecord(kickOff), schedule, image('X', home(), { start: seconds(900) })).scheduledStart,
      seconds(60),
    );
  });
});
