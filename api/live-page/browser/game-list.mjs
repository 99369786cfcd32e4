// The games of yesterday, today and tomorrow, by what they are doing. Free of charge: it is read again every half minute while the tab is looked at.
import { byId, el } from './dom.mjs';
import { whenDue } from './pause.mjs';
import { startText } from './words.mjs';

const everyMs = 30_000;
const dayMs = 86_400_000;
const eastern = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' });

const groups = [
  { title: 'In play', of: ['STARTED', 'SUSPENDED', 'DELAYED'] },
  { title: 'To come', of: ['SCHEDULED'] },
  { title: 'Over', of: ['COMPLETED', 'POSTPONED', 'CANCELLED'] },
];

/** `onGames(games)`: what the list shows now, in its order. */
export function openGameList(service, { onGames, onRefused }) {
  const nav = byId('games');
  const league = byId('league');
  const links = new Map();
  let games = [];
  let chosen = null;

  league.addEventListener('change', show);
  const reads = whenDue(read, (error) => {
    if (error.isOfKey) {
      reads.close();
      onRefused(error);
    }
    return true;
  });
  document.addEventListener('visibilitychange', reads.due);
  setInterval(reads.due, everyMs);
  reads.due();

  async function read(signal) {
    const now = Date.now();
    const day = (ms) => eastern.format(new Date(now + ms));
    const path = `/v1/games?date_from=${day(-dayMs)}&date_to=${day(dayMs)}&limit=500`;
    games = (await service.json(path, { signal })).data;
    show();
  }

  function show() {
    const known = [...new Set(games.map((game) => game.league))].sort();
    const selected = league.value;
    league.replaceChildren(
      el('option', { value: '' }, 'All leagues'),
      ...known.map((name) => el('option', { value: name, selected: name === selected }, name)),
    );
    const listed = games.filter((game) => selected === '' || game.league === selected);
    links.clear();
    const inGroups = groups.map(({ title, of }) => ({
      title,
      own: listed.filter(({ status }) => of.includes(status)),
    }));
    nav.replaceChildren(
      ...inGroups.filter(({ own }) => own.length > 0).map(({ title, own }) => section(title, own)),
      ...(listed.length === 0 ? [el('p', { class: 'quiet' }, 'No games yesterday, today or tomorrow.')] : []),
    );
    onGames(inGroups.flatMap(({ own }) => own));
  }

  function section(title, own) {
    return el('section', {}, el('h2', {}, title), el('ul', {}, ...own.map((game) => el('li', {}, link(game)))));
  }

  function link(game) {
    const teams = el('span', { class: 'teams' }, `${game.away_team} at ${game.home_team}`);
    const state = game.status === 'SCHEDULED' ? startText(game.scheduled_start) : game.status.toLowerCase();
    const about = el('span', { class: 'quiet' }, `${game.league} · ${game.status === 'STARTED' ? 'live' : state}`);
    const current = game.id === chosen ? 'page' : null;
    const link = el('a', { href: `#${game.id}`, 'aria-current': current }, el('i', { class: 'dot' }), teams, about);
    links.set(game.id, link);
    return link;
  }

  return {
    choose(id) {
      links.get(chosen)?.removeAttribute('aria-current');
      chosen = id;
      links.get(chosen)?.setAttribute('aria-current', 'page');
    },
    /** The game has moved. */
    moved(id) {
      const dot = links.get(id)?.querySelector('.dot');
      for (const running of dot?.getAnimations() ?? []) running.cancel();
      dot?.animate([{ opacity: 1 }, { opacity: 0.25 }], { duration: 1_200, easing: 'ease-out' });
    },
  };
}
