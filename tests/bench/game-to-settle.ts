// A closed game of any number of rows, as the projectors leave it: its segments on disk, cut as the log cuts them, and
// the catalog's entries about it. A settlement needs nothing else.

import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GameState, newGame } from '../../core/live/game-state.ts';
import type { QuoteRow } from '../../core/live/types.ts';
import { fileMetadata } from '../../core/parquet/file-metadata.ts';
import type { ClosedSegment, ServedLog } from '../../core/ports/catalog/live.ts';
import type { SettlementInputs } from '../../core/ports/catalog/settlement.ts';
import { noCrashPoints } from '../../core/ports/crash-points.ts';
import type { ObjectKey, ObjectStore } from '../../core/ports/object-store.ts';
import { silentLog } from '../../core/ports/telemetry.ts';
import { closedGame } from '../../core/settlement/closed-game.ts';
import { parquetWriter } from '../../platform/parquet/writer.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { settleGame } from '../../projectors/settlement/settle-game.ts';
import type { SettlementTools } from '../../projectors/settlement/settlement-tools.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { applyRecord } from '../support/builders/in-one-go.ts';
import { quoteRecords, uuidOf } from './quotes.ts';

export type GameToSettle = { log: ServedLog; inputs: SettlementInputs };

const dataset = sportsbookLines.name;

/** Writes the segments of a game of `rows` rows, half of them before its start. */
export async function writeGame(objects: ObjectStore, rows: number): Promise<GameToSettle> {
  const game = newGame(uuidOf(0), { generation: 1, firstSeq: 1 });
  const closed: ClosedSegment[] = [];
  let waiting: QuoteRow[] = [];
  let middle = 0;
  const endSegment = async () => {
    closed.push(await writeSegment(objects, game, closed.length + 1, waiting));
    waiting = [];
  };
  for (const row of rowsOf(game, rows)) {
    if (row.opens && waiting.length > 0) await endSegment();
    waiting.push(row.row);
    if (row.row.row_number === Math.ceil(rows / 2)) middle = row.row.timestamp;
  }
  await endSegment();
  return gameOf(game, rows, closed, middle);
}

/** Saves what `writeGame` answered, for another process to load. */
export async function saveGame(folder: string, game: GameToSettle): Promise<void> {
  await writeFile(join(folder, 'game.json'), JSON.stringify(game));
}

export async function loadGame(folder: string): Promise<GameToSettle> {
  return JSON.parse(await readFile(join(folder, 'game.json'), 'utf8')) as GameToSettle;
}

/** Settles the game as the worker does; answers how many bytes its files have. */
export async function settle(objects: ObjectStore, { log, inputs }: GameToSettle, attempt: string): Promise<number> {
  let bytes = 0;
  const tools = {
    settlements: {
      inputs: async () => inputs,
      players: async () => [],
      land: async (_: string, landed: readonly { file: { size: number } }[]) => {
        for (const { file } of landed) bytes += file.size;
        return 'landed';
      },
    },
    artifacts: { served: async () => ({ log, closedFrom: null, artifacts: [] }) },
    live: { servedLog: async () => log },
    msf: { stream: async () => null },
    objects,
    parquet: parquetWriter,
    clock: systemClock,
    crash: noCrashPoints,
    log: silentLog,
    newAttempt: () => attempt,
  } as unknown as SettlementTools;
  await settleGame(tools, log.gameUuid, () => new Promise((resolve) => setImmediate(resolve)));
  return bytes;
}

function* rowsOf(game: GameState, rows: number): Generator<{ row: QuoteRow; opens: boolean }> {
  let offset = 0;
  let left = rows;
  for (const records of quoteRecords(Number.MAX_SAFE_INTEGER, 1).chunks(100)) {
    for (const { value } of records) {
      const record = value as QuotesRecord;
      const position = { partition: 0, offset, timestamp: record.received_at ?? 0 };
      const effects = applyRecord(game, record, position);
      offset += 1;
      for (const [index, row] of effects.rows.entries()) {
        if (left === 0) return;
        left -= 1;
        yield { row, opens: effects.segmentStarts.includes(index) };
      }
    }
  }
}

async function writeSegment(
  objects: ObjectStore,
  { uuid }: GameState,
  seq: number,
  rows: readonly QuoteRow[],
): Promise<ClosedSegment> {
  const metadata = fileMetadata({ dataset, schemaVersion: 'v1', file: 'segment', gameId: rows[0]!.game_id, seq });
  const bytes = parquetWriter.encode(dataset, rows, metadata);
  const key = `segments/${uuid}/1/${String(seq).padStart(5, '0')}.parquet` as ObjectKey;
  await objects.put(key, bytes);
  const times = rows.map(({ timestamp }) => timestamp);
  return {
    seq,
    rows: rows.length,
    min_timestamp: Math.min(...times),
    max_timestamp: Math.max(...times),
    key,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

function gameOf(game: GameState, rows: number, closed: readonly ClosedSegment[], startedAt: number): GameToSettle {
  const log: ServedLog = {
    gameUuid: game.uuid,
    generation: 1,
    version: 1,
    firstSeq: 1,
    rows,
    appliedThrough: game.appliedThrough,
    updatedAt: 0,
    tail: null,
    closed,
    boards: [],
    operators: {},
  };
  const facts = closedGame(game);
  const manual = { away: 3, home: 5, awayPeriods: [], homePeriods: [], auditId: 1, at: startedAt };
  const standing = { orders: '', evidence: '' };
  return {
    log,
    inputs: {
      closed: {
        ...facts,
        rows,
        course: { ...facts.course, startedAt, status: { status: 'COMPLETED', at: startedAt } },
      },
      gameId: facts.gameId,
      league: facts.league,
      homeTeamId: null,
      awayTeamId: null,
      manual,
      removed: [],
      lineups: { home: [], away: [] },
      standing,
      built: null,
    },
  };
}
