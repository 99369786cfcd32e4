// When a game closes, when play began and which rows close, by docs/settlement.md alone, for logs in the form of the
// settlement vectors. Every question searches the whole log again.
import { exactOf, fixed, roundHalfEven } from './exact.ts';
import { byBytes } from './quote.ts';
import { easternDate, minute, readTime, writeTime } from './times.ts';

type OracleRow = readonly [string, string, number | null, number | null, string, (string | null)?];
type OracleRecord = {
  time?: string;
  rows?: readonly OracleRow[];
  source?: string;
  start?: string | undefined;
  told_in_play?: boolean | undefined;
  in_play?: boolean | undefined;
  status?: string;
  at?: string;
  tick?: string;
  schedule?: string;
  settle?: boolean;
};
type OracleSlot = readonly [string, string | number | null];
type OracleLineup = { actual?: readonly OracleSlot[]; expected?: readonly OracleSlot[] };
export type OracleGiven = {
  records: readonly OracleRecord[];
  lineup?: { home?: OracleLineup; away?: OracleLineup };
};

/** A row with what its record says about play. `flagged`: whether the record has the flag `in_play`. */
type LoggedRow = { row: OracleRow; time: bigint; inPlay: boolean; flagged: boolean };

export function oracleClose({ records, lineup = {} }: OracleGiven) {
  const closedBy = records.findIndex((_, index) => closesAfter(records.slice(0, index + 1)));
  const log = closedBy === -1 ? records : records.slice(0, closedBy + 1);
  const rows = loggedRows(log);
  const play = playOf(log, rows);
  const same = {
    scheduled_start: writeTime(play.scheduled),
    actual_start: play.which === 'c' ? null : writeTime(play.t0),
    game_date: easternDate(startAfter(log)!).replace(/(....)(..)(..)/, '$1-$2-$3'),
    home_player_ids: beginners(lineup.home),
    away_player_ids: beginners(lineup.away),
  };
  return {
    closed_by: closedBy === -1 ? null : closedBy,
    row_count: rows.length,
    refused: records.flatMap((record, index) => (index >= log.length && record.time !== undefined ? [index] : [])),
    case: play.which,
    t0: writeTime(play.t0),
    lines: closingLines(rows, play).map((line): Record<string, unknown> => ({ ...line, ...same })),
    ...same,
  };
}

/** Rule 1 of "When a game closes". */
function closesAfter(log: readonly OracleRecord[]): boolean {
  const last = log.at(-1)!;
  if (last.settle === true) return true;
  const status = log.filter((record) => record.status !== undefined).at(-1);
  const now = logTimeAfter(log);
  if (status === undefined || now === undefined) return false;
  if (!['COMPLETED', 'CANCELLED'].includes(status.status!)) return false;
  return now >= readTime(status.at!)! + 10n * minute;
}

/** "Log time of a game = the newest of: the times of its applied records, the times of ticks addressed to it." */
function logTimeAfter(log: readonly OracleRecord[]): bigint | undefined {
  const times = log.flatMap(({ time, tick }) => [time, tick]).filter((time) => time !== undefined);
  return times.map((time) => readTime(time)!).reduce<bigint | undefined>(newest, undefined);
}

function newest(a: bigint | undefined, b: bigint): bigint {
  return a === undefined || b > a ? b : a;
}

/** "The game's scheduled start is the schedule's where there is one, else that of the source whose event first resolved to it." */
function startAfter(log: readonly OracleRecord[]): bigint | undefined {
  const scheduled = log.filter(({ schedule }) => schedule !== undefined).at(-1);
  if (scheduled !== undefined) return readTime(scheduled.schedule!);
  const withStart = log.filter(({ start }) => start !== undefined);
  const first = withStart[0]?.source ?? 'feed';
  const newestStart = withStart.filter(({ source }) => (source ?? 'feed') === first).at(-1);
  return newestStart === undefined ? undefined : readTime(newestStart.start!);
}

function loggedRows(log: readonly OracleRecord[]): LoggedRow[] {
  return log.flatMap((record) =>
    (record.rows ?? []).map((row) => ({
      row,
      time: readTime(record.time!)!,
      inPlay: record.told_in_play ?? record.in_play ?? false,
      flagged: record.told_in_play === true,
    })),
  );
}

