// Random games that have ended: logs whose selections are mostly in markets of the league, and evidence of every kind:
// scores that fit or do not, shortened games, box scores with gaps, players who share a name. Numbers are small, so
// that they often equal lines.
import fc from 'fast-check';
import type { League } from '../../../schemas/reference/leagues.ts';
import { leaguesSaid, type OracleLeague, saidOf } from '../../oracle/leagues.ts';
import type { Evidence, LogRow } from '../../oracle/settlement-evidence.ts';
import { formulas, statisticsIn } from '../../oracle/settlement-statistics.ts';

export type Scored = { away: number; home: number; awayPeriods: number[]; homePeriods: number[] };
export type EndedGame = { league: League; log: LogRow[]; evidence: Evidence };

export const anyLeague: fc.Arbitrary<League> = fc.constantFrom(...(Object.keys(leaguesSaid) as League[]));

const someRegular = fc.constantFrom(
  'regulation',
  'first_half',
  'second_half',
  'q1',
  'q2',
  'q4',
  'p1',
  'p2',
  'p3',
  'inning_1',
);
const periods: Readonly<Record<OracleLeague['part'], readonly string[]>> = {
  quarter: ['regulation', 'first_half', 'second_half', 'q1', 'q2', 'q3', 'q4'],
  period: ['regulation', 'p1', 'p2', 'p3'],
  half: ['regulation', 'first_half', 'second_half'],
  inning: [
    ...['regulation', 'first_five_innings', 'last_four_innings'],
    ...['inning_1', 'inning_4', 'inning_5', 'inning_6', 'inning_8', 'inning_9', 'inning_10', 'inning_11'],
  ],
};
const teamSelections: readonly (readonly [market: string, selection: string])[] = [
  ...['home', 'away', 'draw', 'draw'].map((side) => ['moneyline', side] as const),
  ...['home', 'away'].map((side) => ['spread', side] as const),
  ...['over', 'under'].map((side) => ['total', side] as const),
  ...['home_over', 'home_under', 'away_over', 'away_under'].map((side) => ['team_total', side] as const),
];

/** Scores with period scores that add up, or nearly. */
export function scoresIn(league: League): fc.Arbitrary<Scored> {
  const { regular: r } = saidOf(league);
  const length = fc.oneof(
    { weight: 5, arbitrary: fc.constant(r) },
    { weight: 2, arbitrary: fc.integer({ min: r + 1, max: r + 2 }) },
    { weight: 4, arbitrary: fc.integer({ min: 0, max: r }) },
  );
  const points = fc.constantFrom(0, 0, 1, 2);
  const shapes = ['fits', 'fits', 'fits', 'fits', 'goal', 'off', 'longer', 'unbatted', 'unbatted', 'none'] as const;
  return length
    .chain((n) => {
      const list = fc.array(points, { minLength: n, maxLength: n });
      return fc.record({
        awayPeriods: list,
        homePeriods: list,
        shape: fc.constantFrom(...shapes),
        byHome: fc.boolean(),
      });
    })
    .map(({ awayPeriods, homePeriods, shape, byHome }) => {
      const unbatted = shape === 'unbatted' && league === 'MLB' ? homePeriods.slice(0, -1) : homePeriods;
      const [away, home] = [sum(awayPeriods), sum(unbatted)];
      if (shape === 'none') return { away, home, awayPeriods: [], homePeriods: [] };
      if (shape === 'longer') return { away: away + 1, home, awayPeriods: [...awayPeriods, 1], homePeriods };
      const more = shape === 'goal' ? 1 : shape === 'off' ? 2 : 0;
      return { away: away + (byHome ? 0 : more), home: home + (byHome ? more : 0), awayPeriods, homePeriods: unbatted };
    });
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/** Lines in thousandths: half points, quarter points, and now and then others. */
export const anyLine: fc.Arbitrary<number> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -16, max: 60 }).map((quarters) => quarters * 250) },
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 9 }).map((quarters) => quarters * 250) },
  { weight: 1, arbitrary: fc.integer({ min: -4_000, max: 12_000 }) },
);

const playerId = fc.constantFrom<string | null>(null, null, null, 'p1', 'p1', 'p2', 'p2', 'p3', 'r1');
const quotedNames = [
  'Ann Lee',
  'ANN  LÉE',
  'Bo Ray',
  'bo ray jr.',
  'Cy O’Neal',
  'Cy ONeal III',
  'Di-Oz',
  '?',
  'Di%20Oz',
  '0.5',
];
const quotedName = fc.option(fc.constantFrom(...quotedNames), { freq: 5 });

type Named = readonly [market: string, period: string, selection: string, isLineless: boolean, player: string | null];

