// What a command that rebuilds logs prints while it does: a line after each game, rebuilt or not, and news from within the game that it has come to
// and no other. Without news it rebuilds all the same.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, type MockInstance, vi } from 'vitest';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type { CatalogGame } from '../../../core/ports/catalog/games.ts';
import type { ServedLog } from '../../../core/ports/catalog/live.ts';
import type { RebuildProgress, RebuildsCatalog } from '../../../core/ports/catalog/rebuilds.ts';
import type { PlannedRebuild } from '../../../ops/rebuild/plan-rebuild.ts';
import { rebuiltText, runRebuilds } from '../../../ops/rebuild/run-rebuilds.ts';
import type { Session } from '../../../ops/session/command.ts';

const planOf = (name: string, rows: number): PlannedRebuild => {
  const game = { uuid: name.toLowerCase(), gameId: name, league: 'NBA' } as CatalogGame;
  return { game, partition: 0, generation: 2, rows, records: 10 };
};
const planned = [planOf('A', 30), planOf('B', 70)];

/** A session whose projector has folded every order at once, and has not carried out those of `voids`. */
function sessionOf(watchProgress: RebuildsCatalog['watchProgress'], voids: readonly string[], onOrder = () => {}) {
  const catalogs = {
    leases: { hold: async () => true, release: async () => {} },
    operations: { audit: async () => {} },
    checkpoints: { nextOffsets: async () => new Map([[0, 5]]) },
    live: { servedLog: async (uuid: string) => ({ generation: voids.includes(uuid) ? 1 : 2, rows: 7 }) },
    rebuilds: { watchProgress },
  };
  const broker = async () => ({
    async produce() {
      onOrder();
      return new Map([[0, 5]]);
    },
  });
  return { catalogs, broker, actor: 'a test', interrupted: new AbortController().signal } as unknown as Session;
}

describe('a command that rebuilds logs', () => {
  let said: MockInstance<typeof process.stderr.write>;
  beforeEach(() => {
    said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(() => said.mockRestore());
  /** Without rates, which are those of the test. */
  const lines = () => said.mock.calls.map(([text]) => `${text}`.replace(/, \d+ rows\/s, \d+ s left/, ''));

  it('says what became of each, and how far the one is that it has come to', async () => {
    let tell = (_: RebuildProgress): void => {};
    const watch: RebuildsCatalog['watchProgress'] = async (onProgress) => {
      tell = onProgress;
      return async () => void process.stderr.write('stopped');
    };
    const news = () => {
      for (const key of ['a', 'b', 'c']) tell({ key, read: 100, all: 500, took: 2_000_000 });
    };
    const { rebuilt, failure } = await runRebuilds(sessionOf(watch, ['a'], news), planned);
    assert.deepEqual(
      rebuilt.map(({ game_id: id, rows_before: before, rows }) => [id, before, rows]),
      [['B', 70, 7]],
    );
    assert.match(failure?.message ?? '', /^A not rebuilt: settled or rebuilt meanwhile/);
    assert.deepEqual(lines(), [
      'A: 100 of 500 records, 50 records/s, 8 s left\n',
      '1 of 2 games: A is not rebuilt\n',
      'B: 100 of 500 records, 50 records/s, 8 s left\n',
      '2 of 2 games: B, 7 rows\n',
      'stopped',
    ]);
  });

  it('names what is rebuilt when the database goes away before the next', async () => {
    const session = sessionOf(async () => async () => {}, []);
    session.catalogs.live.servedLog = async (uuid: string) => {
      if (uuid === 'b') throw new CatalogUnavailable('the database does not answer');
      return { generation: 2, rows: 7 } as ServedLog;
    };
    const { rebuilt, failure } = await runRebuilds(session, planned);
    assert.deepEqual(
      rebuilt.map(({ game_id: id }) => id),
      ['A'],
    );
    assert.match(failure?.message ?? '', /^the database does not answer; 1 of 2 logs rebuilt: run it again/);
  });

  it('rebuilds them also where the news cannot be heard', async () => {
    const watch = () => Promise.reject(new Error('no connection is left'));
    const { rebuilt, failure } = await runRebuilds(sessionOf(watch, []), planned);
    assert.deepEqual([rebuilt.map(({ game_id: id }) => id), failure], [['A', 'B'], null]);
    assert.deepEqual(lines(), ['1 of 2 games: A, 7 rows\n', '2 of 2 games: B, 7 rows\n']);
  });

  it('names in its result what was left out, and why', async () => {
    const { rebuilt } = await runRebuilds(
      sessionOf(async () => async () => {}, []),
      planned.slice(0, 1),
    );
    const leftOut = [
      { gameId: 'C', reason: 'is in partition 1, which is halted: a hole' },
      { gameId: 'D', reason: 'cannot be rebuilt: older records of it may be deleted' },
    ];
    assert.equal(
      rebuiltText(rebuilt, { planned, leftOut }),
      `1 of 2 logs rebuilt
C is left out: it is in partition 1, which is halted: a hole
D is left out: it cannot be rebuilt: older records of it may be deleted`,
    );
  });
});
