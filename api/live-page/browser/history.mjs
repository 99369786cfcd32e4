// How the lines of a game moved before it was looked at, from the rows of its log. An account pays for a row once a month, however often it is
// read, so this source costs its reader the least. Of a long log these are its newest segments, after the odds at the beginning of them.
import { whenDue } from './pause.mjs';

const mostRows = 10_000;
const rowsPerPage = 5_000;

/**
 * `mayRead({price, since})`: whether so many rows at most may be spent unasked; else `allow` lets it. `take(moves)`: the values of each selection
 * in the order of the log.
 */
export function openHistory(service, game, { mayRead, take }) {
  const path = `/v1/games/${encodeURIComponent(game.id)}`;
  let plan = null;
  let isBegun = false;
  let isAllowed = false;
  const reads = whenDue(read, (error) => {
    if (error.type === 'live-cursor-reset') plan = null;
    return plan === null || (error.isPassing ?? true);
  });

  async function read(signal) {
    plan ??= await planned(signal);
    if (!isAllowed && !mayRead(plan)) return;
    const quotes = plan.before === null ? [] : quotesOf(await service.json(plan.before, { signal }));
    for (let { cursor, rows: left } = plan; left > 0; ) {
      const limit = Math.min(left, rowsPerPage);
      const page = await service.json(`${path}/sportsbook-lines/rows?cursor=${cursor}&limit=${limit}`, { signal });
      quotes.push(...page.rows);
      cursor = page.cursor;
      left -= page.rows.length || left;
    }
    // Where another game is shown by now, this is none of it.
    if (!signal.aborted) take(movesOf(quotes), plan);
  }

  /** Which rows are read, and what they cost at most; finding out is free. */
  async function planned(signal) {
    const segments = [];
    let cursor = '0:0';
    for (let omitted = 1; omitted > 0; ) {
      const manifest = await service.json(`${path}/sportsbook-lines/segments?cursor=${cursor}`, { signal });
      segments.push(...manifest.segments);
      cursor = manifest.cursor;
      omitted = manifest.segments_omitted ?? 0;
    }
    let at = segments.length - 1;
    let rows = segments[at].rows;
    while (at > 0 && rows + segments[at - 1].rows <= mostRows) {
      at -= 1;
      rows += segments[at].rows;
    }
    const since = segments[at].min_timestamp;
    const before = at === 0 ? null : `${path}/odds?at=${encodeURIComponent(since)}`;
    const price = rows + (before === null ? 0 : (await service.size(before, { signal })).rows);
    return { cursor: `${segments[at].seq}:0`, rows, before, price, since };
  }

  return {
    /** The game has a log. */
    moved() {
      if (!isBegun) reads.due();
      isBegun = true;
    },
    allow() {
      isAllowed = true;
      reads.due();
    },
    close: reads.close,
  };
}

/** The quotes of odds as rows of a log. */
function quotesOf({ as_of: timestamp, selections }) {
  return selections.flatMap(({ selection_id, operators }) =>
    operators.map((quote) => ({ timestamp, selection_id, ...quote })),
  );
}

function movesOf(quotes) {
  const moves = new Map();
  const books = new Map();
  for (const quote of quotes) {
    const { selection_id: id, operator, timestamp, change } = quote;
    if (!books.has(id)) books.set(id, new Map());
    const own = books.get(id);
    if (change === 'withdrawn') own.delete(operator);
    else own.set(operator, quote);
    const value = lineOrPrice([...own.values()]);
    if (value === null) continue;
    if (!moves.has(id)) moves.set(id, []);
    const values = moves.get(id);
    const at = Date.parse(timestamp);
    // Of rows of one instant the last one says what was quoted then.
    if (values.at(-1)?.at === at) values.pop();
    values.push({ at, value });
  }
  return moves;
}

/** The line of a selection, of one without a line its best price, as odds have them. */
function lineOrPrice(quotes) {
  const offers = quotes.filter(({ is_open: isOpen, price_decimal: price }) => isOpen && price !== null);
  const counts = new Map();
  for (const { line } of offers.length > 0 ? offers : quotes) counts.set(line, (counts.get(line) ?? 0) + 1);
  const [[line] = [null]] = [...counts].sort(([a, m], [b, n]) => n - m || inOrder(a, b));
  const prices = offers.map((offer) => (offer.line === null ? Number(offer.price_decimal) : 0));
  return line === null ? Math.max(0, ...prices) || null : Number(line);
}

function inOrder(a, b) {
  return (a === null) - (b === null) || Math.abs(a) - Math.abs(b) || a - b;
}