function selectionIn(league: League): fc.Arbitrary<Named> {
  const own = [...formulas(league).keys()];
  const others = [...['NBA', 'NFL', 'MLB', 'NHL'].flatMap((each) => [...formulas(each).keys()]), 'x_any', 'Total'];
  const period = fc.oneof(
    { weight: 5, arbitrary: fc.constant('full') },
    { weight: 6, arbitrary: fc.constantFrom(...periods[saidOf(league).part]) },
    { weight: 1, arbitrary: fc.oneof(someRegular, fc.constantFrom('q5', 'p4', 'inning_0', 'inning_01', 'FULL')) },
  );
  const anySelection = fc.constantFrom('home', 'over', 'under', 'home_over', 'draw', 'yes', 'no', 'Yes', 'Ann Lee');
  const lineless = (selection: string) => selection === 'yes' || selection === 'no';
  const ofTeams = fc.tuple(fc.constantFrom(...teamSelections), period).map(([[market, selection], each]) => {
    return [market, each, selection, market === 'moneyline', null] as Named;
  });
  const playerSide = fc.constantFrom('over', 'under', 'over', 'yes', 'no');
  const ofPlayers = fc
    .tuple(fc.constantFrom(...own), playerSide, quotedName)
    .map(([market, selection, player]) => [market, 'full', selection, lineless(selection), player] as Named);
  const strange = fc
    .tuple(fc.constantFrom('moneyline', 'total', ...own, ...others), period, anySelection, fc.boolean(), quotedName)
    .map((named) => named as Named);
  return fc.oneof(
    { weight: 8, arbitrary: ofTeams },
    { weight: 8, arbitrary: ofPlayers },
    { weight: 2, arbitrary: strange },
  );
}

/** Rows of a log. Some selections occur again, with a player or at another line. */
export function logOf(league: League): fc.Arbitrary<LogRow[]> {
  const row = fc
    .record({
      named: selectionIn(league),
      line: anyLine,
      playerId,
      inIdentity: fc.boolean(),
      isOpen: fc.integer({ min: 0, max: 9 }).map((each) => each > 0),
      isStrange: fc.integer({ min: 0, max: 19 }).map((each) => each === 0),
    })
    .map(({ named, line: drawn, playerId, inIdentity, isOpen, isStrange }): LogRow => {
      const [market, period, selection, isLineless, player] = named;
      const line = isLineless === isStrange ? drawn : null;
      const parts = [market, period, selection, ...(player === null ? [] : [player])];
      if (inIdentity && line !== null) parts.push(String(line / 1000));
      return { selection_id: parts.join('/'), market, period, selection, line, player_id: playerId, is_open: isOpen };
    });
  const rows = fc.oneof(fc.array(row, { minLength: 16, maxLength: 24 }), fc.array(row, { maxLength: 6 }));
  return rows.chain((rows) =>
    fc.array(fc.tuple(fc.nat(), playerId, anyLine), { maxLength: 6 }).map((again) =>
      rows.concat(
        again.flatMap(([at, playerId, line]) => {
          const row = rows[at % Math.max(1, rows.length)];
          if (row === undefined) return [];
          const moves = row.line !== null && !row.selection_id.endsWith(`/${row.line / 1000}`);
          return [{ ...row, player_id: playerId, line: moves && at % 2 === 0 ? line : row.line }];
        }),
      ),
    ),
  );
}

const values = [0, 0, 0, 1, 1, 1, 2, 2, 3, 10, 10, 0.5, 0.25, 0.4, 1.4, -2, 1.1, 6.2, 5.5, 0.0005, 0.0015, 2.0625];
const anyValue = fc.constantFrom(...values.map((value) => Math.round(value * 10_000)));
const extra: Readonly<Record<OracleLeague['sport'], readonly string[]>> = {
  basketball: ['miscellaneous.minSeconds'],
  football: ['receiving.targets'],
  baseball: ['batting.plateAppearances', 'batting.atBats', 'pitching.pitchesThrown'],
  hockey: ['shifts.shifts'],
};
const team = fc.constantFrom('home', 'home', 'away', 'away', 'elsewhere', null);

/** Rows of player-stats. No player has some of the statistics; some players lack a few, some have only zeros. */
export function boxScoreIn(league: League): fc.Arbitrary<NonNullable<Evidence['playerStats']>['rows']> {
  const every = [...new Set([...[...formulas(league).values()].flatMap(statisticsIn), ...extra[saidOf(league).sport]])];
  const cells = fc.array(fc.option(anyValue, { freq: 5 }), { minLength: every.length, maxLength: every.length });
  const player = fc.record({ cells, zeros: fc.integer({ min: 0, max: 4 }).map((each) => each === 0) });
  const missing = fc.oneof(
    { weight: 3, arbitrary: fc.constant<string[]>([]) },
    { weight: 3, arbitrary: fc.subarray(every, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.subarray(every) },
  );
  // Usually at least one player of each team: half a box score grades no player.
  const teams = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constant('home'), fc.constant('away'), team, team) },
    { weight: 1, arbitrary: fc.tuple(team, team, team, team) },
  );
  return fc
    .tuple(
      fc.oneof(fc.array(player, { minLength: 4, maxLength: 4 }), fc.array(player, { maxLength: 4 })),
      teams,
      missing,
    )
    .map(([players, ofTeams, absent]) =>
      players.flatMap((each, index) =>
        every.flatMap((stat, at) => {
          const value = each.cells[at] ?? null;
          if (value === null || absent.includes(stat)) return [];
          return [{ playerId: `p${index + 1}`, teamId: ofTeams[index] ?? null, stat, value: each.zeros ? 0 : value }];
        }),
      ),
    );
}

