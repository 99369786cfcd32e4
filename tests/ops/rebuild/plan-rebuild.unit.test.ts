// Which logs a rebuild makes anew, and which it leaves out for a reason: a game may settle, and a partition halt, after the logs were compared.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { type PlanTools, planRebuild, planRebuildsOf } from '../../../ops/rebuild/plan-rebuild.ts';
import { CommandFailure } from '../../../ops/session/command.ts';

const games = [
  { uuid: 'open', gameId: 'OPEN', settled: false, partition: 0, isServed: true },
  { uuid: 'settled', gameId: 'SETTLED', settled: true, partition: 0, isServed: true },
  { uuid: 'halted', gameId: 'HALTED', settled: false, partition: 1, isServed: true },
  { uuid: 'new', gameId: 'NEW', settled: false, partition: 0, isServed: false },
];
const gameOf = (name: string) => games.find(({ uuid, gameId }) => uuid === name || gameId === name) ?? null;

const tools = {
  catalogs: {
    games: { find: async (id: string) => gameOf(id) },
    live: {
      servedLog: async (uuid: string) => (gameOf(uuid)?.isServed === true ? { generation: 4, rows: 7 } : null),
      knownSince: async () => 0,
    },
    operations: {
      streams: async () => [
        { projector: 'live', partition: 0, halted: null },
        { projector: 'live', partition: 1, halted: 'a log with a hole' },
      ],
    },
  },
  broker: {
    partitionOf: async (_: string, uuid: string) => gameOf(uuid)?.partition,
    watermarks: async () => [0, 1].map((partition) => ({ partition, low: 0, high: 20 })),
    offsetAt: async () => 0,
  },
} as unknown as PlanTools;

it('plans the logs that can be made anew, and says why others cannot', async () => {
  const { planned, leftOut } = await planRebuildsOf(tools, ['OPEN', 'SETTLED', 'HALTED', 'NEW']);
  assert.deepEqual(
    planned.map(({ game, generation, rows, records }) => [game.gameId, generation, rows, records]),
    [['OPEN', 5, 7, 20]],
  );
  assert.deepEqual(
    leftOut.map(({ gameId, reason }) => [gameId, /settled|halted|no live log/.exec(reason)?.[0]]),
    [
      ['SETTLED', 'settled'],
      ['NEW', 'no live log'],
      ['HALTED', 'halted'],
    ],
  );
});

it('refuses a game that is asked for alone and cannot be rebuilt, or is not known', async () => {
  const refusal = (game: string) => planRebuild(tools, { game }).catch((error: unknown) => error);
  for (const [game, message, exitCode] of [
    ['SETTLED', /SETTLED is settled.*\.\/sds games settle SETTLED --again.*; nothing was done/, 3],
    ['NEW', /NEW has no live log yet; nothing was done/, 3],
    ['HALTED', /HALTED is in partition 1, which is halted: a log with a hole; nothing was done/, 3],
    ['UNKNOWN', /no game UNKNOWN/, 1],
  ] as const) {
    const error = await refusal(game);
    assert.ok(error instanceof CommandFailure);
    assert.match(error.message, message);
    assert.equal(error.exitCode, exitCode);
  }
});
