// How `sds verify` takes games: each one's log and final files, one after another, and how many it has of how many; interrupted, no further one.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { CatalogGame } from '../../../core/ports/catalog/games.ts';
import { Report } from '../../../ops/verify/report.ts';
import { verifyGames } from '../../../ops/verify/verify-games.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { StagedFiles, stagedStream } from '../../support/builders/staged-build.ts';
import { heardProgress } from '../../support/fakes/heard-progress.ts';

const games = ['A', 'B', 'C'].map((gameId) => ({ uuid: gameId, gameId }) as CatalogGame);

/** Verifies games of which nothing is published. `asked`: whose files were asked for. */
async function verified(signal: AbortSignal, onAsked = (_: string) => {}) {
  const asked: string[] = [];
  const { open, heard } = heardProgress();
  const unasked = async (): Promise<never> => assert.fail('not asked');
  const tools = {
    ...stagedStream(new StagedFiles(), []),
    settlements: { inputs: unasked, state: unasked, players: unasked },
    games: { find: unasked },
    artifacts: {
      served: async (uuid: string) => {
        asked.push(uuid);
        onAsked(uuid);
        return { log: null, closedFrom: null, artifacts: [] };
      },
      versions: unasked,
    },
    live: { servedLog: unasked },
    objects: { put: unasked, get: unasked },
    parquet: parquetWriter,
    report: new Report(),
  };
  await verifyGames(tools, games, games.length, signal, open).catch(() => heard.push('interrupted'));
  return { asked, heard };
}

it('takes each, and counts it', async () => {
  const { asked, heard } = await verified(new AbortController().signal);
  assert.deepEqual(asked, ['A', 'A', 'B', 'B', 'C', 'C']);
  assert.deepEqual(heard, ['3 of 3 games']);
});

it('takes no further one once it is interrupted', async () => {
  const interruption = new AbortController();
  const { asked, heard } = await verified(interruption.signal, (uuid) => uuid === 'B' && interruption.abort());
  assert.deepEqual(asked, ['A', 'A', 'B', 'B']);
  assert.deepEqual(heard, ['2 of 3 games', 'interrupted']);
});
