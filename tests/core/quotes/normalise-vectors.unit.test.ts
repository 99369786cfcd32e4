// The vectors of docs/quotes.md up to normal form: what the gateway refuses, which games exist, and every price, line and identity
// that the rows show. The fold's own verdicts (duplicates, owners, withdrawals) are not looked at here.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { fixedText } from '../../../core/decimal.ts';
import type { NormalQuote } from '../../../core/quotes/types.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { readVector, type Vector } from '../../oracle/vectors.ts';
import { PureGateway, type PurePush } from '../../support/folds/pure-gateway.ts';

const folder = new URL('../../vectors/quotes/', import.meta.url);

const ofFold = new Set<string | number>([
  'conflict',
  'late-observation',
  'other-source',
  'unknown-selection',
  'idempotency-conflict',
]);

describe('vectors of quotes, up to normal form', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  it('there are vectors', () => assert.ok(files.length >= 50));
  for (const file of files) {
    it(file.replace('.json', ''), () => check(readVector(readFileSync(new URL(file, folder), 'utf8'))));
  }
});

function check(vector: Vector): void {
  const gateway = new PureGateway();
  const refused = new Set<string>();
  const seen = new Map<string, Set<string>>();
  for (const push of vector.pushes) {
    const elements = gateway.push(push as PurePush);
    if (elements === null) {
      refused.add(JSON.stringify([push.step, null, 403]));
      continue;
    }
    for (const element of elements) {
      if ('refused' in element) {
        for (const code of element.refused) refused.add(JSON.stringify([push.step, element.index, code]));
        continue;
      }
      for (const code of element.codes) refused.add(JSON.stringify([push.step, element.index, code]));
      const quotes = seen.get(element.record.game_id) ?? new Set<string>();
      seen.set(element.record.game_id, quotes);
      for (const { operator, quotes: offered } of element.observation.operators) {
        for (const quote of offered) quotes.add(JSON.stringify([operator, ...columnsOf(quote), push.source]));
      }
    }
  }
  const expected = vector.expect.refusals
    .filter(([, , code]) => !ofFold.has(code))
    .map((refusal) => JSON.stringify(refusal));
  assert.deepEqual([...refused].sort(), [...new Set(expected)].sort());

  const ids = [...gateway.games.values()].map((game) => game.publicId ?? game.uuid);
  assert.deepEqual(ids.sort(), Object.keys(vector.expect.games).sort());
  for (const [id, game] of Object.entries(vector.expect.games)) {
    for (const row of game.rows ?? []) checkRow(seen.get(id) as Set<string>, row);
  }
}

/** Asserts that the row of an open quote shows, in normal form, what a quote said. */
function checkRow(said: Set<string>, row: readonly (string | number | boolean | null)[]): void {
  const [operator, id, market, period, selection, player, line, american, decimal, format, isOpen] = row;
  if (isOpen !== true) return;
  const shown = [operator, id, market, period, selection, player, line, american, decimal, format, row[14], row[15]];
  assert.ok(said.has(JSON.stringify(shown)), `no quote said ${JSON.stringify(shown)}`);
}

function columnsOf(quote: NormalQuote): (string | number | null)[] {
  const { price, line } = quote;
  return [
    quote.selection_id,
    quote.market,
    quote.period,
    quote.selection,
    quote.player_id,
    line === null ? null : fixedText(line, 3),
    price?.american ?? null,
    price === null ? null : fixedText(price.decimal, 4),
    price?.format ?? null,
    quote.source_timestamp === null ? null : formatMicros(quote.source_timestamp),
  ];
}
