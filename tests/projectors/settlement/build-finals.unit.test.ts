// What a build of final files reads: new evidence of a result needs no row of the log, which may have a million, and a timeline needs none
// of the revisions already in it; nothing is graded before there is a result. Removed rows leave every file, and stay away.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Artifact } from '../../../core/ports/catalog/artifacts.ts';
import type { ServedLog } from '../../../core/ports/catalog/live.ts';
import type { SettlementInputs } from '../../../core/ports/catalog/settlement.ts';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import type { ReferencePlayer } from '../../../core/settlement/evidence.ts';
import { Timeline } from '../../../core/settlement/timeline.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { type BuiltFinal, buildFinals } from '../../../projectors/settlement/build-finals.ts';
import {
  openRow,
  StagedFiles,
  stagedInputs,
  stagedStream,
  stateRow,
  statOf,
} from '../../support/builders/staged-build.ts';

const graded = {
  game_id: 'G',
  league: 'NBA',
  selection_id: 'moneyline/full/home',
  market: 'moneyline',
  period: 'full',
  selection: 'home',
  player_id: null,
  line: null,
  result: 'win',
  result_value: 1_000,
  result_reason: null,
  settled_at: 5,
  settlement_source: 'game-state/E/1',
  correction: 0,
};

/**
 * Builds a game whose game-state has one revision for each of `states`, and which was last built one revision earlier.
 * `landed`: the files it already has. The log cannot be read.
 */
async function build(states: readonly ParquetRow[], landed: Readonly<Record<string, ParquetRow>>, orders = 'again/0') {
  const files = new StagedFiles();
  const artifacts = Object.entries(landed).map(([dataset, row]): Artifact => {
    const ofDataset = dataset === 'market-results' || dataset === 'game-state-timeline' ? dataset : 'market-results';
    const file = files.add(dataset, ofDataset, [row]);
    return { gameUuid: 'g', dataset, version: 1, rows: 1, file, landedAt: 0, reason: 'settled' };
  });
  const finals = await buildFinals(
    {
      ...stagedStream(files, states),
      settlements: { players: async () => [] },
      artifacts: { served: async () => ({ log: null, closedFrom: null, artifacts }) },
      live: { servedLog: async () => assert.fail('the log was read') },
      objects: { put: async () => {}, get: (key) => files.get(key) },
      parquet: parquetWriter,
    },
    {
      ...stagedInputs,
      standing: { orders, evidence: `game-state/E/${states.length}` },
      built: { orders: 'again/0', evidence: `game-state/E/${states.length - 1}` },
    },
    async () => {},
  );
  return { finals, read: files.read };
}

const lines = { 'sportsbook-lines': graded, 'closing-lines': graded };

it('grades a corrected score from the selections of the version before', async () => {
  const states = [stateRow('COMPLETED', 3, 4), stateRow('COMPLETED', 4, 3)];
  const { finals } = await build(states, { ...lines, 'market-results': graded });
  const results = finals.find(({ dataset }) => dataset === 'market-results');
  assert.deepEqual([results?.version, results?.reason], [2, 'game-state/E/2']);
  const [row] = parquetWriter.decodeOwnColumns(results?.bytes ?? new Uint8Array()).rows;
  assert.deepEqual([row?.selection_id, row?.result, row?.correction], ['moneyline/full/home', 'loss', 1]);
});

it('does not read the log for results while none is told', async () => {
  const { finals } = await build([stateRow('LIVE', 3, 4), stateRow('LIVE', 4, 3)], lines);
  assert.deepEqual(
    finals.map(({ dataset }) => dataset),
    ['game-state-timeline'],
  );
});

describe('a timeline that has a version', () => {
  const states = [stateRow('LIVE', 0, 0), stateRow('LIVE', 1, 0), stateRow('COMPLETED', 1, 0)];
  const known = new Timeline({ gameId: 'G', league: 'NBA' });
  known.add({ epoch: 'E', revision: 1, sourceUpdatedAt: 7, row: states[0] as never });
  const landed = { ...lines, 'market-results': graded, 'game-state-timeline': known.rows[0] as ParquetRow };
  const statesRead = (read: readonly string[]) => new Set(read.filter((key) => key.startsWith('state-')));
  const timelineOf = (finals: readonly BuiltFinal[]) => {
    const { bytes } = finals.find(({ dataset }) => dataset === 'game-state-timeline') as BuiltFinal;
    return parquetWriter
      .decodeOwnColumns(bytes)
      .rows.map(({ sequence, revision, status }) => [sequence, revision, status]);
  };
  const all = [
    [1, 1, 'STARTED'],
    [2, 2, 'STARTED'],
    [3, 3, 'COMPLETED'],
  ];

  it('is continued from the revisions after it', async () => {
    const { finals, read } = await build(states, landed);
    assert.deepEqual(timelineOf(finals), all);
    assert.deepEqual(statesRead(read), new Set(['state-2', 'state-3']));
  });

  it('is made of all revisions where an order has come', async () => {
    const wrong = { ...landed, 'game-state-timeline': { ...landed['game-state-timeline'], home_score: 99 } };
    const { finals, read } = await build(states, wrong, 'again/0 manual/1');
    assert.deepEqual(timelineOf(finals), all);
    assert.equal(statesRead(read).size, 3);
  });
});

const [home, away] = ['00000000-0000-5000-8000-00000000000a', '00000000-0000-5000-8000-00000000000b'];

