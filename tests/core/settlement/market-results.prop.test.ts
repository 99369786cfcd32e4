// Claims, for each market, each score and each line, of whole and of shortened games: two sides never both win, over and under mirror each
// other, a quarter line is the sum of its halves, and the game told with home and away exchanged gives the mirrored grades. A violation
// would need a side that is compared the wrong way round, or a line that is rounded.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { type GradedGame, gradeMarkets } from '../../../core/settlement/market-results.ts';
import type { Selection } from '../../../core/settlement/selections.ts';
import type { MarketResultsRow } from '../../../schemas/datasets/market-results.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { anyLeague, type Scored, scoresIn } from '../../support/arbitraries/settlement.ts';

type Grade = Pick<MarketResultsRow, 'result' | 'result_value' | 'result_reason'>;
/** The grade of a selection, given by its parts. */
type Grades = (market: string, period: string, selection: string, line: number | null) => Grade;

const periods = [
  ...['full', 'regulation', 'first_half', 'second_half', 'q1', 'q3', 'q4', 'p1', 'p2', 'p3'],
  ...['first_five_innings', 'last_four_innings', 'inning_1', 'inning_5', 'inning_9', 'inning_10'],
];
/** Quarter points from −7 to 16, and two lines that are not quarter points. */
const lines = [...Array.from({ length: 93 }, (_, index) => index * 250 - 7_000), 1_125, 3_001];
const twoSides: readonly (readonly [market: string, one: string, other: string, isMargin: boolean])[] = [
  ['spread', 'home', 'away', true],
  ['total', 'over', 'under', false],
  ['team_total', 'home_over', 'home_under', false],
  ['team_total', 'away_over', 'away_under', false],
];
const everySide = twoSides.flatMap(([market, one, other]) => [one, other].map((side) => [market, side] as const));

/** Final scores of up to five points each. */
const smallScores = Array.from({ length: 36 }, (_, index) => ({ away: index % 6, home: Math.floor(index / 6) }));

type Asked = { periods: readonly string[]; lines: readonly number[] };

/**
 * Checks final scores alone at every line; then games with all kinds of period scores, in all periods, at some lines.
 */
function overGames(check: (grades: Grades, asked: Asked, league: League, scores: Scored) => void): void {
  for (const score of smallScores) {
    const scores = { ...score, awayPeriods: [], homePeriods: [] };
    const asked = { periods: ['full'], lines };
    check(gradesOf('NFL', scores, asked), asked, 'NFL', scores);
  }
  const games = anyLeague.chain((league) =>
    fc.tuple(fc.constant(league), scoresIn(league), fc.subarray(lines, { minLength: 6, maxLength: 10 })),
  );
  const property = fc.property(games, ([league, scores, some]) => {
    const asked = { periods, lines: some };
    check(gradesOf(league, scores, asked), asked, league, scores);
  });
  fc.assert(property, { numRuns: cases(100) });
}

describe('each market, score and line', () => {
  it('never lets two sides win, and mirrors them', () => {
    overGames((grades, { periods, lines }) => {
      for (const period of periods) {
        assert.deepEqual(
          grades('moneyline', period, 'away', null),
          mirrored(grades('moneyline', period, 'home', null), true),
        );
        for (const line of lines) {
          for (const [market, one, other, isMargin] of twoSides) {
            const [ours, theirs] = [
              grades(market, period, one, line),
              grades(market, period, other, isMargin ? 0 - line : line),
            ];
            assert.ok(!(ours.result === 'win' && theirs.result === 'win'));
            assert.deepEqual(theirs, mirrored(ours, isMargin), `${market}/${period}/${one} ${line}`);
          }
        }
      }
    });
  });

  it('makes a quarter line of its two halves', () => {
    overGames((grades, { periods, lines }) => {
      for (const period of periods) {
        for (const line of lines.filter((each) => Math.abs(each) % 500 === 250)) {
          for (const [market, side] of everySide) {
            const at = (each: number) => grades(market, period, side, each).result;
            assert.equal(at(line), together(at(line - 250), at(line + 250)), `${market}/${period}/${side} ${line}`);
          }
        }
      }
    });
  });

  it('means by home what it means by away when the sides are exchanged', () => {
    overGames((grades, asked, league, scores) => {
      // Home bats last. If its list is one shorter, the sides cannot be swapped.
      if (scores.awayPeriods.length !== scores.homePeriods.length) return;
      const exchanged = gradesOf(
        league,
        {
          away: scores.home,
          home: scores.away,
          awayPeriods: scores.homePeriods,
          homePeriods: scores.awayPeriods,
        },
        asked,
      );
      for (const period of asked.periods) {
        for (const side of ['home', 'away', 'draw']) {
          const there = exchanged('moneyline', period, otherTeam(side), null);
          const value = side === 'draw' && there.result_value !== null ? 0 - there.result_value : there.result_value;
          assert.deepEqual(grades('moneyline', period, side, null), { ...there, result_value: value });
        }
        for (const line of asked.lines) {
          for (const [market, side] of everySide) {
            assert.deepEqual(grades(market, period, side, line), exchanged(market, period, otherTeam(side), line));
          }
        }
      }
    });
  });

  it('does all of that for players too, whose values may be fractions', () => {
    const values = [-20_000, -5_000, 0, 4_000, 5_000, 10_000, 10_625, 12_500, 20_000, 100_000, 100_005];
    for (const [value, isWhole] of values.flatMap((each) => [[each, true] as const, [each, false] as const])) {
      const grades = gradesOfPlayer(value, isWhole);
      for (const line of lines) {
        const over = grades('player_rush_attempts', 'full', 'over', line);
        assert.deepEqual(grades('player_rush_attempts', 'full', 'under', line), mirrored(over, false));
        if (Math.abs(line) % 500 !== 250) continue;
        const at = (each: number) => grades('player_rush_attempts', 'full', 'over', each).result;
        assert.equal(over.result, together(at(line - 250), at(line + 250)), `${value} on ${line}`);
      }
      const [yes, no] = ['yes', 'no'].map((side) => grades('player_rush_attempts', 'full', side, null));
      assert.deepEqual(
        no,
        isWhole ? mirrored(yes as Grade, false) : yes?.result === 'win' ? mirrored(yes, false) : yes,
      );
    }
  });
});

