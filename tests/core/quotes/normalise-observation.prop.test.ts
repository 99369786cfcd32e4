// Claim: gateway and fold agree. For any quotes, what the gateway rejects, together with what the fold makes of the record that
// is left, is what the fold makes of the record with everything in it. A violation would need a quote that one of them refuses
// and the other does not, or a duplicate that counts against a quote which was refused.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { everything } from '../../../core/access/feed-grant.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { adaptNativePush } from '../../../ingest/adapters/native.ts';
import { acceptingOperators } from '../../../ingest/adapters/read-quotes.ts';
import type { Observation, OperatorQuotes, RawQuote } from '../../../schemas/events/quotes.ts';
import { normaliseObservation } from '../../support/builders/in-one-go.ts';
import { rawObservation, rawRecord } from '../../support/builders/raw-quotes.ts';

const noon = Date.UTC(2025, 10, 16, 12) * 1000;
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 3 });

const numberText = fc.constantFrom(
  '-110',
  '-110.0',
  '50',
  '1.91',
  '2.00005000000000000000001',
  '0',
  '-0.0',
  '2.5',
  '0.1234',
  '1e3',
  '1e400',
  '100000',
);
const rawQuotes: fc.Arbitrary<RawQuote> = fc.record({
  market: fc.constantFrom('moneyline', 'moneyline', 'spread', 'total', 'x_a', 'Bad', ''),
  period: orNull(fc.constantFrom('full', 'q1', 'H 1')),
  selection: fc.constantFrom('home', 'home', 'away', 'a/b %', '\t', ''),
  player: fc.option(fc.constantFrom('Jalen Hurts', 'A/B', ''), { nil: null, freq: 5 }),
  player_id: fc.option(fc.constantFrom('0f8fad5b-d9cb-469f-a165-70867728950e', '4711'), { nil: null }),
  line: orNull(numberText),
  alternate: fc.boolean(),
  american: orNull(numberText),
  decimal: orNull(numberText),
  fractional: orNull(fc.constantFrom('5/4', '1/0', 'evens', '10/11')),
  state: orNull(fc.constantFrom('open', 'suspended', 'withdrawn', 'closed')),
  source_timestamp: orNull(fc.integer({ min: 0, max: noon })),
});
const entries: fc.Arbitrary<OperatorQuotes[]> = fc.array(
  fc.record({ operator: fc.constantFrom('aa', 'AA', 'Bb', 'b.b', ''), quotes: fc.array(rawQuotes, { maxLength: 8 }) }),
  { maxLength: 4 },
);

/** In normal form, without positions in the record: they change when the gateway leaves something out. */
function folded(observation: Partial<Observation>): { observation: unknown; codes: string[] } {
  const result = normaliseObservation(rawRecord(rawObservation(observation)), noon);
  if (result.kind === 'refused') throw new Error(result.refusal.detail);
  const operators = result.observation.operators.map(({ operator, quotes }) => ({ operator, quotes }));
  return { observation: { ...result.observation, operators }, codes: result.refusals.map(({ code }) => code) };
}

/** A quote in the form of a native event. */
function nativeText(quote: RawQuote): string {
  const members = [`"market":${JSON.stringify(quote.market)}`, `"selection":${JSON.stringify(quote.selection)}`];
  for (const name of ['period', 'player', 'player_id', 'state'] as const)
    members.push(`"${name}":${JSON.stringify(quote[name])}`);
  members.push(`"line":${quote.line}`, `"alternate":${quote.alternate}`);
  members.push(
    `"price":{"american":${quote.american},"decimal":${quote.decimal},"fractional":${JSON.stringify(quote.fractional)}}`,
  );
  const stamp = quote.source_timestamp;
  members.push(`"source_timestamp":${stamp === null ? 'null' : `"${formatMicros(stamp)}"`}`);
  return `{${members.join(',')}}`;
}

describe('gateway and fold', () => {
  it('refuse the same parts of a game image', () => {
    fc.assert(
      fc.property(entries, (operators) => {
        const read = operators.map((entry, at) => ({
          ...entry,
          pointer: `/${at}`,
          pointers: entry.quotes.map((_, quote) => `/${at}/${quote}`),
          wrong: new Map(),
        }));
        const accepted = runToEnd(
          acceptingOperators(read, 'image', { names: {}, may: everything, game: null, strict: false }),
        );
        const left = folded({ scope: 'game', operators: accepted.operators });
        const whole = folded({ scope: 'game', operators });
        assert.deepEqual(left.codes, []);
        assert.deepEqual(
          accepted.refusals.map((refusal) => refusal.code),
          whole.codes,
        );
        assert.deepEqual(left.observation, whole.observation);
      }),
      { numRuns: 1_000 },
    );
  });

  it('refuse the same quotes of a native event, whose numbers stay as they were written', () => {
    fc.assert(
      fc.property(fc.array(rawQuotes, { maxLength: 8 }), fc.constantFrom('image', 'delta'), (quotes, kind) => {
        const body = `{"events":[{"kind":"${kind}","operator":"x","game":{"game_id":"g"},"quotes":[${quotes.map(nativeText).join(',')}]}]}`;
        const push = runToEnd(
          adaptNativePush(Buffer.from(body), 'json', {
            source: 's',
            receivedAt: noon,
            may: everything,
            mayBackfill: true,
            observedAt: null,
            idempotencyKey: null,
          }),
        );
        assert.ok(push.kind === 'elements');
        const [element] = push.elements;
        assert.ok(element?.kind === 'accepted');
        const { operators } = element.observation;
        const whole = folded({ kind, operators: [{ operator: 'x', quotes }] });
        const left = folded({ kind, operators });
        assert.deepEqual(left.codes, []);
        assert.deepEqual(
          element.refusals.map((refusal) => refusal.code),
          whole.codes,
        );
        assert.deepEqual(left.observation, whole.observation);
        for (const kept of operators[0]?.quotes ?? []) {
          const given = quotes.find(
            (quote) => quote.line === kept.line && (kept.state === 'withdrawn' || quote.american === kept.american),
          );
          assert.ok(given !== undefined, 'a number was rewritten');
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
