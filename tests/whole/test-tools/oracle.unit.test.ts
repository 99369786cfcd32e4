// Claim: the oracle says what the vectors of docs/quotes.md say, and counts the recording as a count by hand does. It is the naive
// second implementation that the product is compared with; a case that fails here is a sentence misread in tests/oracle.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { quoteState } from '../../oracle/board.ts';
import { exactOf, fixed, roundHalfEven, shortest, wholeAt } from '../../oracle/exact.ts';
import { readTeams } from '../../oracle/games.ts';
import {
  generatePushes,
  printPushes,
  pushesOf,
  type Sketch,
  shrink,
  sketchPushes,
  worldTeams,
} from '../../oracle/generate.ts';
import { canonical, member, readJson, stringMember } from '../../oracle/json.ts';
import { type GameOutcome, type Outcome, type Push, rowAsArray, runPushes } from '../../oracle/pushes.ts';
import {
  columnsOf,
  foldRecords,
  publishedOf,
  type TopicObservation,
  type TopicQuote,
  type TopicRecord,
  type TopicValue,
} from '../../oracle/records.ts';
import { easternDate, readTime, writeTime } from '../../oracle/times.ts';
import { type ExpectedGame, readVector } from '../../oracle/vectors.ts';
import { eveningLeftOut } from '../../support/recordings/evening-left-out.ts';
import { oddsEvenings, pollLines } from '../../support/recordings/odds-evenings.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const vectors = new URL('../../vectors/quotes/', import.meta.url);
const teamsFile = new URL('../../vectors/teams.csv', import.meta.url);

/** Refusals are compared as sets: how often a record shows a code does not matter. */
function asSet(refusals: Outcome['refusals']): string[] {
  return [...new Set(refusals.map((refusal) => JSON.stringify(refusal)))].sort();
}

function compareGame(game: GameOutcome, expected: ExpectedGame): void {
  if (expected.rows !== undefined) assert.deepEqual(game.rows.map(rowAsArray), expected.rows);
  if (expected.row_count !== undefined) assert.equal(game.rows.length, expected.row_count);
  if (expected.segments !== undefined) assert.deepEqual(game.segments, expected.segments);
  if (expected.boards !== undefined) assert.deepEqual(game.boards, expected.boards);
  if (expected.watermarks !== undefined) assert.deepEqual(game.watermarks, expected.watermarks);
  for (const [logTime, states] of Object.entries(expected.states ?? {})) {
    assert.deepEqual(game.statesAt(logTime), states, logTime);
  }
}

describe('the oracle and the vectors of quotes', () => {
  const teams = readTeams(readFileSync(teamsFile, 'utf8'));
  for (const file of readdirSync(vectors).filter((name) => name.endsWith('.json'))) {
    const vector = readVector(readFileSync(new URL(file, vectors), 'utf8'));
    it(`${vector.name}: ${vector.rule}`, () => {
      const outcome = runPushes(vector.pushes, teams);
      assert.deepEqual(asSet(outcome.refusals), asSet(vector.expect.refusals));
      assert.equal(outcome.duplicates, vector.expect.duplicates);
      assert.deepEqual(outcome.games.map((game) => game.id).sort(), Object.keys(vector.expect.games).sort());
      for (const game of outcome.games) compareGame(game, vector.expect.games[game.id]!);
    });
  }

  it('quote_state.csv', () => {
    const lines = readFileSync(new URL('quote_state.csv', vectors), 'utf8').trim().split('\n').slice(1);
    assert.ok(lines.length > 20);
    for (const line of lines) {
      const [watermark = '', logTime = '', ownerStart = '', flag = '', missing = '', state = ''] = line.split(',');
      const inPlayFlag = flag === '' ? undefined : flag === 'true';
      const found = quoteState(
        Number(missing),
        readTime(watermark)!,
        readTime(logTime)!,
        readTime(ownerStart),
        inPlayFlag,
      );
      assert.equal(found, state, line);
    }
  });
});

