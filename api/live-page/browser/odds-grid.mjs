// The odds of one market as a table: selections down, sportsbooks across. A cell that stays keeps its element, so that what moved can be seen.
import { el, say } from './dom.mjs';
import { ageText, lineText, selectionName, shareText } from './words.mjs';

export function openOddsGrid(table, sparklines) {
  /** Cells by selection and sportsbook, with what they show. */
  let cells = new Map();
  let rows = new Map();
  let heads = new Map();
  let shape = '';
  let shownAt = 0;

  /** Shows selections of a game by market; `moves`: whether what differs has moved, and is not another view of it. */
  function show(groups, game, moves) {
    const selections = groups.flatMap((group) => group.selections);
    const books = [...new Set(selections.flatMap(({ operators }) => operators.map(({ operator }) => operator)))].sort();
    const next = [game.id, ...books, ...selections.map(({ selection_id: id }) => id)].join();
    if (next !== shape) build(groups, books, game);
    shape = next;
    shownAt = performance.now();
    for (const selection of selections) showSelection(selection, books, moves);
    for (const book of books) {
      const quotes = selections.flatMap((each) => each.operators.filter(({ operator }) => operator === book));
      heads.get(book).age = quotes[0]?.age_seconds ?? null;
    }
    age();
    drawLines();
  }

  function drawLines() {
    for (const [id, { spark }] of rows) spark.replaceChildren(sparklines.draw(id));
  }

  function build(groups, books, game) {
    const kept = cells;
    [cells, rows, heads] = [new Map(), new Map(), new Map()];
    const head = el('tr', {}, el('th', { scope: 'col' }, 'Selection'));
    for (const book of books) {
      const since = el('small', {});
      heads.set(book, { since, age: null });
      head.append(el('th', { scope: 'col', class: 'book' }, book, since));
    }
    head.append(
      el('th', { scope: 'col', class: 'hold', title: 'What the best prices of all ways keep of the stakes' }, 'Hold'),
    );
    const bodies = groups.map(({ title, selections }) => {
      const group = el(
        'tr',
        { class: 'group' },
        el('th', { scope: 'rowgroup' }, title),
        el('td', { colspan: books.length + 1 }),
      );
      return el('tbody', {}, group, ...selections.map((selection) => rowOf(selection, books, game, kept)));
    });
    table.replaceChildren(el('thead', {}, head), ...bodies);
  }

  function rowOf(selection, books, game, kept) {
    const { selection_id: id } = selection;
    const [spark, line, hold] = [el('span', {}), el('small', {}), el('td', { class: 'hold' })];
    rows.set(id, { spark, line, hold });
    const words = el('span', { class: 'name' }, selectionName(selection, game), line);
    const own = books.map((book) => {
      const key = `${id} ${book}`;
      const cell = kept.get(key) ?? newCell(id, book);
      cells.set(key, cell);
      return cell.element;
    });
    return el('tr', {}, el('th', { scope: 'row' }, el('div', {}, words, spark)), ...own, hold);
  }

  function newCell(id, book) {
    const [line, price, mark] = [el('small', {}), el('b', {}), el('span', { class: 'mark' })];
    const element = el('td', { 'data-selection': id, 'data-operator': book }, line, price, mark);
    return { element, line, price, mark, quote: null };
  }

  function showSelection(selection, books, moves) {
    const { selection_id: id, market, line, best, hold, operators } = selection;
    const row = rows.get(id);
    say(row.line, lineText(line, market));
    say(row.hold, shareText(hold));
    row.hold.classList.toggle('arbitrage', hold?.startsWith('-') ?? false);
    for (const book of books) {
      const quote = operators.find(({ operator }) => operator === book) ?? null;
      showQuote(cells.get(`${id} ${book}`), quote, { market, line, isBest: best?.operator === book }, moves);
    }
  }

  function showQuote(cell, quote, { market, line, isBest }, moves) {
    const { element, quote: before } = cell;
    cell.quote = quote;
    const isStale = quote?.quote_state === 'stale_suspect';
    const isClosed = quote !== null && !quote.is_open;
    say(cell.price, quote === null ? '' : (quote.price ?? '–').replace('-', '−'));
    say(cell.line, quote === null || quote.line === null ? '' : lineText(quote.line, market));
    say(cell.mark, [isBest && 'best', isClosed && 'suspended', isStale && 'stale'].filter(Boolean).join(', '));
    for (const [name, is] of [
      ['best', isBest],
      ['stale', isStale],
      ['closed', isClosed],
      ['other-line', quote !== null && quote.line !== line],
    ]) {
      element.classList.toggle(name, is);
    }
    if (moves && before !== null && quote !== null) flash(element, before, quote);
  }

  /** The table is as it was at its odds; only ages grow. */
  function age() {
    const passed = (performance.now() - shownAt) / 1000;
    for (const { since, age: seconds } of heads.values()) say(since, seconds === null ? '' : ageText(seconds + passed));
  }

  return { show, age, drawLines };
}

/** Up is a better price for who bets; another line is neither. */
function flash(element, before, quote) {
  const way =
    before.line !== quote.line
      ? 'moved'
      : { '-1': 'down', 0: '', 1: 'up' }[Math.sign(Number(quote.price_decimal) - Number(before.price_decimal))];
  if (!way) return;
  element.classList.remove('up', 'down', 'moved');
  // Read, so that the browser begins the animation anew.
  void element.offsetWidth;
  element.classList.add(way);
}
