// What becomes of the quotes of an element once they are read: docs/quotes.md#duplicate-selections and, for a strict push,
// docs/operations.md#strict-and-validating-pushes.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { everything } from '../../../core/access/feed-grant.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { acceptingOperators } from '../../../ingest/adapters/read-quotes.ts';
import type { RawQuote } from '../../../schemas/events/quotes.ts';
import { rawQuote } from '../../support/builders/raw-quotes.ts';

const good = rawQuote();
const disagreeing: RawQuote = { ...good, american: '-145', decimal: '3' };
const game = { league: 'NFL', home: 'Philadelphia Eagles', away: 'Detroit Lions' };

/** The accepted prices, and the codes of refusals and warnings with the index of their quote. */
function judge(quotes: RawQuote[], strict: boolean) {
  const pointers = quotes.map((_, at) => `/quotes/${at}`);
  const read = [{ operator: 'x', pointer: '', quotes, pointers, wrong: new Map() }];
  const result = runToEnd(acceptingOperators(read, 'image', { names: {}, may: everything, game, strict }));
  const named = (parts: readonly { code: string; pointer: string }[]) =>
    parts.map(({ code, pointer }) => `${pointer} ${code}`);
  return {
    prices: result.operators.flatMap((operator) => operator.quotes.map(({ american }) => american)),
    refused: named(result.refusals),
    warned: named(result.warnings),
  };
}

describe('a selection that an element quotes twice', () => {
  it('is that of the first quote, which may be warned of', () => {
    assert.deepEqual(judge([disagreeing, good], false), {
      prices: ['-145'],
      refused: ['/quotes/1 duplicate-selection'],
      warned: ['/quotes/0 prices-disagree'],
    });
  });

  it('is that of the second where a strict push refuses the first', () => {
    assert.deepEqual(judge([disagreeing, good, good], true), {
      prices: ['-110'],
      refused: ['/quotes/0 prices-disagree', '/quotes/2 duplicate-selection'],
      warned: [],
    });
  });

  it('is no quote where a strict push refuses both for themselves', () => {
    assert.deepEqual(judge([disagreeing, disagreeing], true), {
      prices: [],
      refused: ['/quotes/0 prices-disagree', '/quotes/1 prices-disagree'],
      warned: [],
    });
  });

  it('is refused as a duplicate before a strict push doubts it', () => {
    assert.deepEqual(judge([good, disagreeing], true), {
      prices: ['-110'],
      refused: ['/quotes/1 duplicate-selection'],
      warned: [],
    });
  });
});