const names = [
  ['Ann', 'Lee'],
  ['Ann', 'Lée Sr.'],
  ['Bo', 'Ray'],
  ['Cy', "O'Neal"],
  ['Di', 'Oz II'],
  ['?', '.'],
] as const;

export const referencePlayers: fc.Arbitrary<Evidence['players']> = fc
  .tuple(
    ...['p1', 'p2', 'p3', 'p4', 'r1', 'r2'].map((id) =>
      fc.record({ id: fc.constant(id), name: fc.constantFrom(...names), team }),
    ),
  )
  .map((players) =>
    players.map(({ id, name, team: currentTeamId }) => ({ id, firstName: name[0], lastName: name[1], currentTeamId })),
  );

/** Null, `times` times out of `times` + 1. */
function rarely<T>(times: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.oneof({ weight: times, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

const statuses = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED_PENDING_REVIEW', 'LIVE'];

export function evidenceOf(league: League): fc.Arbitrary<Evidence> {
  const scores = scoresIn(league);
  const gameState = fc
    .record({ scores, playedStatus: fc.constantFrom(...statuses), lacks: fc.integer({ min: 0, max: 19 }) })
    .map(({ scores: { away, home, ...lists }, playedStatus, lacks }) => {
      const known = { away: lacks === 0 ? null : away, home: lacks === 1 ? null : home };
      return { epoch: 'G', revision: 7, at: 1_000, playedStatus, ...known, ...lists };
    });
  const manual = scores.map((each) => ({ auditId: 'a1', at: 3_000, ...each }));
  const playerStats = boxScoreIn(league).map((rows) => ({ epoch: 'S', revision: 9, at: 2_000, rows }));
  const homeTeamId = fc.constantFrom('home', 'home', 'home', 'home', 'home', null);
  return fc.record({
    league: fc.constant(league),
    homeTeamId,
    awayTeamId: fc.constant('away'),
    cancelledAt: rarely(15, fc.constant(500)),
    manual: rarely(3, manual),
    gameState: fc.option(gameState, { freq: 9 }),
    playerStats: fc.option(playerStats, { freq: 9 }),
    players: referencePlayers,
  });
}

export const endedGame: fc.Arbitrary<EndedGame> = anyLeague.chain((league) =>
  fc.record({ league: fc.constant(league), log: logOf(league), evidence: evidenceOf(league) }),
);

/**
 * Changing evidence of one game. Each step takes one of a few scores, box scores, manual scores and lists of players,
 * so that earlier content comes again, while revisions and times advance.
 */
export const evidenceInSteps: fc.Arbitrary<{ league: League; log: LogRow[]; steps: Evidence[] }> = anyLeague.chain(
  (league) => {
    const some = fc.array(evidenceOf(league), { minLength: 3, maxLength: 3 });
    const choice = fc.nat({ max: 2 });
    const step = fc.record({ state: choice, stats: choice, players: choice, manual: fc.integer({ min: 0, max: 5 }) });
    return fc
      .tuple(logOf(league), some, fc.array(step, { minLength: 2, maxLength: 7 }))
      .map(([log, evidence, choices]) => ({
        league,
        log,
        steps: choices.map((each, index) => stepOf(evidence, each, index)),
      }));
  },
);

type Choice = { state: number; stats: number; players: number; manual: number };

function stepOf(evidence: readonly Evidence[], { state, stats, players, manual }: Choice, index: number): Evidence {
  const [first, gameState, playerStats] = [
    evidence[0] as Evidence,
    evidence[state]?.gameState,
    evidence[stats]?.playerStats,
  ];
  const at = (index + 1) * 1_000;
  const byHand = evidence[manual]?.manual ?? null;
  return {
    ...first,
    manual: byHand === null ? null : { ...byHand, auditId: index, at },
    gameState: gameState == null ? null : { ...gameState, revision: index, at: at + 1 },
    playerStats: playerStats == null ? null : { ...playerStats, revision: index, at: at + 2 },
    players: evidence[players]?.players ?? [],
  };
}
