// Heads of games for all tabs over one stream of events, which is free. The tab that leads holds the stream and passes on what comes; the others
// say which games they show. A hidden tab shows none and never leads.
import { readEvents } from './event-stream.mjs';
import { backOff, isVisible, pause } from './pause.mjs';
import { onPosted, post, tab, whenLeading } from './tabs.mjs';

/** As many as a stream takes. */
const mostGames = 50;

/** `onEvent({event, data})`: a head, a reset or a final. `onLink(state)`: `open`, `away` or `paused`. `onRefused(problem)`: the key is of no use. */
export function openSharedHeads(service, { onEvent, onLink, onRefused }) {
  /** The games of each tab, the most wanted first. */
  const wishes = new Map();
  /** The newest event of each dataset of a game. */
  const newest = new Map();
  let own = [];
  let pausing = new AbortController();
  let reopen = () => {};

  onPosted('want', (games, from) => wish(from, games));
  onPosted('who', () => isVisible() && post('want', own));
  onPosted('event', (event) => isVisible() && take(event));
  onPosted('link', (state) => isVisible() && onLink(state));
  addEventListener('pagehide', () => post('want', []));
  document.addEventListener('visibilitychange', () => (isVisible() ? start() : stop()));

  function wish(from, games) {
    const before = union();
    if (games.length === 0) wishes.delete(from);
    else wishes.set(from, games);
    const after = union();
    // A tab that is new to a game needs its heads, even if the game is followed already.
    if (games.length > 0 || before.join() !== after.join()) reopen();
  }

  function union() {
    const lists = [...wishes.values()];
    const games = new Set();
    for (let at = 0; at < mostGames && games.size < mostGames; at += 1) {
      for (const list of lists) if (list[at] !== undefined && games.size < mostGames) games.add(list[at]);
    }
    return [...games].sort();
  }

  function take(event) {
    newest.set(`${event.data.game_id} ${event.data.dataset}`, event);
    onEvent(event);
  }

  function start() {
    pausing = new AbortController();
    const { signal } = pausing;
    wish(tab, own);
    post('want', own);
    void whenLeading(signal, () => lead(signal));
  }

  function stop() {
    pausing.abort();
    wishes.clear();
    newest.clear();
    post('want', []);
    onLink('paused');
  }

  async function lead(signal) {
    const retry = backOff();
    post('who');
    await pause(100, signal);
    while (!signal.aborted) {
      const round = new AbortController();
      const end = () => round.abort();
      signal.addEventListener('abort', end, { once: true });
      // Tabs often say several things at once.
      reopen = () => setTimeout(end, 200);
      const games = union();
      try {
        if (games.length === 0) await pause(60_000, round.signal);
        else await follow(games, round.signal, retry);
        await pause(1_000, round.signal);
      } catch (error) {
        if (!round.signal.aborted) {
          if (error.isOfKey) return onRefused(error);
          link('away');
          await retry.wait(error, signal);
        }
      }
      signal.removeEventListener('abort', end);
    }
    reopen = () => {};
  }

  async function follow(games, signal, retry) {
    const body = await service.stream(`/v1/events?games=${games.map(encodeURIComponent).join()}`, { signal });
    link('open');
    retry.reset();
    for await (const event of readEvents(body)) {
      take(event);
      post('event', event);
    }
  }

  function link(state) {
    onLink(state);
    post('link', state);
  }

  if (isVisible()) start();
  return {
    /** What is known of a game that is followed already. */
    of: (id) => [...newest.values()].filter(({ data }) => data.game_id === id),
    /** These games are shown in this tab now, the most wanted first. */
    want(games) {
      if (games.join() === own.join()) return;
      own = games;
      if (!isVisible()) return;
      wish(tab, own);
      post('want', own);
    },
  };
}
