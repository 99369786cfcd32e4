// Random histories of one game: few names and coarse times, so that rare events (a duplicate, a conflict, a change of
// owner, a second absence, a tie) are common.
import fc from 'fast-check';
import type { Observation, QuotesRecord, RawQuote } from '../../../schemas/events/quotes.ts';
import {
  delta,
  gameImage,
  heartbeat,
  image,
  ownerRecord,
  quote,
  type RecordFacts,
  seconds,
  startRecord,
  tick,
} from '../builders/live-records.ts';

const operator = fc.constantFrom('A', 'B', 'B_2', 'B2');
const source = fc.constantFrom('s1', 's1', 's1', 's2', 's3');

const rawQuote: fc.Arbitrary<RawQuote> = fc
  .record({
    market: fc.constantFrom('moneyline', 'spread', 'x_other'),
    period: fc.constantFrom(null, null, 'q1'),
    selection: fc.constantFrom('home', 'away', '～', '\u{1F3C8}'),
    american: fc.constantFrom('-110', '-110', '-120', '150', null, '50'),
    line: fc.constantFrom('-2.5', '-2.5', '3', null, 'x'),
    alternate: fc.constantFrom(false, false, false, true),
    state: fc.constantFrom(null, null, null, null, 'suspended'),
    source_timestamp: fc.constantFrom(null, seconds(-1)),
  })
  .map(({ selection, american, ...more }) => quote(selection, american === null ? null : Number(american), more));

const quotes = fc.array(rawQuote, { maxLength: 6 });
const deltaQuotes = fc.array(
  fc
    .tuple(rawQuote, fc.constantFrom(false, false, true))
    .map(([each, gone]) => (gone ? { ...each, state: 'withdrawn' } : each)),
  { maxLength: 4 },
);

const coverage: fc.Arbitrary<Observation['coverage']> = fc.constantFrom(
  null,
  null,
  [{ market: 'moneyline', period: null, alternate: null }],
  [{ market: 'spread', period: 'full', alternate: false }],
);

/** Four possible content hashes. They need not match the content: the fold never compares the two. */
const sha256 = fc.constantFrom('aa', 'bb', 'cc', 'dd').map((pair) => pair.repeat(32));

function recordFacts(after: number): fc.Arbitrary<RecordFacts> {
  return fc
    .record({
      source,
      coverage,
      sha256,
      sourceTimed: fc.constantFrom(false, false, true),
      jitter: fc.constantFrom(0, 0, 0, -30, -700),
      push: fc.constantFrom('p1', 'p2', null, undefined),
      index: fc.constantFrom(0, 0, 1),
      recordId: fc.constantFrom(undefined, undefined, undefined, 'k1', 'k2'),
      start: fc.constantFrom(null, null, seconds(300), seconds(900)),
      inPlay: fc.constantFrom(undefined, undefined, true, false),
    })
    .map(({ sourceTimed, jitter, push, recordId, inPlay, ...rest }) => ({
      ...rest,
      ...(sourceTimed ? { observedAt: after + jitter } : { at: after + jitter }),
      ...(push === undefined ? {} : { push }),
      ...(recordId === undefined ? {} : { recordId }),
      ...(inPlay === undefined ? {} : { inPlay }),
    }));
}

function recordAfter(after: number): fc.Arbitrary<QuotesRecord> {
  const how = recordFacts(after);
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(operator, quotes, how).map((words) => image(...words)) },
    { weight: 4, arbitrary: fc.tuple(operator, deltaQuotes, how).map((words) => delta(...words)) },
    { weight: 2, arbitrary: fc.tuple(operator, how).map((words) => heartbeat(...words)) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.dictionary(operator, quotes, { maxKeys: 3 }), how, fc.boolean())
        .map(([named, more, narrow]) => gameImage(named, narrow ? { ...more, covered: ['A', 'B2'] } : more)),
    },
    { weight: 3, arbitrary: fc.integer({ min: -40, max: 160 }).map((later) => tick(after + later)) },
    { weight: 1, arbitrary: fc.tuple(operator, source).map(([code, owner]) => ownerRecord(code, owner)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(200, 600), source, fc.boolean())
        .map(([start, name, fromSchedule]) => startRecord(seconds(start), { source: name, fromSchedule })),
    },
  );
}

/** A history of records whose times advance by a little or by a lot. */
export const histories: fc.Arbitrary<QuotesRecord[]> = fc
  .array(fc.constantFrom(0, 0, 1, 7, 14, 16, 60, 130, 650), { maxLength: 60 })
  .chain((gaps) => {
    let after = 0;
    const records = gaps.map((gap) => {
      after += gap;
      return recordAfter(after);
    });
    return fc.tuple(...records);
  });
