// The live page: the list of games, the game that is looked at, and one stream of events for all tabs. Which game is looked at stands behind the
// # of the address.
import { byId, say } from './dom.mjs';
import { openGameList } from './game-list.mjs';
import { openGameView } from './game-view.mjs';
import { backOff } from './pause.mjs';
import { openService } from './service.mjs';
import { findKey, replaceKey } from './session.mjs';
import { openSharedHeads } from './shared-heads.mjs';
import { openSpending } from './spending.mjs';
import { rowsText } from './words.mjs';

const links = { open: 'live', away: 'connecting …', paused: 'paused' };

const spending = openSpending(showSpending);
const service = openService(await findKey(), spending);
const me = await readKey();
if (me !== null) {
  spending.know(me.quota);
  run();
}

/** The record of the key; null where the key is refused. */
async function readKey() {
  const retry = backOff();
  for (;;) {
    try {
      return await service.json('/v1/me');
    } catch (error) {
      refused(error);
      if (error.isOfKey) return null;
      await retry.wait(error);
    }
  }
}

function run() {
  byId('frame').hidden = false;
  const view = openGameView(service, spending, { onRefused: refused });
  const heads = openSharedHeads(service, { onEvent, onLink, onRefused: refused });
  const list = openGameList(service, { onGames, onRefused: refused });
  let games = [];

  function onEvent(event) {
    list.moved(event.data.game_id);
    view.took(event);
  }

  function onLink(state) {
    byId('link').className = state;
    say(byId('link'), links[state]);
  }

  function onGames(listed) {
    games = listed;
    look();
  }

  /** Shows the game of the address, or of those in play the first. */
  function look() {
    const id = location.hash.slice(1);
    const wide = matchMedia('(min-width: 56rem)').matches;
    const game = games.find((each) => each.id === id) ?? (id === '' && wide ? games[0] : undefined) ?? null;
    document.body.className = game === null || id === '' ? 'choosing' : 'looking';
    list.choose(game?.id ?? null);
    if (view.open(game)) for (const event of heads.of(game.id)) view.took(event);
    const live = games.filter(({ status }) => status === 'STARTED').map((each) => each.id);
    heads.want([...new Set([...(game === null ? [] : [game.id]), ...live])].slice(0, 50));
  }

  addEventListener('hashchange', () => {
    look();
    byId('board').focus({ preventScroll: true });
    scrollTo(0, 0);
  });
}

function refused(error) {
  if (error.isOfKey) void replaceKey(error.message);
  else say(byId('spent'), error.message);
}

function showSpending() {
  const { spent, month } = spending;
  const ofMonth =
    month === null || month.of === null
      ? ''
      : ` · this month ${month.used.toLocaleString('en')} of ${rowsText(month.of)}`;
  say(byId('spent'), `${rowsText(spent)} spent in this tab${ofMonth}`);
}
