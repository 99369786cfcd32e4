// The page of market-results describes the grading exactly as the grader does it: no market, selection, reason or statistic is left out or
// made up, and its examples grade as they are printed. The expected texts are written down here, once more
// (docs/settlement.md#market-results).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Table } from '../../../../api/documents/datasets/chapter.ts';
import { periodTable } from '../../../../api/documents/datasets/graded-periods.ts';
import { playerMarketTables } from '../../../../api/documents/datasets/player-markets.ts';
import { quarterLines } from '../../../../api/documents/datasets/quarter-lines.ts';
import { reasonTable } from '../../../../api/documents/datasets/result-reasons.ts';
import { scoreMarkets } from '../../../../api/documents/datasets/score-markets.ts';
import { versionReasons, versions } from '../../../../api/documents/datasets/settling.ts';
import { statisticWords } from '../../../../api/documents/datasets/statistic-words.ts';
import { gradeMarkets } from '../../../../core/settlement/market-results.ts';
import { playerMarketsOf } from '../../../../core/settlement/player-markets.ts';
import { teamMarkets } from '../../../../core/settlement/team-markets.ts';
import { reasonOf } from '../../../../core/settlement/version-reasons.ts';
import { leagues, leagueTable } from '../../../../schemas/reference/leagues.ts';
import { leaguesSaid } from '../../../oracle/leagues.ts';

/** The result of one bet on a game that ended `home` : `away`. */
function resultOf(market: string, selection: string, line: string | null, home: number, away: number): string {
  const bet = {
    selectionId: `${market}/full/${selection}`,
    market,
    period: 'full',
    selection,
    line: line === null ? null : Math.round(Number(line) * 1_000),
    playerId: null,
  };
  const rows = gradeMarkets({ gameId: 'NHL_A_B_20260110', league: 'NHL' }, [bet], {
    homeTeamId: 'home',
    awayTeamId: 'away',
    cancelledAt: null,
    manual: { auditId: 1, at: 0, home, away, homePeriods: [], awayPeriods: [] },
    gameState: null,
    playerStats: null,
    players: [],
  });
  return rows?.[0]?.result as string;
}

describe('markets on the score', () => {
  it("match the grader's list, each selection once", () => {
    const documented = scoreMarkets.flatMap(({ market, selections }) => selections.map((each) => `${market} ${each}`));
    const graded = [...teamMarkets].flatMap(([market, selections]) =>
      [...selections].map((each) => `${market} ${each}`),
    );
    assert.deepEqual(documented.toSorted(), graded.toSorted());
  });

  // Whether a sentence holds, judged by its words.
  const holds = (sentence: string, selection: string, line: number, home: number, away: number): boolean => {
    const [own, other] = selection.startsWith('away') ? [away, home] : [home, away];
    if (sentence.startsWith('never')) return false;
    if (sentence.startsWith('both score the same')) return home === away;
    if (sentence.startsWith('its team scores more')) return own > other;
    const [left, right] = sentence.startsWith('its score + the line')
      ? [own + line, other]
      : [sentence.startsWith("that team's score") ? own : home + away, line];
    if (sentence.includes(' above ')) return left > right;
    if (sentence.includes(' below ')) return left < right;
    assert.match(sentence, / (is|are) the (line|other score)$/);
    return left === right;
  };

  for (const { market, selections, wins, push } of scoreMarkets) {
    it(`${market} ${selections.join(', ')} wins, pushes and loses as its sentences say`, () => {
      const seen = new Set<string>();
      for (const selection of selections)
        for (const line of market === 'moneyline' ? [0] : [-2, -1.5, -1, 0, 1, 1.5, 2, 3])
          for (const [home, away] of [
            [0, 0],
            [1, 0],
            [0, 1],
            [2, 1],
            [1, 2],
            [3, 0],
          ] as const) {
            const expected = holds(wins, selection, line, home, away)
              ? 'win'
              : holds(push, selection, line, home, away)
                ? 'push'
                : 'loss';
            const printed = market === 'moneyline' ? null : String(line);
            const shown = `${selection} ${line} at ${home} : ${away}`;
            assert.equal(resultOf(market, selection, printed, home, away), expected, shown);
            seen.add(expected);
          }
      assert.equal(seen.size, push === 'never' ? 2 : 3);
    });
  }
});

describe('the examples of quarter lines', () => {
  for (const { market, selection, line, home, away, halves, result } of quarterLines) {
    it(`${market} ${selection} ${line} at ${home} : ${away} is ${result}, and so are its halves`, () => {
      assert.equal(resultOf(market, selection, line, home, away), result);
      const [below, above] = halves.map((half) => half.replace('−', '-').split(': ') as [string, string]);
      const distances = [below, above].map((half) => Math.abs(Math.abs(Number(half?.[0])) - Math.abs(Number(line))));
      assert.deepEqual(distances, [0.25, 0.25]);
      for (const half of [below, above]) assert.equal(resultOf(market, selection, half![0], home, away), half![1]);
    });
  }
});

