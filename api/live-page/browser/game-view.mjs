// The game that is looked at: its odds, of which instant and version they are, and what they cost.
import { byId, el, say } from './dom.mjs';
import { openHistory } from './history.mjs';
import { openMarketChoice } from './market-choice.mjs';
import { openOddsGrid } from './odds-grid.mjs';
import { openOddsReader } from './odds-reader.mjs';
import { openScore } from './score.mjs';
import { openSparklines } from './sparkline.mjs';
import { clockText, rowsText, startText } from './words.mjs';

export function openGameView(service, spending, { onRefused }) {
  const [view, title, about, notice, version] = ['game', 'game-title', 'game-about', 'notice', 'version'].map(byId);
  const choice = openMarketChoice(choose);
  let game = null;
  let reader = null;
  let score = null;
  let history = null;
  let grid = null;
  let sparklines = null;
  let head = null;
  /** What the odds shown were asked for. */
  let shown = '';

  setInterval(() => grid?.age(), 1_000);

  function choose() {
    reader?.choose(choice.asked, choice.format);
  }

  function show(document, isWhole) {
    const { selections } = document;
    if (isWhole) choice.offer(selections);
    choose();
    sparklines.take(document);
    // Prices of another format come with the next answer.
    if (!selections.every(({ operators }) => operators.every(({ price }) => isIn(choice.format, price)))) return;
    const groups = choice.shown(selections);
    const view = `${JSON.stringify(choice.asked)} ${choice.format}`;
    grid.show(groups, game, view === shown);
    shown = view;
    byId('odds').setAttribute('data-as-of', document.as_of ?? '');
    byId('odds').setAttribute('data-board-version', document.board_version ?? '');
    byId('odds').hidden = groups.length === 0;
    say(byId('none'), groups.length === 0 ? 'No sportsbook quotes this game now.' : '');
    showVersion(document);
  }

  function showVersion({ as_of: asOf, provisional }) {
    const of = asOf === null ? '' : `as of ${clockText(asOf)}`;
    const log =
      head === null
        ? ''
        : ` · newest head: board version ${head.board_version}, row ${head.rows.toLocaleString('en')} of the log`;
    say(version, `${of}${provisional ? log : ' · from the final file'}`);
  }

  function hold(rows) {
    const more = el('button', {
      type: 'button',
      click() {
        spending.allowMore(rows);
        notice.replaceChildren();
        reader?.moved();
      },
    });
    more.append(`Spend up to ${rowsText(spending.more(rows))} more`);
    notice.replaceChildren(
      `Paused: the next look costs up to ${rowsText(rows)}, and this tab has spent ${rowsText(spending.spent)}. `,
      more,
    );
  }

  /** An account without a quota has its lines drawn from the log unasked. */
  function mayDraw({ price, since }) {
    if (spending.month.of === null) return true;
    const draw = el('button', {
      type: 'button',
      click() {
        byId('moves').replaceChildren();
        history?.allow();
      },
    });
    draw.append(`Draw them since ${clockText(since)}: up to ${rowsText(price)}`);
    byId('moves').replaceChildren('Lines are drawn since the page was opened. ', draw);
    return false;
  }

  function drawBefore(moves, { rows, since }) {
    sparklines.takeBefore(moves);
    grid.drawLines();
    byId('moves').replaceChildren(
      `Lines are drawn since ${clockText(since)}, from ${rowsText(rows)} of the log, each of which is paid for once a month.`,
    );
  }

  function fault(error) {
    if (error?.isOfKey) onRefused(error);
    else notice.replaceChildren(...(error === null ? [] : [el('strong', {}, 'Not up to date: '), error.message]));
  }

  return {
    /** Shows a game; null: none. Whether it is another one than before. */
    open(next) {
      if (next?.id === game?.id) {
        game = next;
        if (game !== null) showState();
        return false;
      }
      reader?.close();
      score?.close();
      history?.close();
      game = next;
      head = null;
      shown = '';
      notice.replaceChildren();
      view.hidden = game === null;
      byId('welcome').hidden = game !== null;
      if (game === null) return false;
      sparklines = openSparklines();
      byId('odds').replaceChildren();
      grid = openOddsGrid(byId('odds'), sparklines);
      say(title, `${game.away_team} at ${game.home_team}`);
      document.title = `${game.away_team} at ${game.home_team} · live odds`;
      showState();
      say(version, '');
      say(byId('none'), 'Waiting for a first quote …');
      byId('odds').hidden = true;
      byId('moves').replaceChildren();
      score = openScore(service, spending, game);
      history = openHistory(service, game, { mayRead: mayDraw, take: drawBefore });
      reader = openOddsReader(service, spending, game, {
        show,
        onCost: (rows) =>
          say(
            byId('price'),
            rows === 0 ? 'free of charge here' : `${rowsText(rows)} each time they are read, at most every 10 s`,
          ),
        onHeld: hold,
        onFault: fault,
      });
      return true;
    },
    /** An event of any game. */
    took({ event, data }) {
      if (game === null || data.game_id !== game.id) return;
      score.took(data);
      if (data.dataset !== 'sportsbook-lines') return;
      if (event === 'head') {
        head = data;
        if (head.rows > 0) history.moved();
      }
      reader.moved();
    },
  };

  function showState() {
    say(
      about,
      `${game.league} · ${game.status === 'STARTED' ? 'live' : game.status.toLowerCase()} · scheduled for ${startText(game.scheduled_start)}`,
    );
  }
}

const forms = { american: /^[+-]\d+$/, decimal: /^\d+\.\d+$/, fractional: /^\d+\/\d+$/ };

function isIn(format, price) {
  return price === null || forms[format].test(price);
}
