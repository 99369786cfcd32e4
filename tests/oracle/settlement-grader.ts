// A second grader of market-results, sentence by sentence from docs/settlement.md. For every row it checks each reason
// of table 8 in turn, searching all of the evidence each time. Nothing of the product is imported.
import { saidOf } from './leagues.ts';
import { byBytes } from './quote.ts';
import type { Asked, Evidence, Final, LogRow, ResultRow } from './settlement-evidence.ts';
import { findByName, namedIn, nameIn } from './settlement-names.ts';
import { finalOf, hasScores, isShortened, periodNumbers, scoreOf } from './settlement-scores.ts';
import { evaluate, formulas } from './settlement-statistics.ts';

/** The rows of market-results; null if nothing can be published. */
export function gradeByThePage(log: readonly LogRow[], evidence: Evidence): ResultRow[] | null {
  const open = log.filter((row) => row.is_open);
  const final = finalOf(evidence);
  if (open.length === 0 || (final === null && evidence.cancelledAt === null)) return null;
  const keys = [...new Set(open.map((row) => JSON.stringify([row.selection_id, row.line])))];
  return keys
    .map((key) => open.filter((row) => JSON.stringify([row.selection_id, row.line]) === key))
    .map((rows) => gradeRow(rows, open, evidence, final))
    .sort((a, b) => byBytes(a.selection_id, b.selection_id) || (a.line ?? -(10 ** 12)) - (b.line ?? -(10 ** 12)));
}

function gradeRow(rows: LogRow[], open: LogRow[], evidence: Evidence, final: Final | null): ResultRow {
  const { selection_id, market, period, selection, line } = rows[0] as LogRow;
  const id = rows.reduce<string | null>((known, row) => row.player_id ?? known, null);
  const row: Asked = { selection_id, market, period, selection, line, id, open, evidence };
  const reason = final === null || evidence.cancelledAt !== null ? 'cancelled' : reasonOf(row, final);
  const isVoid = reason === 'cancelled' || reason === 'shortened' || reason === 'did_not_play';
  const graded = reason === null ? gradeOf(row, final as Final) : null;
  const found = id === null ? findByName(row) : { id, inS: true };
  const restsOnS = isPlayerMarket(row) && (reason === null || reason === 'did_not_play');
  const source =
    reason === 'cancelled'
      ? { source: 'status/CANCELLED', at: evidence.cancelledAt as number }
      : restsOnS
        ? {
            source: `player-stats/${evidence.playerStats?.epoch}/${evidence.playerStats?.revision}`,
            at: evidence.playerStats?.at ?? 0,
          }
        : (final as Final);
  return {
    selection_id,
    market,
    period,
    selection,
    player_id: found !== null && (found.inS || isVoid) ? found.id : null,
    line,
    result: graded?.result ?? (isVoid ? 'void' : 'ungraded'),
    result_value: graded === null ? null : toThreePlaces(graded.value),
    result_reason: reason,
    settled_at: source.at,
    settlement_source: source.source,
    correction: 0,
  };
}

/** The first reason of table 8 that applies. */
function reasonOf(row: Asked, final: Final): string | null {
  const { market, period, selection, line, evidence } = row;
  const ofPlayer = isPlayerMarket(row);
  if (!['moneyline', 'spread', 'total', 'team_total'].includes(market) && !ofPlayer) return 'unknown_market';
  if (ofPlayer ? period !== 'full' : periodNumbers(evidence.league, period) === null) return 'no_such_period';
  if (!selectionsOf(market).includes(selection)) return 'unknown_selection';
  const lineless = ['moneyline', 'yes', 'no'].some((word) => word === market || word === selection);
  if (!lineless && line === null) return 'line_missing';
  if (lineless && line !== null) return 'line_unexpected';
  const grade = ofPlayer ? playerGrade(row) : teamGrade(row, final);
  if (isShortened(evidence.league, final) && !standsInShortened(row, final, grade)) return 'shortened';
  if (!ofPlayer && !hasScores(evidence.league, period, final)) return 'no_period_scores';
  return typeof grade === 'string' ? grade : null;
}

function gradeOf(row: Asked, final: Final): Grade {
  const grade = isPlayerMarket(row) ? playerGrade(row) : teamGrade(row, final);
  if (typeof grade === 'string') throw new Error(`no grade: ${grade}`);
  return grade;
}

function isPlayerMarket({ market, evidence }: Asked): boolean {
  return formulas(evidence.league).has(market);
}

function selectionsOf(market: string): string[] {
  if (market === 'moneyline') return ['home', 'away', 'draw'];
  if (market === 'spread') return ['home', 'away'];
  if (market === 'total') return ['over', 'under'];
  if (market === 'team_total') return ['home_over', 'home_under', 'away_over', 'away_under'];
  return ['over', 'under', 'yes', 'no'];
}

// 3. Shortened games

