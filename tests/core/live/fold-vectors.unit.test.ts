// Every case of tests/vectors/quotes through the pure functions: body, adapter, resolution, record, fold, cut, board.
// Run twice: straight, and with every state saved and loaded after every record. Of a long case a run takes one of the two, by its seed.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { liveFacts } from '../../../core/live/manifest.ts';
import type { QuoteRow } from '../../../core/live/types.ts';
import { formatMicros, parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { boardStates, boardsWithMissing, type PureGame, PureService } from '../../support/folds/pure-service.ts';
import {
  type ExpectedGame,
  type VectorCase,
  type VectorPush,
  vectorCases,
} from '../../support/vectors/vector-cases.ts';
import { leftOut } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const manyPushes = 50;
const straight = 'straight';
const saved = 'saved and loaded at every record';
const ways = [straight, saved];

describe('vectors of quotes, pure', () => {
  for (const vector of vectorCases()) {
    const left = (way: string) => skipFor(vector.pushes.length >= manyPushes && leftOut(way, ways, vector.name));
    it(`${vector.name}: ${vector.rule}`, left(straight), () => run(vector, new PureService()));
    it(`${vector.name}, ${saved}`, left(saved), () => run(vector, new PureService({ checkpoints: true })));
  }
});

function run(vector: VectorCase, service: PureService): void {
  const refusals = new Set<string>();
  let duplicates = 0;
  for (const push of vector.pushes) {
    const outcome = service.push(asPurePush(push));
    for (const { index, code } of outcome.refusals) refusals.add(JSON.stringify([push.step, index, code]));
    duplicates += outcome.duplicates;
  }
  const games = new Map([...service.games.values()].map((game) => [game.known.publicId ?? game.known.uuid, game]));
  assert.deepEqual([...games.keys()].sort(), Object.keys(vector.expect.games).sort());
  for (const [id, expected] of Object.entries(vector.expect.games)) compare(games.get(id)!, expected, service);
  assert.deepEqual([...refusals].sort(), vector.expect.refusals.map((refusal) => JSON.stringify(refusal)).sort());
  assert.equal(duplicates, vector.expect.duplicates);
}

function compare(game: PureGame, expected: ExpectedGame, service: PureService): void {
  if (expected.rows !== undefined) assert.deepEqual(game.rows.map(columns), expected.rows);
  assert.equal(game.rows.length, expected.row_count ?? expected.rows?.length);
  assert.deepEqual(game.segments, expected.segments);
  assert.deepEqual(boardsWithMissing(game), expected.boards);
  const { operators } = liveFacts(game.state);
  const watermarks = Object.entries(operators).map(([code, { observed_through }]) => [code, written(observed_through)]);
  assert.deepEqual(Object.fromEntries(watermarks), expected.watermarks);
  for (const [time, states] of Object.entries(expected.states ?? {})) {
    service.tick(game, parseRfc3339(time)!);
    assert.deepEqual(boardStates(game), states, time);
  }
}

function asPurePush({ source, scopes, format, query, timed, at, receivedAt, idempotencyKey, body }: VectorPush) {
  return {
    source,
    format,
    query: {
      oddsFormat: query.odds_format ?? null,
      markets: query.markets ?? null,
      bookmakers: query.bookmakers ?? null,
    },
    receivedAt,
    observedAt: timed === 'source' ? at : null,
    mayBackfill: scopes.includes('backfill'),
    idempotencyKey,
    body,
  };
}

function columns(row: QuoteRow): unknown[] {
  return [
    row.operator,
    row.selection_id,
    row.market,
    row.period,
    row.selection,
    row.player_id,
    scaled(row.line, 3),
    row.price_american,
    scaled(row.price_decimal, 4),
    row.price_source_format,
    row.is_open,
    row.change,
    row.in_play,
    written(row.timestamp),
    written(row.source_timestamp),
    row.source,
  ];
}

function written(time: number | null): string | null {
  return time === null ? null : formatMicros(time);
}

function scaled(unscaled: number | null, places: number): string | null {
  return unscaled === null ? null : (unscaled / 10 ** places).toFixed(places);
}
