// How the line of each selection has moved since the page was opened; of one without a line, its best price. It costs nothing: it is made of odds
// that were shown.
import { drawn } from './dom.mjs';

const mostPoints = 240;
const [width, height, edge] = [72, 20, 2];

export function openSparklines() {
  const series = new Map();

  return {
    /** Takes the values of newer odds. */
    take({ selections }) {
      for (const { selection_id: id, line, best } of selections) {
        const value = line ?? best?.price_decimal ?? null;
        if (value === null) continue;
        const points = series.get(id) ?? [];
        series.set(id, points);
        points.push({ at: performance.now(), value: Number(value) });
        if (points.length > mostPoints) points.shift();
      }
    },
    /** The drawing of one selection. */
    draw(id) {
      const points = series.get(id) ?? [];
      const values = points.map(({ value }) => value);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const words = values.length === 0 || low === high ? 'unchanged' : `from ${values[0]} to ${values.at(-1)}`;
      const facts = { class: 'spark', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': words };
      return drawn('svg', facts, drawn('path', { d: pathOf(points, low, high) }));
    },
  };
}

/** Steps: a line holds until it moves. */
function pathOf(points, low, high) {
  if (points.length === 0) return '';
  const [from, to] = [points[0].at, performance.now()];
  const x = (at) => (edge + ((at - from) / Math.max(to - from, 1)) * (width - 2 * edge)).toFixed(1);
  const y = (value) =>
    (low === high ? height / 2 : height - edge - ((value - low) / (high - low)) * (height - 2 * edge)).toFixed(1);
  const steps = points.slice(1).map(({ at, value }) => `H${x(at)}V${y(value)}`);
  return `M${x(from)},${y(points[0].value)}${steps.join('')}H${width - edge}`;
}
