// Which logs a new owner with the committed state starts over: those that an earlier owner had not reached when it was killed while it
// started all logs over from an older state.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { liveLogVersion } from '../../../core/live/log-version.ts';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { LiveProjector, type LiveProjectorCatalog, loadGames } from '../../../projectors/live/live-projector.ts';
import type { CommittedFiles } from '../../../projectors/worker/start-over.ts';
import { image, quote, t0, uuid } from '../../support/builders/live-records.ts';
import { KeptCommits } from '../../support/folds/flushed-projector.ts';

const value = image('BOOK', [quote('home', -110)]);
const delivered: DeliveredRecord = {
  ...{ offset: 0, timestamp: t0, key: uuid, headers: {} },
  ...{ value, bytes: Buffer.from(JSON.stringify(value)), undecodable: null },
};

const files: CommittedFiles = {
  rows: async () => assert.fail('a log without segments was read'),
  write: async () => new Map(),
  mustRenew: () => false,
  renew: async () => assert.fail('nothing is old'),
  ask: (call) => call(),
};

it('starts over the log whose published generation is another than its state has', async () => {
  const { steps, generation } = await takenOver(2);
  assert.deepEqual([steps, generation], [1, 3]);
});

it('starts over no log that is the one of its state', async () => {
  const { steps, generation } = await takenOver(1);
  assert.deepEqual([steps, generation], [0, 1]);
});

/** Lets a state with the first generation of a game's log take over while this generation is published. */
async function takenOver(generation: number): Promise<{ steps: number; generation: number | undefined }> {
  const saving = new LiveProjector(new KeptCommits(), 0, new Map());
  runToEnd(saving.folding([delivered]));
  const games = loadGames(JSON.parse(JSON.stringify(runToEnd(saving.saving()))));
  const projector = new LiveProjector(oneLog(generation), 0, games);
  (await projector.readPublished('same'))();
  let steps = 0;
  for await (const _ of projector.startOver(files)) steps += 1;
  return { steps, generation: games.get(uuid)?.generation };
}

/** A catalog with one log that has no rows yet. */
function oneLog(generation: number): LiveProjectorCatalog {
  const log = { gameUuid: uuid, generation, tail: null, boards: [] };
  return {
    publishedIn: async () => [{ ...log, logVersion: liveLogVersion }],
    closedIn: async () => [],
    knownSince: async () => null,
    servedLog: async () => ({
      ...{ ...log, version: 1, appliedThrough: null, updatedAt: 0 },
      ...{ firstSeq: 1, rows: 0, closed: [], operators: {} },
    }),
    commit: async () => assert.fail('something was committed'),
  };
}