describe('the oracle reads numbers as they are written', () => {
  it('keeps what a double would lose, and the place where each value stood', () => {
    const text = '{"a": [2.00005000000000000000001, -0.0, 1.2e2], "b": null, "a2": "é\\u0041"}';
    const read = readJson(text);
    const numbers = member(read, 'a')!;
    assert.deepEqual(
      numbers.items.map((item) => item.text),
      ['2.00005000000000000000001', '-0.0', '1.2e2'],
    );
    assert.equal(text.slice(numbers.start, numbers.end), '[2.00005000000000000000001, -0.0, 1.2e2]');
    assert.equal(member(read, 'b'), undefined);
    assert.equal(canonical(read), '{"a":[2.00005,0,120],"a2":"éA","b":null}');
    for (const bad of ['', '{', '[1,]', '01', '{"a":1,}', '"', 'nul', '1 2'])
      assert.throws(() => readJson(bad), SyntaxError);
  });

  it('rounds half to even on both sides of zero, and judges absurd exponents', () => {
    const rounded = [
      '0.5',
      '1.5',
      '2.5',
      '-0.5',
      '-1.5',
      '-2.5',
      '2.4999',
      '2.50000000000000000000001',
      '1e-9999999999',
    ];
    assert.deepEqual(
      rounded.map((text) => roundHalfEven(exactOf(text), 1n)),
      [0n, 2n, 2n, 0n, -2n, -2n, 2n, 3n, 0n],
    );
    assert.equal(wholeAt(exactOf('1e99999999999'), 1n)! > 10n ** 300n, true);
    assert.equal(wholeAt(exactOf('-1e-99999999999'), 1000n), undefined);
    assert.equal(exactOf('0e99999999999').over, 0n);
    assert.deepEqual(
      [fixed(-2500n, 3), fixed(5n, 4), shortest(-1500n, 3), shortest(0n, 3), shortest(100_000n, 3)],
      ['-2.500', '0.0005', '-1.5', '0', '100'],
    );
  });

  it('reads RFC 3339 and nothing else', () => {
    assert.equal(writeTime(readTime('2025-11-16T15:00:00.1234567-05:00')!), '2025-11-16T20:00:00.123456Z');
    assert.equal(writeTime(readTime('1969-12-31T23:59:59.9999999Z')!), '1969-12-31T23:59:59.999999Z');
    for (const bad of [
      '2025-02-29T00:00:00Z',
      '2025-01-01T24:00:00Z',
      '2025-01-01',
      '2025-01-01T00:00Z',
      ' 2025-01-01T00:00:00Z',
    ]) {
      assert.equal(readTime(bad), undefined, bad);
    }
    assert.equal(easternDate(readTime('2026-03-08T04:59:59Z')!), '20260307');
    assert.equal(easternDate(readTime('2026-07-05T03:59:59Z')!), '20260704');
  });
});

describe('the oracle and evenings of odds', () => {
  for (const evening of oddsEvenings) {
    const left = skipFor(eveningLeftOut(evening));
    it(`counts ${evening.name}, cuts it, and finds a second push all duplicates`, left, () => {
      const once = pollLines(evening).map((line, step): Push => {
        const snapshot = readJson(line);
        const data = member(snapshot, 'data')!;
        return {
          step,
          source: 'recorded',
          scopes: ['push', 'backfill'],
          format: 'the-odds-api-v4',
          query: {},
          at: stringMember(snapshot, 'committed_at')!,
          timed: 'source',
          idempotencyKey: undefined,
          body: line.slice(data.start, data.end),
        };
      });
      assert.equal(
        once.reduce((sum, push) => sum + readJson(push.body).items.length, 0),
        evening.elements,
      );
      const outcome = runPushes([...once, ...once], readTeams(readFileSync(teamsFile, 'utf8')));

      assert.deepEqual(outcome.refusals, []);
      assert.equal(outcome.duplicates, evening.elements);
      assert.equal(outcome.games.length, evening.games);
      const changes: Record<string, number> = {};
      for (const game of outcome.games) {
        for (const row of game.rows) changes[row.change] = (changes[row.change] ?? 0) + 1;
      }
      assert.deepEqual(changes, evening.changes);
      const { watched } = evening;
      const game = outcome.games.find(({ id }) => id === watched.id);
      assert.ok(game !== undefined, `${watched.id} of ${outcome.games.map(({ id }) => id)}`);
      assert.equal(game.rows.length, watched.rows);
      assert.deepEqual(game.segments, watched.segments);
      const open = Object.values(game.boards).filter((board) => board.length > 0);
      assert.deepEqual([open.length, open.flat().length], [watched.boards, watched.open]);
    });
  }
});

