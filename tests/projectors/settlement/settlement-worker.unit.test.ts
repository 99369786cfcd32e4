// The rounds of the settlement worker: it looks for games again after any failure of a round, and reads the evidence of all games only now
// and then, because that query is slow.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { it } from 'vitest';
import type { PublishedRevision, ServedStream } from '../../../core/ports/catalog/msf.ts';
import type { EvidenceSpan } from '../../../core/ports/catalog/settlement.ts';
import { noCrashPoints } from '../../../core/ports/crash-points.ts';
import { type Fields, silentLog } from '../../../core/ports/telemetry.ts';
import { newLifecycle } from '../../../core/settlement/game-lifecycle.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import type { SettlementTools } from '../../../projectors/settlement/settlement-tools.ts';
import { startSettlement } from '../../../projectors/settlement/settlement-worker.ts';
import { openManualClock } from '../../support/fakes/manual-clock.ts';

const second = 1_000;

/** A worker that finds these games; its other ports do nothing, except those given. */
function openWorker(due: (reach: EvidenceSpan) => Promise<readonly string[]>, given: Partial<SettlementTools> = {}) {
  const clock = openManualClock(0);
  const unasked = async (): Promise<never> => assert.fail('nothing is to be built');
  const { settlements, ...others } = given;
  const tools: SettlementTools = {
    artifacts: { served: unasked },
    live: { servedLog: unasked },
    msf: { stream: unasked, revisions: unasked },
    history: { archives: unasked },
    leases: { hold: unasked, release: unasked },
    objects: { put: unasked, get: unasked },
    parquet: parquetWriter,
    clock,
    crash: noCrashPoints,
    log: silentLog,
    newAttempt: () => 'attempt',
    ...others,
    settlements: {
      inputs: unasked,
      players: unasked,
      land: unasked,
      ...settlements,
      due: (_after, _limit, reach) => due(reach),
    },
  };
  const stop = startSettlement(tools);
  return {
    stop,
    clock,
    async pass(seconds: number) {
      for (let passed = 0; passed < seconds; passed += 1) {
        await setImmediate();
        clock.advance(second);
        await setImmediate();
      }
    },
  };
}

it('looks at all games at first and every 20 s, at the recent ones every second', async () => {
  const asked: EvidenceSpan[] = [];
  const { pass, stop } = openWorker(async (reach) => {
    asked.push(reach);
    return [];
  });
  await pass(41);
  await stop();
  assert.equal(asked.length, 42);
  assert.deepEqual(
    asked.flatMap((reach, round) => (reach === 'all' ? [round] : [])),
    [0, 20, 40],
  );
});

it('looks at all games every 20 s also while a wall clock that was set back catches up', async () => {
  const asked: EvidenceSpan[] = [];
  const { pass, stop, clock } = openWorker(async (reach) => {
    asked.push(reach);
    return [];
  });
  await pass(10);
  clock.setBack(600 * second);
  await pass(31);
  await stop();
  assert.deepEqual(
    asked.flatMap((reach, round) => (reach === 'all' ? [round] : [])),
    [0, 20, 40],
  );
});

it('goes on after a defect, and looks at all games again that it could not look at', async () => {
  const asked: EvidenceSpan[] = [];
  const { pass, stop } = openWorker(async (reach) => {
    asked.push(reach);
    if (asked.length <= 2) throw new TypeError('a defect');
    return [];
  });
  await pass(3);
  await stop();
  assert.deepEqual(asked, ['all', 'all', 'all', 'recent']);
});

/** A closed game without quotes that needs a timeline; its files are in a store that answers by `get`. */
function oneGame(get: SettlementTools['objects']['get']): Partial<SettlementTools> {
  const file = { key: 'k', offset: 0, size: 1, sha256: '' };
  const source = { source_updated_at: 7 };
  const changeFiles = [{ rows: 1, file }];
  const head = { revision: 1, kind: 'replace', sourceObservation: source, changeFiles } as unknown as PublishedRevision;
  const stream = { scopeUuid: 'g', dataset: 'game-state', epoch: 'E', head } as ServedStream;
  const unasked = async (): Promise<never> => assert.fail('nothing is to land');
  return {
    settlements: {
      due: unasked,
      players: unasked,
      land: unasked,
      inputs: async () => ({
        closed: {
          gameUuid: 'g',
          gameId: 'G',
          league: 'NBA',
          generation: 1,
          rows: 0,
          logTime: null,
          course: newLifecycle(),
        },
        gameId: 'G',
        league: 'NBA',
        homeTeamId: null,
        awayTeamId: null,
        manual: null,
        removed: [],
        lineups: { home: [], away: [] },
        standing: { orders: 'again/0', evidence: 'game-state/E/1' },
        built: null,
      }),
    },
    artifacts: { served: async () => ({ log: null, closedFrom: null, artifacts: [] }) },
    msf: { stream: async () => stream, revisions: async () => [head] },
    history: { archives: async () => [] },
    leases: { hold: async () => true, release: async () => {} },
    objects: { put: unasked, get },
  };
}

const refusing = async (): Promise<never> => {
  throw new Error('connect ECONNREFUSED');
};
for (const [name, get, rounds, words] of [
  [
    'asks an object store that does not answer again soon',
    refusing,
    3,
    'warn settlement put off: connect ECONNREFUSED',
  ],
  [
    'leaves a game alone that lacks an object',
    async () => null,
    30,
    'error game not settled; the others go on: object k is committed and is absent',
  ],
] as const) {
  it(name, async () => {
    const said: string[] = [];
    const saidAt: number[] = [];
    let round = -1;
    const game = oneGame(get);
    const note = (text: string, { error = '' }: Fields = {}): void => {
      said.push(`${text}: ${error}`);
      saidAt.push(round);
    };
    const log = {
      ...silentLog,
      warn: (text: string, fields?: Fields) => note(`warn ${text}`, fields),
      error: (text: string, fields?: Fields) => note(`error ${text}`, fields),
    };
    const { pass, stop } = openWorker(
      async () => {
        round += 1;
        return ['g'];
      },
      { ...game, log },
    );
    await pass(32);
    await stop();
    assert.deepEqual(saidAt.slice(0, 2), [0, rounds]);
    assert.deepEqual([...new Set(said)], [words]);
  });
}