type Play = { which: 'a' | 'b' | 'c'; t0: bigint; scheduled: bigint };

/** Rule 1 of closing-lines. */
function playOf(log: readonly OracleRecord[], rows: readonly LoggedRow[]): Play {
  const started = log.find(({ status }) => status === 'STARTED');
  if (started !== undefined) return begun('a', readTime(started.at!)!, log);
  const flagged = rows.filter((row) => row.flagged).map(({ time }) => time);
  const [earliest] = flagged.sort((a, b) => (a < b ? -1 : 1));
  if (earliest !== undefined) return begun('b', earliest, log);
  const start = startAfter(log)!;
  return { which: 'c', t0: start, scheduled: start };
}

function begun(which: 'a' | 'b', t0: bigint, log: readonly OracleRecord[]): Play {
  const moments = log.map((_, index) => log.slice(0, index + 1));
  // A start recorded before the game had a log time was recorded before play.
  const before = moments
    .filter((moment) => (logTimeAfter(moment) ?? t0 - 1n) < t0)
    .map(startAfter)
    .at(-1);
  const first = moments.map(startAfter).find((start) => start !== undefined);
  return { which, t0, scheduled: before ?? first ?? t0 };
}

/** Rules 2 and 3 of closing-lines. */
function closingLines(rows: readonly LoggedRow[], { which, t0 }: Play) {
  const names = new Set(rows.map(({ row }) => JSON.stringify([row[0], row[1]])));
  const keys = [...names].map((name) => JSON.parse(name) as [string, string]);
  keys.sort((a, b) => byBytes(a[0], b[0]) || byBytes(a[1], b[1]));
  return keys.flatMap(([operator, id]) => {
    const ofIt = rows.filter(({ row }) => row[0] === operator && row[1] === id);
    const counting = ofIt.filter(({ time, inPlay }) => time < t0 && !inPlay);
    const open = counting.filter(({ row }) => row[4] === 'open');
    const [opening, closing, last] = [open[0], open.at(-1), counting.at(-1)];
    if (opening === undefined || closing === undefined || last === undefined) return [];
    if (last.row[4] === 'withdrawn' && t0 - last.time >= 15n * minute) return [];
    const basis = last.row[4] === 'open' ? 'last_before_start' : 'suspended_before_start';
    const [market, period, selection] = id.split('/');
    return [
      {
        operator,
        selection_id: id,
        market,
        period,
        selection,
        line: written(closing.row[2]),
        closing_price_american: closing.row[3],
        closing_price_decimal: decimalOf(closing.row[3]!),
        opening_line: written(opening.row[2]),
        opening_price_american: opening.row[3],
        opening_price_decimal: decimalOf(opening.row[3]!),
        opened_at: writeTime(opening.time),
        closed_at: writeTime(closing.time),
        close_basis: which === 'c' ? 'reconstructed' : basis,
        player_id: closing.row[5] ?? null,
      },
    ];
  });
}

function written(line: number | null): string | null {
  return line === null ? null : String(line);
}

/** docs/quotes.md#prices: 1 + a/100, or 1 + 100/|a|, rounded half even to 4 places; written without trailing zeros. */
function decimalOf(american: number): string {
  const { over } = exactOf(String(american));
  const profit = over > 0n ? { over, under: 100n } : { over: 100n, under: -over };
  return fixed(10_000n + roundHalfEven(profit, 10_000n), 4).replace(/\.?0+$/, '');
}

/** Rule 4 of closing-lines. */
function beginners({ actual = [], expected = [] }: OracleLineup = {}): (string | number)[] {
  for (const slots of [actual, expected]) {
    const starters = slots.filter(([slot]) => !slot.toLowerCase().startsWith('bench'));
    starters.sort((a, b) => byBytes(a[0], b[0]));
    const players = starters.map(([, player]) => player).filter((player) => player !== null);
    const once = players.filter((player, index) => players.indexOf(player) === index);
    if (once.length > 0) return once;
  }
  return [];
}
