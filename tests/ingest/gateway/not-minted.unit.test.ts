// The log lines about games that wait for a team's name: one per minute and source, however many games a source invents.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { ResolvedGame } from '../../../core/ports/catalog/games.ts';
import { type Log, silentLog } from '../../../core/ports/telemetry.ts';
import { microsPerMinute } from '../../../core/units.ts';
import { logNotMinted } from '../../../ingest/gateway/not-minted.ts';

const game = (gameId: string, detail: string | null): ResolvedGame => {
  const warning = detail === null ? null : ({ code: 'unknown-team', detail } as const);
  return { uuid: gameId, gameId, league: 'NFL', startToLog: null, settled: false, warning };
};

it('thousands of games of invented teams are one line, and those a minute later another that counts them', () => {
  const lines: (readonly [unknown, unknown, unknown])[] = [];
  const log: Log = {
    ...silentLog,
    warn: (_, facts) => void lines.push([facts?.source, facts?.game, facts?.passed_over]),
  };
  const invented = (from: number) => Array.from({ length: 4_000 }, (_, at) => game(`g${from + at}`, 'no such team'));
  logNotMinted(log, 'honest', 0, [game('minted', null)]);
  for (let push = 0; push < 4; push += 1) logNotMinted(log, 'hostile', push, invented(4_000 * push));
  logNotMinted(log, 'honest', 10, [game('h', 'no such team')]);
  logNotMinted(log, 'hostile', microsPerMinute, invented(16_000));
  assert.equal(lines.length, 3);
  assert.deepEqual(lines, [
    ['hostile', 'g0', 0],
    ['honest', 'h', 0],
    ['hostile', 'g16000', 15_999],
  ]);
});
