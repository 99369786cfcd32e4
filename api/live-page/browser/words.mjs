// Values of the service in the words and figures of the page.

const markets = { moneyline: 'Moneyline', spread: 'Spread', total: 'Total', team_total: 'Team total' };
const sides = { over: 'Over', under: 'Under', draw: 'Draw', yes: 'Yes', no: 'No' };

export function marketName(market, period) {
  const name = markets[market] ?? capital(market.replaceAll('_', ' '));
  return period === 'full' ? name : `${name} · ${period.toUpperCase().replaceAll('_', ' ')}`;
}

export function selectionName({ selection, player }, game) {
  if (player !== null) return `${player} ${(sides[selection] ?? selection).toLowerCase()}`;
  if (selection === 'home' || selection === 'away') return teamName(game, selection);
  const [, side, way] = /^(home|away)_(over|under)$/.exec(selection) ?? [];
  if (side !== undefined) return `${teamName(game, side)} ${way}`;
  return sides[selection] ?? capital(selection.replaceAll('_', ' '));
}

/** The team at home or away, in short. */
export function teamName(game, side) {
  return game[`${side}_team_abbreviation`] ?? game[`${side}_team`];
}

/** A line without the zeros that say nothing; of a handicap with its sign. */
export function lineText(line, market) {
  if (line === null) return '';
  const short = line.replace(/\.?0+$/, '');
  return market.includes('spread') && !short.startsWith('-') ? `+${short}` : short.replace('-', '−');
}

export function ageText(seconds) {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

export function rowsText(rows) {
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
}

const clock = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' });

export function startText(timestamp) {
  return clock.format(new Date(timestamp));
}

export function clockText(timestamp) {
  return `${timestamp.slice(11, 19)} UTC`;
}

/** A share such as 0.045450 as a percentage. */
export function shareText(share) {
  return share === null ? '' : `${(Number(share) * 100).toFixed(1)} %`.replace('-', '−');
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