const opposite: Partial<Record<Grade['result'], Grade['result']>> = {
  win: 'loss',
  loss: 'win',
  half_win: 'half_loss',
  half_loss: 'half_win',
};

/** The grade of the other side; for a margin, the value changes its sign. */
function mirrored({ result, result_value: value, result_reason }: Grade, isMargin: boolean): Grade {
  return {
    result: opposite[result] ?? result,
    result_value: isMargin && value !== null ? 0 - value : value,
    result_reason,
  };
}

/** The combined result of two half stakes. */
function together(lower: Grade['result'], upper: Grade['result']): Grade['result'] {
  const both = new Set([lower, upper]);
  if (both.size === 1) return lower;
  for (const ended of ['void', 'ungraded'] as const) if (both.has(ended)) return ended;
  if (!both.has('push')) return 'ungraded';
  return both.has('win') ? 'half_win' : 'half_loss';
}

function otherTeam(selection: string): string {
  return selection.replace(/home|away/, (team) => (team === 'home' ? 'away' : 'home'));
}

function gradesOf(league: League, scores: Scored, { periods, lines }: Asked): Grades {
  const ofPeriods = periods.flatMap((period) => [
    ...['home', 'away', 'draw'].map((side) => selectionOf('moneyline', period, side, null)),
    ...everySide.flatMap(([market, side]) =>
      linesOf(market, lines).map((line) => selectionOf(market, period, side, line)),
    ),
  ]);
  // If a draw is quoted, even periods are ungraded; a draw is quoted in half of the periods only, so that the others
  // push.
  const isQuoted = ({ selection, period }: Selection) => selection !== 'draw' || period.length % 2 === 0;
  const alone = ofPeriods.filter((each) => !isQuoted(each));
  const game = { gameId: 'g', league };
  return lookUp([...gradeAll(game, ofPeriods.filter(isQuoted), scores), ...gradeAll(game, alone, scores)]);
}

/** Each line, those next to it, and those of the other side. */
function linesOf(market: string, lines: readonly number[]): number[] {
  const near = lines.flatMap((line) => [line, line - 250, line + 250]);
  return [...new Set(market === 'spread' ? near.flatMap((line) => [line, 0 - line]) : near)];
}

function gradesOfPlayer(value: number, isWhole: boolean): Grades {
  const game: GradedGame = { gameId: 'g', league: 'NFL' };
  const sides = ['over', 'under'].flatMap((side) =>
    linesOf('player', lines).map((line) => selectionOf('player_rush_attempts', 'full', side, line)),
  );
  const yesNo = ['yes', 'no'].map((side) => selectionOf('player_rush_attempts', 'full', side, null));
  const scores = { away: 3, home: 7, awayPeriods: isWhole ? [] : [3], homePeriods: isWhole ? [] : [7] };
  return lookUp(gradeAll(game, [...sides, ...yesNo], scores, value));
}

function gradeAll(game: GradedGame, selections: readonly Selection[], scores: Scored, value = 0): MarketResultsRow[] {
  const revision = { epoch: 'E', revision: 1, at: 0 };
  const rows = gradeMarkets(game, selections, {
    homeTeamId: 'home',
    awayTeamId: 'away',
    cancelledAt: null,
    manual: null,
    gameState: { ...revision, playedStatus: 'COMPLETED', ...scores },
    playerStats: {
      ...revision,
      rows: [
        { playerId: 'p', teamId: 'home', stat: 'rushing.rushAttempts', value },
        { playerId: 'p', teamId: 'home', stat: 'receiving.targets', value: 10_000 },
        { playerId: 'q', teamId: 'away', stat: 'rushing.rushAttempts', value: 0 },
      ],
    },
    players: [],
  });
  return rows ?? [];
}

function selectionOf(market: string, period: string, selection: string, line: number | null): Selection {
  const playerId = market.startsWith('player_') ? 'p' : null;
  return { selectionId: `${market}/${period}/${selection}`, market, period, selection, line, playerId };
}

function lookUp(rows: readonly MarketResultsRow[]): Grades {
  const byKey = new Map(rows.map((row) => [`${row.selection_id} ${row.line}`, row]));
  return (market, period, selection, line) => {
    const row = byKey.get(`${market}/${period}/${selection} ${line}`);
    assert.ok(row !== undefined, `${market}/${period}/${selection} ${line} was not graded`);
    const { result, result_value, result_reason } = row;
    return { result, result_value, result_reason };
  };
}