describe('the oracle folds the records of a partition', () => {
  const game = { game_uuid: '00000000-0000-5000-8000-000000000001', game_id: 'NFL_DET_PHI_20251116', league: 'NFL' };
  const at = (time: string): bigint => readTime(`2025-11-16T${time}Z`)!;
  const nothing = { rank: null, observation: null, start: null, status: null, owner: null, tick: null, settle: null };
  const quote = (selection: string, american: string): TopicQuote => ({
    market: 'moneyline',
    period: null,
    selection,
    player: null,
    player_id: null,
    line: null,
    alternate: false,
    american,
    decimal: null,
    fractional: null,
    state: null,
    source_timestamp: null,
  });

  function recordsOf(values: Partial<TopicValue>[]): TopicRecord[] {
    return values.map((value, offset) => ({
      offset: offset * 2,
      timestamp: value.received_at ?? value.tick?.at ?? value.status?.at ?? at('20:00:00'),
      value: { ...game, source: 's1', received_at: null, push: null, push_index: null, ...nothing, ...value },
    }));
  }

  function image(quotes: TopicQuote[], more: Partial<TopicObservation> = {}): TopicObservation {
    return {
      kind: 'image',
      scope: 'operator',
      observed_at: null,
      record_id: null,
      sha256: null,
      commence_time: null,
      in_play: null,
      coverage: null,
      covered_operators: null,
      operators: [{ operator: 'x', quotes }],
      ...more,
    };
  }

  it('starts, ticks, owners and direct records, each in its place in the log', () => {
    const [folded] = foldRecords(
      recordsOf([
        { start: { scheduled_start: at('20:05:00'), from_schedule: false } },
        { observation: image([quote('home', '-110'), quote('away', '99')]) },
        { received_at: at('20:01:00'), push: 'p1', push_index: 0, observation: image([quote('home', '-110')]) },
        { tick: { at: at('20:03:00') } },
        { tick: { at: at('20:03:00') + 1n } },
        {
          source: 's2',
          received_at: at('20:04:00'),
          push: 'p2',
          push_index: 0,
          observation: image([quote('home', '-120')]),
        },
        { owner: { operator: 'X', owner_source: 's2' } },
        {
          source: 's2',
          received_at: at('20:05:00'),
          push: 'p3',
          push_index: 0,
          observation: image([quote('home', '-120')]),
        },
        { start: { scheduled_start: at('20:30:00'), from_schedule: true } },
        { status: { status: 'DELAYED', at: at('20:06:00') } },
        { observation: image([], { observed_at: at('20:00:05') + 1n }) },
        { observation: image([], { kind: 'picture' }) },
      ]),
    );
    assert.ok(folded !== undefined);
    const published = publishedOf(folded);
    assert.deepEqual(
      published.rows.map((row, index) => {
        const { row_number, selection_id, change, in_play, timestamp, source } = columnsOf(row, index + 1, 'NFL');
        return [row_number, selection_id, change, in_play, timestamp, source];
      }),
      [
        [1n, 'moneyline/full/home', 'opened', false, '2025-11-16T20:00:00.000000Z', 's1'],
        [2n, 'moneyline/full/home', 'price', true, '2025-11-16T20:05:00.000000Z', 's2'],
      ],
    );
    assert.deepEqual(folded.refusals, [
      { offset: 2n, code: 'bad-price' },
      { offset: 10n, code: 'other-source' },
      { offset: 20n, code: 'future-observation' },
      { offset: 22n, code: 'bad-event' },
    ]);
    assert.deepEqual(published.segments, [2]);
    assert.equal(folded.status?.status, 'DELAYED');
    assert.equal(published.logTime, at('20:05:00'));
    assert.equal(published.appliedThrough, at('20:05:00'));
    assert.deepEqual(
      published.boards.map(({ operator, watermark, observedThrough }) => [operator, watermark, observedThrough]),
      [['X', at('20:05:00'), at('20:05:00')]],
    );
  });

  it('a tick that turns a state rewrites the board, one that turns none does not', () => {
    const values = [
      { received_at: at('20:00:00'), push: 'p1', observation: image([quote('home', '-110')]) },
      { received_at: at('20:01:00'), push: 'p2', observation: image([quote('home', '-110')]) },
    ];
    const before = publishedOf(foldRecords(recordsOf([...values, { tick: { at: at('20:03:00') } }]))[0]!);
    assert.deepEqual(
      [before.boards[0]!.observedThrough, before.boards[0]!.entries[0]!.state],
      [at('20:00:00'), 'live'],
    );
    const after = publishedOf(foldRecords(recordsOf([...values, { tick: { at: at('20:03:00') + 1n } }]))[0]!);
    assert.deepEqual(
      [after.boards[0]!.observedThrough, after.boards[0]!.entries[0]!.state],
      [at('20:01:00'), 'stale_suspect'],
    );
  });

  it('takes times of the frame more than 5 s after the broker’s timestamp for that timestamp, with a push and without', () => {
    const observation = image([quote('home', '-110')]);
    const timedBy = (time: bigint): Partial<TopicValue>[] => [
      { tick: { at: time } },
      { status: { status: 'STARTED', at: time } },
      { received_at: time, observation },
      { received_at: time, push: 'p', push_index: 0, observation },
      { received_at: time, start: { scheduled_start: 0n, from_schedule: true } },
    ];
    const foldedAt = (time: bigint) =>
      foldRecords(recordsOf(timedBy(time)).map((record) => ({ ...record, timestamp: at('20:00:00') })))[0]!;
    for (const [time, seen] of [
      [at('20:00:05'), at('20:00:05')],
      [at('20:00:05') + 1n, at('20:00:00')],
    ] as const) {
      const { logTime, rows } = publishedOf(foldedAt(time));
      assert.deepEqual([foldedAt(time).refusals, logTime, rows[0]?.timestamp], [[], seen, seen]);
    }
  });

  it('refuses a record under a foreign key', () => {
    const [record] = recordsOf([{ observation: image([quote('home', '-110')]) }]);
    const [folded] = foldRecords([{ ...record!, key: 'another' }]);
    assert.deepEqual([publishedOf(folded!).rows.length, folded!.refusals], [0, [{ offset: 0n, code: 'bad-key' }]]);
  });
});

