// Which markets are shown, and how prices are written.
import { byId, el } from './dom.mjs';
import { marketName } from './words.mjs';

const order = ['moneyline', 'spread', 'total', 'team_total'];

/** `changed()`: the reader chose. */
export function openMarketChoice(changed) {
  const select = byId('market');
  const format = byId('format');
  let chosen = '';
  select.addEventListener('change', () => {
    chosen = select.value;
    changed();
  });
  format.addEventListener('change', changed);

  return {
    /** The markets of all odds of a game; the choice stays where it is among them. */
    offer(selections) {
      const groups = groupsOf(selections);
      if (!groups.some(({ name }) => name === chosen)) chosen = '';
      const values = ['', ...groups.map(({ name }) => name)];
      if ([...select.options].map(({ value }) => value).join() !== values.join()) {
        const options = groups.map(({ name, title }) => el('option', { value: name }, title));
        select.replaceChildren(el('option', { value: '' }, 'All markets'), ...options);
      }
      select.value = chosen;
    },
    /** Those of `selections` that are shown, by market. */
    shown: (selections) => groupsOf(selections).filter(({ name }) => chosen === '' || name === chosen),
    /** The market and the period that are asked for; null: all. */
    get asked() {
      const [market, period] = chosen.split('/');
      return chosen === '' ? null : { market, period };
    },
    get format() {
      return format.value;
    },
  };
}

/** Selections by market and period, the markets of teams first. */
function groupsOf(selections) {
  const groups = new Map();
  for (const selection of selections) {
    const { market, period } = selection;
    const name = `${market}/${period}`;
    const group = groups.get(name) ?? { name, market, title: marketName(market, period), selections: [] };
    groups.set(name, group);
    group.selections.push(selection);
  }
  const rank = ({ market }) => order.indexOf(market) + 1 || order.length + 1;
  return [...groups.values()].sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}
