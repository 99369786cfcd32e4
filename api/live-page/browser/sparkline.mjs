// How the line of each selection has moved; of one without a line, its best price. What was shown costs nothing more; what was before comes from
// the log of the game.
import { drawn } from './dom.mjs';

const mostPoints = 240;
const [width, height, edge] = [72, 20, 2];

export function openSparklines() {
  /** Where each selection has moved, by instants of the service. */
  const series = new Map();
  let since = Number.POSITIVE_INFINITY;
  let until = 0;

  function add(id, at, value) {
    const points = series.get(id) ?? [];
    series.set(id, points);
    since = Math.min(since, at);
    until = Math.max(until, at);
    if (points.at(-1)?.value === value) return;
    points.push({ at: Math.max(at, points.at(-1)?.at ?? 0), value });
    if (points.length > mostPoints) points.shift();
  }

  return {
    /** Takes the values of newer odds. */
    take({ as_of: asOf, selections }) {
      if (asOf === null) return;
      for (const { selection_id: id, line, best } of selections) {
        const value = line ?? best?.price_decimal ?? null;
        if (value !== null) add(id, Date.parse(asOf), Number(value));
      }
    },
    /** Takes what was before them: the values of each selection. */
    takeBefore(moves) {
      for (const [id, values] of moves) {
        const after = series.get(id) ?? [];
        series.set(id, []);
        for (const { at, value } of [...values, ...after]) add(id, at, value);
      }
    },
    /** The drawing of one selection. */
    draw(id) {
      const points = series.get(id) ?? [];
      const values = points.map(({ value }) => value);
      const words = values.length < 2 ? 'unchanged' : `from ${values[0]} to ${values.at(-1)}`;
      const facts = { class: 'spark', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': words };
      return drawn('svg', facts, drawn('path', { d: pathOf(points, { since, until }) }));
    },
  };
}

/** Steps: a line holds until it moves. */
function pathOf(points, { since, until }) {
  if (points.length === 0) return '';
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (at) => (edge + ((at - since) / Math.max(until - since, 1)) * (width - 2 * edge)).toFixed(1);
  const y = (value) =>
    (low === high ? height / 2 : height - edge - ((value - low) / (high - low)) * (height - 2 * edge)).toFixed(1);
  const steps = points.slice(1).map(({ at, value }) => `H${x(at)}V${y(value)}`);
  return `M${x(points[0].at)},${y(points[0].value)}${steps.join('')}H${width - edge}`;
}
