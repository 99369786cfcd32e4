// Claim: a start or status that a forwarder publishes again after a newer one of the same game changes nothing, even if the game's state
// was saved and loaded meanwhile; a record with the same id and another time is a different record.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { gameStart, newGame } from '../../../core/live/game-state.ts';
import { isOutboxRepeat } from '../../../core/live/outbox-repeats.ts';
import { loadGame } from '../../../core/live/saved-game.ts';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { applyRecord } from '../../support/builders/in-one-go.ts';
import { saveGame } from '../../support/folds/save-game.ts';

const game = { uuid: '11111111-2222-5333-8444-555555555555', gameId: 'NFL_DET_PHI_20251116', league: 'NFL' };
const minute = 60_000_000;
const start = (id: number, at: number) => {
  return { ...blankRecord(game, 'msf', at), start: { scheduled_start: at, from_schedule: true }, outbox_id: id };
};
const status = (id: number, at: number, said: string) => {
  return { ...blankRecord(game, 'msf', at), status: { status: said, at }, outbox_id: id };
};

it('keeps the newer start and status', () => {
  let state = newGame(game.uuid, { generation: 1, firstSeq: 1 });
  const records = [
    start(1, minute),
    status(2, minute, 'STARTED'),
    start(5, 2 * minute),
    status(6, 2 * minute, 'COMPLETED'),
  ];
  for (const [offset, record] of [...records, ...records.slice(0, 2)].entries()) {
    state = loadGame(JSON.parse(JSON.stringify(saveGame(state))));
    applyRecord(state, record, { partition: 0, offset, timestamp: 3 * minute });
  }
  assert.equal(gameStart(state), 2 * minute);
  assert.equal(state.lifecycle.status?.status, 'COMPLETED');
  assert.deepEqual(
    state.lifecycle.starts.map((each) => each.start),
    [minute, 2 * minute],
  );
});

it('knows a record by its number and its time, and records of other writers not at all', () => {
  const state = newGame(game.uuid, { generation: 1, firstSeq: 1 });
  const asked = [start(1, minute), start(1, 2 * minute), start(1, minute), { ...start(1, minute), outbox_id: null }];
  assert.deepEqual(
    asked.map((record) => isOutboxRepeat(state, record)),
    [false, false, true, false],
  );
  for (let id = 10; id < 2_000; id += 1) isOutboxRepeat(state, start(id, minute));
  assert.equal(state.fromOutbox.length, 1_000);
});
