// The plays of a body by docs/revisions.md#plays: the name, place and score of each.
import { createHash } from 'node:crypto';
import { uuid5 } from './games.ts';
import { saidOf } from './leagues.ts';
import {
  at,
  canonical,
  id,
  integer,
  isObject,
  list,
  namesGame,
  type OracleFeed,
  type OracleGame,
  type Row,
  type Sides,
  sidesOf,
  teamId,
  text,
  type Value,
} from './msf-values.ts';

export type ReportedPlay = {
  row: Row;
  period: number;
  elapsed: number | null;
  status: Value;
  side: string | null;
  points: number;
  clear: boolean;
};

export function playsOf(game: OracleGame, feed: OracleFeed | undefined): ReportedPlay[] | null {
  if (feed === undefined) return null;
  const { league } = game;
  const sides = namesGame(feed) ? sidesOf(at(feed.element, 'game')) : null;
  const ordinals = new Map<string, number>();
  const seconds = new Map<number, number>();
  const atBats = new Map<number, number>();
  const names: string[] = [];
  const found: ReportedPlay[] = [];
  const add = (
    play: Value,
    period: number,
    elapsed: number | null,
    second: number,
    batting: Value | undefined,
  ): void => {
    const place = `${period} ${second}`;
    const ordinal = ordinals.get(place) ?? 0;
    ordinals.set(place, ordinal + 1);
    const { description: words = null, ...detail } = play as Record<string, Value>;
    const type =
      Object.keys(detail)
        .filter((name) => name !== 'playStatus')
        .sort()[0] ?? '';
    const action = isObject(detail[type]) ? detail[type] : null;
    const players = [...playersIn(action)].sort((a, b) => a - b);
    const description = text(words) ?? '';
    const name = [league, game.gameId, period, batting === undefined ? elapsed : second, type, players, description];
    const alike = names.filter((each) => each === canonical(name)).length;
    names.push(canonical(name));
    const scored = points(game, sides, type, action, description);
    const acting = [at(action, 'team'), at(action, 'kickingTeam'), at(action, 'penalty', 'team')].find(isObject);
    const row = [
      game.id,
      league,
      `p_${base32(
        createHash('sha256')
          .update(canonical([...name, alike]))
          .digest(),
      ).slice(0, 26)}`,
      period * 10 ** 8 + second * 1_000 + ordinal,
      period,
      periodType(league, period),
      elapsed,
      type,
      description,
      scored.points === null ? teamId(game, sides, acting ?? batting) : scored.team,
      players.map((each) => uuid5(`msf/player/${league}/${each}`)),
      scored.points,
      canonical(detail),
    ];
    found.push({
      row,
      period,
      elapsed,
      status: at(play, 'playStatus'),
      side: scored.side,
      points: scored.points ?? 0,
      clear: scored.clear,
    });
  };
  if (saidOf(league).sport === 'baseball') {
    for (const atBat of list(at(feed.element, 'atBats'))) {
      const inning = id(at(atBat, 'inning')) as number;
      const index = atBats.get(inning) ?? 0;
      atBats.set(inning, index + 1);
      for (const play of list(at(atBat, 'atBatPlay'))) add(play, inning, null, index, at(atBat, 'battingTeam'));
    }
    return found;
  }
  for (const play of list(at(feed.element, 'plays'))) {
    const period = ['quarter', 'period', 'inning']
      .map((name) => id(at(play, 'playStatus', name)))
      .find((each) => each !== null);
    const elapsed = id(at(play, 'playStatus', 'secondsElapsed'));
    const second = elapsed ?? seconds.get(period as number) ?? 0;
    seconds.set(period as number, second);
    add(play, period as number, elapsed, second, undefined);
  }
  return found;
}

function playersIn(value: Value): Set<number> {
  const found = new Set<number>();
  for (const [name, member] of Object.entries(Array.isArray(value) || isObject(value) ? value : {})) {
    const number = isObject(value) && /[pP]layer[0-9]*$/.test(name) && isObject(member) ? id(member.id) : null;
    if (number !== null) found.add(number);
    for (const inner of playersIn(member)) found.add(inner);
  }
  return found;
}

type Points = { points: number | null; team: string | null; side: string | null; clear: boolean };

function points(game: OracleGame, sides: Sides, type: string, action: Value, words: string): Points {
  const none = { points: null, team: null, side: null, clear: true };
  const unclear = { ...none, clear: false };
  const credit = (count: number, to: Value, other = false): Points => {
    const ids = { away: sides && teamId(game, null, sides.away), home: sides && teamId(game, null, sides.home) };
    const named = teamId(game, sides, to);
    const side = named === null ? null : named === ids.away ? 'away' : named === ids.home ? 'home' : null;
    if (!other) return { points: count, team: named, side, clear: side !== null };
    if (side === null) return { points: count, team: null, side: null, clear: false };
    const across = side === 'away' ? 'home' : 'away';
    return { points: count, team: ids[across], side: across, clear: true };
  };
  const { sport } = saidOf(game.league);
  if (sport === 'hockey' || sport === 'baseball') return unclear;
  if (sport === 'basketball') {
    if (at(action, 'result') !== 'SCORED') return none;
    if (type === 'freeThrowAttempt') return credit(1, at(action, 'team'));
    if (type !== 'fieldGoalAttempt') return none;
    const count = integer(at(action, 'points'), 1, 3);
    return count === null ? unclear : credit(count, at(action, 'team'));
  }
  const is = (name: string): boolean => at(action, name) === true;
  const acting = [at(action, 'team'), at(action, 'kickingTeam'), at(action, 'penalty', 'team')].find(isObject) ?? null;
  const fumbles = list(at(action, 'subPlays')).map((each) => at(each, 'fumble'));
  const nothing = words.includes('SAFETY') ? unclear : none;
  if (action === null || is('isNoPlay')) return nothing;
  if (type === 'fieldGoalAttempt' && is('isGood')) return credit(3, acting);
  if (type === 'extraPointAttempt' && is('isGood')) return credit(1, acting);
  if (is('isTwoPointConversion')) {
    return is('isEndedWithTouchdown') || words.includes('ATTEMPT SUCCEEDS') ? credit(2, acting) : nothing;
  }
  const returned = fumbles.find((each) => at(each, 'isEndedWithTouchdown') === true);
  if (returned !== undefined) return credit(6, at(returned, 'recoveringTeam'));
  if ((type === 'kick' || type === 'punt') && is('isTouchdown')) return credit(6, at(action, 'retrievingTeam'));
  if (is('isEndedWithTouchdown')) return credit(6, acting, isObject(at(action, 'interceptingPlayer')));
  if (is('isSafety') || fumbles.some((each) => at(each, 'isSafety') === true)) return credit(2, acting, true);
  return nothing;
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = bits.match(/.{5}/g) ?? [];
  return letters.map((five) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(five, 2)]).join('');
}

export function periodType(league: string, period: number | null): string | null {
  if (period === null) return null;
  const { part, regular } = saidOf(league);
  return part !== 'inning' && period > regular ? 'overtime' : part;
}