it('the periods are those of the leagues', () => {
  assert.deepEqual(periodTable.headings, ['Period', ...Object.keys(leaguesSaid)]);
  const final = 'the final score';
  assert.deepEqual(
    periodTable.rows.map((row) => row.map((cell) => cell.replaceAll('`', ''))),
    [
      ['full', final, final, final, final, final],
      ['regulation', 'innings 1 to 9', 'quarters 1 to 4', 'periods 1 to 3', 'quarters 1 to 4', 'halves 1 and 2'],
      ['first_half', '–', 'quarters 1 and 2', '–', 'quarters 1 and 2', 'half 1'],
      [
        'second_half',
        '–',
        'from quarter 3 on, with overtime',
        '–',
        'from quarter 3 on, with overtime',
        'from half 2 on, with overtime',
      ],
      ['q1 … q4', '–', 'that quarter alone', '–', 'that quarter alone', '–'],
      ['p1 … p3', '–', '–', 'that period alone', '–', '–'],
      ['inning_1, inning_2, inning_3 …', 'that inning alone', '–', '–', '–', '–'],
      ['first_five_innings', 'innings 1 to 5', '–', '–', '–', '–'],
      ['last_four_innings', 'innings 6 to 9', '–', '–', '–', '–'],
    ],
  );
});

it('the reasons stand in their order, three of them void', () => {
  const rows = reasonTable.rows.map((row) => row.map((cell) => cell.replaceAll('`', '')));
  assert.deepEqual(
    rows.map(([reason]) => reason),
    'cancelled unknown_market no_such_period unknown_selection line_missing line_unexpected shortened no_period_scores draw_quoted no_player_statistics unknown_player did_not_play participation_unknown unknown_statistic value_between'.split(
      ' ',
    ),
  );
  assert.deepEqual(
    rows.filter(([, result]) => result === 'void').map(([reason]) => reason),
    ['cancelled', 'shortened', 'did_not_play'],
  );
});

it('lists exactly the reasons that versions can get', () => {
  const first = { orders: 'again/0 removed/x', evidence: 'game-state/E/1 manual/1 line-up/x player-stats/E/1' };
  const reasonAfter = (
    change: (text: string) => string,
    dataset: 'market-results' | 'closing-lines' = 'market-results',
  ) => reasonOf(dataset, first, { orders: change(first.orders), evidence: change(first.evidence) });
  const shown = versionReasons.rows.flatMap(([cell]) =>
    [...(cell ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1]),
  );
  const plain = (reason: string) =>
    reason.replace(/\/E\/\d$/, '/<epoch>/<revision>').replace(/^manual\/\d$/, 'manual/<audit id>');
  const given = [
    reasonOf('market-results', null, first),
    reasonAfter((text) => text.replace('game-state/E/1', 'game-state/E/2')),
    reasonAfter((text) => text.replace('player-stats/E/1', 'player-stats/E/2')),
    reasonAfter((text) => text.replace('manual/1', 'manual/2')),
    reasonAfter((text) => text.replace('manual/1 ', '')),
    reasonAfter((text) => text.replace('line-up/x', 'line-up/y'), 'closing-lines'),
    reasonAfter((text) => text.replace('removed/x', 'removed/y')),
    reasonAfter((text) => text.replace('again/0', 'again/1')),
  ];
  assert.deepEqual(given.map(plain), shown);
});

it('says of each dataset what brings a new version, and for how long', () => {
  const table = versions.blocks.find((block) => typeof block !== 'string' && 'rows' in block) as Table;
  const said = table.rows.map(([dataset, what, span]) => `${dataset}: ${what}: ${span}`).join('\n');
  assert.match(said, /`market-results`: .*entered by hand.*: any time$/m);
  assert.match(said, /`market-results`: .*corrected player statistics: 30 days$/m);
  assert.match(said, /`sportsbook-lines`: .*removal of rows after an audit.*: any time$/m);
  assert.doesNotMatch(said, /repair/, 'the log of a settled game is not rebuilt');
});

describe('player markets', () => {
  const tables = playerMarketTables as readonly Table[];
  const counted = new Map(
    tables.flatMap(({ headings, rows }) =>
      rows.map(([market, words]) => [`${headings[0]?.split(/, | and /)[0]} ${market}`, words] as const),
    ),
  );

  it("match the grader's list in every league", () => {
    for (const league of leagues) {
      const [own, ...others] = tables.filter(({ headings }) => headings[0]?.split(/, | and /).includes(league));
      assert.deepEqual(others, [], league);
      const markets = [...playerMarketsOf(leagueTable[league].sport).keys()];
      assert.deepEqual(
        own?.rows.map(([market]) => market),
        markets.map((market) => `\`${market}\``),
      );
      assert.ok(markets.length > 5, league);
    }
  });

  it('say in words what they count', () => {
    for (const [market, words] of counted) assert.doesNotMatch(words ?? '', /\w\.\w+[A-Z]|undefined/, market);
    for (const [market, words] of [
      ['NBA `player_points_rebounds_assists`', 'points + rebounds + assists'],
      [
        'NBA `player_double_double`',
        '1 where at least 2 of these are 10 or more, else 0: points, rebounds, assists, steals, blocks',
      ],
      ['MLB `batter_singles`', 'hits − doubles − triples − home runs'],
      ['MLB `pitcher_outs`', 'innings pitched, counted in outs: 6.2 innings are 20'],
      [
        'NFL `player_anytime_td`',
        'rushing touchdowns + receiving touchdowns, and where the game has them kickoff return touchdowns + punt return touchdowns + interception return touchdowns + fumble return touchdowns',
      ],
      ['NHL `player_goal_scorer_anytime`', 'goals'],
    ] as const)
      assert.equal(counted.get(market), words);
  });

  it('list no statistic that no market counts', () => {
    const used = new Set(tables.flatMap(({ rows }) => rows.flatMap((row) => row[2]?.match(/\w+\.\w+/g) ?? [])));
    assert.deepEqual(Object.keys(statisticWords).toSorted(), [...used].toSorted());
  });
});