describe('removed rows', () => {
  const started = {
    status: { status: 'COMPLETED', at: 50 },
    startedAt: 20,
    inPlayAt: null,
    starts: [{ logTime: null, start: 20 }],
  };
  const manual = { auditId: 1, at: 60, away: 90, home: 100, awayPeriods: [], homePeriods: [] };
  const twoRows = [openRow(1, 'home'), openRow(2, 'away')];

  /**
   * Builds a game again and again: each build finds what the builds before it have landed. `players`: those of the reference data who have
   * a statistic in the game.
   */
  function openGame(rows: readonly ParquetRow[] = twoRows, players: readonly ReferencePlayer[] = []) {
    const files = new StagedFiles();
    const landed = new Map<string, Artifact>();
    const { key, size, sha256 } = files.add('log', 'sportsbook-lines', rows);
    const closed = [{ seq: 1, rows: rows.length, min_timestamp: 1, max_timestamp: rows.length, key, size, sha256 }];
    const log = { gameUuid: 'g', generation: 1, rows: rows.length, closed, tail: null } as unknown as ServedLog;
    return {
      async build(states: readonly ParquetRow[], given: Partial<SettlementInputs>): Promise<void> {
        const finals = await buildFinals(
          {
            ...stagedStream(files, states, players.map(statOf)),
            settlements: { players: async () => players },
            artifacts: { served: async () => ({ log: null, closedFrom: null, artifacts: [...landed.values()] }) },
            live: { servedLog: async () => log },
            objects: { put: async () => {}, get: (name) => files.get(name) },
            parquet: parquetWriter,
          },
          { ...stagedInputs, ...given, closed: { ...stagedInputs.closed, rows: rows.length, course: started } },
          async () => {},
        );
        for (const { dataset, version, bytes, reason } of finals) {
          const { rows: read } = parquetWriter.decodeOwnColumns(bytes);
          const file = files.add(`${dataset} ${version}`, dataset, read);
          landed.set(dataset, { gameUuid: 'g', dataset, version, rows: read.length, file, landedAt: 0, reason });
        }
      },
      async newest(dataset: string): Promise<readonly ParquetRow[]> {
        const { file } = landed.get(dataset) ?? assert.fail(dataset);
        return parquetWriter.decodeOwnColumns((await files.get(file.key)) ?? assert.fail(file.key)).rows;
      },
      reasonOf: (dataset: string) => landed.get(dataset)?.reason,
    };
  }
  const results = async ({ newest }: ReturnType<typeof openGame>) =>
    (await newest('market-results')).map(({ selection, result, correction }) => [selection, result, correction]);
  const scored = { orders: 'again/0 manual/1 removed/a', evidence: 'game-state/E/1' };
  const unscored = { orders: 'again/0 removed/b', evidence: 'game-state/E/1' };
  const removed: SettlementInputs['removed'] = [[2, 2]];

  it('leave the results too while no result can be graded, and do not come back with the next evidence', async () => {
    const game = openGame();
    const [live, over] = [stateRow('LIVE', 90, 100), stateRow('COMPLETED', 101, 100)];
    await game.build([live], { manual, standing: scored, built: null });
    assert.deepEqual(await results(game), [
      ['away', 'loss', 0],
      ['home', 'win', 0],
    ]);
    await game.build([live], { removed, standing: unscored, built: scored });
    assert.deepEqual(await results(game), [['home', 'win', 0]]);
    assert.equal(game.reasonOf('market-results'), 'manual taken back, rows removed');
    const completed = { ...unscored, evidence: 'game-state/E/2' };
    await game.build([live, over], { removed, standing: completed, built: unscored });
    assert.deepEqual(await results(game), [['home', 'loss', 1]]);
    assert.deepEqual(
      (await game.newest('sportsbook-lines')).map(({ row_number: number }) => number),
      [1],
    );
  });

  it('take along the player that they alone told of, so that a build equals a first one', async () => {
    const bet = { market: 'player_points', selection: 'over', line: 10_500 };
    const row = { ...openRow(1, 'over'), ...bet, selection_id: 'player_points/full/over/John Smith' };
    const wrong = { ...row, row_number: 2, timestamp: 2, change: 'price', player_id: 'q' };
    const players = [
      { id: 'p', firstName: 'John', lastName: 'Smith', currentTeamId: home },
      { id: 'q', firstName: 'Another', lastName: 'Man', currentTeamId: away },
    ];
    const over = [stateRow('COMPLETED', 90, 100)];
    const told = async (game: ReturnType<typeof openGame>) => (await game.newest('market-results')).at(-1)?.player_id;
    const game = openGame([row, wrong, openRow(3, 'home')], players);
    await game.build(over, { standing: scored, built: null });
    assert.equal(await told(game), 'q');
    await game.build(over, { removed, standing: unscored, built: scored });
    const first = openGame([row, wrong, openRow(3, 'home')], players);
    await first.build(over, { removed, standing: unscored, built: null });
    assert.deepEqual(await told(game), 'p');
    assert.deepEqual(await game.newest('market-results'), await first.newest('market-results'));
  });

  it('that an earlier build left in the results leave them with the next evidence', async () => {
    const game = openGame();
    const over = stateRow('COMPLETED', 90, 100);
    await game.build([over], { standing: scored, built: null });
    const later = { orders: unscored.orders, evidence: 'game-state/E/2' };
    await game.build([over, stateRow('COMPLETED', 91, 100)], { removed, standing: later, built: unscored });
    assert.deepEqual(await results(game), [['home', 'win', 1]]);
  });
});