describe('generated sequences of pushes', () => {
  const seeds = Array.from({ length: 400 }, (_, seed) => seed);

  it('are a function of their seed and reach every change and every code', () => {
    assert.equal(printPushes(generatePushes(7)), printPushes(generatePushes(7)));
    assert.notEqual(printPushes(generatePushes(7)), printPushes(generatePushes(8)));
    const wanted =
      'bad-event bad-operator forbidden-time bad-time future-observation game-conflict bad-quote bad-state bad-price ' +
      'bad-line missing-line duplicate-selection conflict late-observation other-source unknown-selection duplicate ' +
      'opened price line price_and_line suspended resumed withdrawn unminted';
    const missing = new Set<string | number>([...wanted.split(' '), 'two sources', 403]);
    for (const seed of seeds) {
      if (missing.size === 0) break;
      const outcome = runPushes(generatePushes(seed), worldTeams);
      if (outcome.duplicates > 0) missing.delete('duplicate');
      for (const [, , code] of outcome.refusals) missing.delete(code);
      for (const game of outcome.games) {
        for (const row of game.rows) missing.delete(row.change);
        if (game.id === game.uuid) missing.delete('unminted');
        if (new Set(game.fold.applied.map((record) => record.source)).size > 1) missing.delete('two sources');
      }
    }
    assert.deepEqual([...missing], []);
  });

  it('shrink to what makes them fail', () => {
    const withdraws = (sketches: readonly Sketch[]): boolean =>
      runPushes(pushesOf(sketches), worldTeams).games.some((game) =>
        game.rows.some((row) => row.change === 'withdrawn'),
      );
    const seed = seeds.find((one) => withdraws(sketchPushes(one)))!;
    const small = shrink(sketchPushes(seed), withdraws);
    assert.ok(withdraws(small));
    assert.ok(small.length <= 3, printPushes(pushesOf(small)));
  });
});