function standsInShortened(row: Asked, final: Final, grade: Grade | string): boolean {
  const { market, period, selection, line, evidence } = row;
  const { A, H, away, home } = final;
  const longest = Math.max(A.length, H.length);
  if (!isPlayerMarket(row)) {
    const numbers = periodNumbers(evidence.league, period);
    const regular = numbers === 'rest' || numbers === 'all' || numbers === null;
    if (!regular && Math.max(...numbers) < longest) return true;
    if (saidOf(evidence.league).sport === 'baseball' && market === 'moneyline' && period === 'full') {
      if (A.length >= 5 && H.length >= 5) return true;
      return A.length === 5 && H.length === 4 && home > away;
    }
    const begun =
      numbers === 'all' ||
      (numbers === 'rest'
        ? longest > (saidOf(evidence.league).part === 'half' ? 1 : 2)
        : numbers?.some((n) => n <= longest));
    if (!['total', 'team_total'].includes(market) || begun !== true) return false;
  }
  if (typeof grade === 'string' || market.endsWith('_yds')) return false;
  if (selection === 'yes' || selection === 'no') return grade.value >= 10_000n;
  const L = BigInt(line as number) * 10n;
  return grade.value > (isQuarter(L) ? L + 2_500n : L);
}

// 4. Markets. All numbers are ten-thousandths.

interface Grade {
  result: string;
  value: bigint;
}

const points = (score: number): bigint => BigInt(score) * 10_000n;

function isQuarter(L: bigint): boolean {
  const four = L * 4n;
  return four % 10_000n === 0n && (four / 10_000n) % 2n !== 0n;
}

const stakes: Record<string, string> = {
  'win win': 'win',
  'win push': 'half_win',
  'push win': 'half_win',
  'loss push': 'half_loss',
  'push loss': 'half_loss',
  'loss loss': 'loss',
};

/** The outcome of a stake on the side above (or below) a line. */
function stakeOn(side: 'above' | 'below', value: bigint, L: bigint): Grade | string {
  const plain = (line: bigint) => (value === line ? 'push' : value > line === (side === 'above') ? 'win' : 'loss');
  if (!isQuarter(L)) return { result: plain(L), value };
  const result = stakes[`${plain(L - 2_500n)} ${plain(L + 2_500n)}`];
  return result === undefined ? 'value_between' : { result, value };
}

function teamGrade(row: Asked, final: Final): Grade | string {
  const { market, period, selection, line, open, evidence } = row;
  const { away, home } = scoreOf(evidence.league, period, final);
  const [s, o] = selection === 'away' ? [away, home] : [home, away];
  if (market === 'moneyline') {
    const value = points(s - o);
    if (selection === 'draw') return { result: s === o ? 'win' : 'loss', value };
    const isDraw = (each: LogRow) => each.market === 'moneyline' && each.selection === 'draw' && each.period === period;
    if (s === o) return open.some(isDraw) ? 'draw_quoted' : { result: 'push', value };
    return { result: s > o ? 'win' : 'loss', value };
  }
  const L = BigInt(line as number) * 10n;
  if (market === 'spread') return stakeOn('above', points(s - o), -L);
  const scored = selection.includes('home') ? home : selection.includes('away') ? away : home + away;
  return stakeOn(selection.includes('over') ? 'above' : 'below', points(scored), L);
}

// 5. Player markets

function playerGrade(row: Asked): Grade | string {
  const { market, selection, line, evidence } = row;
  const S = evidence.playerStats?.rows ?? [];
  const ofTeam = (team: string | null) => team !== null && S.some((each) => each.teamId === team);
  if (!ofTeam(evidence.homeTeamId) || !ofTeam(evidence.awayTeamId)) return 'no_player_statistics';
  const player = row.id ?? findByName(row)?.id ?? null;
  const own = S.filter((each) => each.playerId === player);
  const name = nameIn(row);
  if (player === null) return 'unknown_player';
  if (own.length === 0 && name !== null && namedIn(evidence, name).length > 0) return 'unknown_player';
  if (own.length === 0) return 'did_not_play';
  const exists = (stat: string) => S.some((each) => each.stat === stat);
  const sum = (stat: string) =>
    own.filter((each) => each.stat === stat).reduce((value, each) => value + BigInt(each.value), 0n);
  if (saidOf(evidence.league).sport === 'basketball' && exists('miscellaneous.minSeconds')) {
    if (sum('miscellaneous.minSeconds') === 0n) return 'did_not_play';
  }
  if (market.startsWith('batter_')) {
    const [turns] = ['batting.plateAppearances', 'batting.atBats'].filter(exists);
    if (turns !== undefined && sum(turns) <= 0n) return 'did_not_play';
    if (turns === undefined) return 'participation_unknown';
  }
  if (market.startsWith('pitcher_')) {
    if (!own.some((each) => each.stat.startsWith('pitching.') && each.value !== 0)) return 'did_not_play';
  }
  if (own.every((each) => each.value === 0)) return 'participation_unknown';
  const formula = formulas(evidence.league).get(market) as string;
  const value = evaluate(formula, (stat) => (exists(stat) ? sum(stat) : undefined));
  if (value === undefined) return 'unknown_statistic';
  if (selection === 'yes' || selection === 'no') {
    return { result: value >= 10_000n === (selection === 'yes') ? 'win' : 'loss', value };
  }
  return stakeOn(selection === 'over' ? 'above' : 'below', value, BigInt(line as number) * 10n);
}

/** Rounded half even. */
function toThreePlaces(value: bigint): number {
  const size = value < 0n ? -value : value;
  const [down, rest] = [size / 10n, size % 10n];
  const up = rest > 5n || (rest === 5n && down % 2n === 1n);
  return Number((value < 0n ? -1n : 1n) * (up ? down + 1n : down));
}
