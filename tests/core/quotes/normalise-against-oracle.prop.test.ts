// Claim: whatever is pushed, in whatever spelling, the way body → adapter → resolution → normal form → fold gives what the
// naive second implementation gives: the same refusals, games, rows, boards and watermarks. A difference would be a sentence
// of docs/quotes.md that the two read differently.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { fixedText } from '../../../core/decimal.ts';
import { operatorsWithRows } from '../../../core/live/board.ts';
import type { QuoteRow } from '../../../core/live/types.ts';
import { formatMicros, parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { generatePushes, worldTeams } from '../../oracle/generate.ts';
import { type Push, rowAsArray, runPushes } from '../../oracle/pushes.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { boardsWithMissing, PureService } from '../../support/folds/pure-service.ts';

const firstSeed = Number(process.env.SDS_TEST_SEED ?? 1);
const seeds = cases(300);

describe('pushes through the pure functions and through the oracle', () => {
  it(`agree on seeds ${firstSeed} to ${firstSeed + seeds - 1}`, () => {
    let rows = 0;
    let refusals = 0;
    for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
      const pushes = generatePushes(seed);
      const ours = runOurs(pushes);
      assert.deepEqual(ours, runOracle(pushes), `seed ${seed}`);
      rows += ours.games.reduce((sum, game) => sum + game.rows.length, 0);
      refusals += ours.refusals.length;
    }
    assert.ok(rows > 2 * seeds && refusals > seeds / 4, 'the sequences have too few rows or refusals');
  });
});

type Row = readonly (string | number | boolean | null)[];
type Game = {
  id: string;
  rows: readonly Row[];
  segments: readonly number[];
  boards: Record<string, [string, number][]>;
  watermarks: Record<string, string>;
};
type Run = { games: readonly Game[]; refusals: readonly string[]; duplicates: number };

function runOracle(pushes: readonly Push[]): Run {
  const { games, refusals, duplicates } = runPushes(pushes, worldTeams);
  return sorted({
    games: games.map(({ id, rows, segments, boards, watermarks }) => ({
      id,
      rows: rows.map(rowAsArray),
      segments,
      boards,
      watermarks,
    })),
    refusals: refusals.map((refusal) => JSON.stringify(refusal)),
    duplicates,
  });
}

function runOurs(pushes: readonly Push[]): Run {
  const service = new PureService();
  const keys = new KeyMemory();
  const refusals: string[] = [];
  let duplicates = 0;
  for (const push of pushes) {
    if (push.format === 'tick') {
      for (const game of service.games.values()) service.tick(game, timeOf(push));
      continue;
    }
    const used = keys.use(push);
    if (used === 'conflict') refusals.push(JSON.stringify([push.step, null, 'idempotency-conflict']));
    if (used !== 'new') continue;
    const outcome = service.push({
      source: push.source,
      format: push.format,
      query: {
        oddsFormat: push.query.odds_format ?? null,
        markets: push.query.markets ?? null,
        bookmakers: push.query.bookmakers ?? null,
      },
      receivedAt: timeOf(push),
      observedAt: push.timed === 'source' ? push.at : null,
      mayBackfill: push.scopes.includes('backfill'),
      idempotencyKey: push.idempotencyKey ?? null,
      body: Buffer.from(push.body, 'utf8'),
    });
    for (const { index, code } of outcome.refusals) refusals.push(JSON.stringify([push.step, index, code]));
    duplicates += outcome.duplicates;
  }
  const games = [...service.games.values()].map(({ known, state, rows, segments, ...game }): Game => {
    const watermarks = operatorsWithRows(state).map(({ code, watermark }) => [code, formatMicros(watermark as number)]);
    return {
      id: known.publicId ?? known.uuid,
      rows: rows.map(columnsOf),
      segments,
      boards: boardsWithMissing({ known, state, rows, segments, ...game }),
      watermarks: Object.fromEntries(watermarks),
    };
  });
  return sorted({ games, refusals, duplicates });
}

/** The gateway's memory of Idempotency-Keys, as far as the sequences need it: a repeated push is not processed. */
class KeyMemory {
  readonly #used: { push: Push; at: number }[] = [];

  use(push: Push): 'new' | 'repeated' | 'conflict' {
    if (push.idempotencyKey === undefined) return 'new';
    const at = timeOf(push);
    const used = this.#used.find(
      (other) =>
        other.push.source === push.source &&
        other.push.idempotencyKey === push.idempotencyKey &&
        at - other.at < 24 * 3_600_000_000,
    );
    if (used !== undefined) return used.push.body === push.body ? 'repeated' : 'conflict';
    this.#used.push({ push, at });
    return 'new';
  }
}

function timeOf(push: Push): number {
  return parseRfc3339(push.at) as number;
}

/** Refusals are compared as sets, games by id. */
function sorted({ games, refusals, duplicates }: Run): Run {
  return {
    games: games.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    refusals: [...new Set(refusals)].sort(),
    duplicates,
  };
}

function columnsOf(row: QuoteRow): Row {
  return [
    row.operator,
    row.selection_id,
    row.market,
    row.period,
    row.selection,
    row.player_id,
    row.line === null ? null : fixedText(row.line, 3),
    row.price_american,
    row.price_decimal === null ? null : fixedText(row.price_decimal, 4),
    row.price_source_format,
    row.is_open,
    row.change,
    row.in_play,
    formatMicros(row.timestamp),
    row.source_timestamp === null ? null : formatMicros(row.source_timestamp),
    row.source,
  ];
}
