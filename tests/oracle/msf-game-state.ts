// The game-state row by docs/revisions.md#feeds-and-datasets: for each column, the first feed that has a value.
import { uuid5 } from './games.ts';
import { saidOf } from './leagues.ts';
import { periodType, playsOf, type ReportedPlay } from './msf-plays.ts';
import {
  at,
  canonical,
  gameObjectOf,
  id,
  int32,
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
  time,
  type Value,
} from './msf-values.ts';

const courseColumns = [
  'period',
  'intermission',
  'clock',
  'possession',
  'homeScore',
  'awayScore',
  'homeScores',
  'awayScores',
  'situation',
] as const;
type Column = Record<string, Value>;

export function gameState(game: OracleGame, feeds: readonly OracleFeed[]): Row[] {
  const naming = (order: readonly string[]): OracleFeed[] =>
    order.flatMap((name) => feeds.filter((each) => each.feed === name && namesGame(each)));
  const usual = naming(['games', 'boxscore', 'playbyplay']);
  if (usual.length === 0) return [];
  const newest = Math.max(...usual.map(({ since }) => since));
  const status = gameObjectOf(usual.find(({ since }) => since === newest) as OracleFeed);
  const isLive = at(status, 'playedStatus') === 'LIVE';
  const course = isLive ? naming(['boxscore', 'playbyplay', 'games']) : usual;
  const first = (from: readonly OracleFeed[], read: (feed: OracleFeed) => Value): Value => {
    const values = from.map(read);
    return values.find((value) => value !== null && !(Array.isArray(value) && value.length === 0)) ?? values[0];
  };
  const ofGame = (read: (object: Value) => Value): Value => first(usual, (feed) => read(gameObjectOf(feed)));
  const courses = new Map(course.map((feed) => [feed, courseOf(game, feed)]));
  const so = Object.fromEntries(
    courseColumns.map((name) => [name, first(course, (feed) => courses.get(feed)?.[name] ?? null)]),
  );
  const side = (name: 'away' | 'home'): Value =>
    ofGame((object) => teamId(game, sidesOf(object), sidesOf(object)?.[name]) ?? '');
  return [
    [
      game.id,
      game.league,
      id(at(status, 'id')),
      ofGame((object) => time(at(object, 'startTime'))),
      ofGame((object) => time(at(object, 'originalStartTime'))),
      ofGame((object) => time(at(object, 'endedTime'))),
      at(status, 'scheduleStatus'),
      ofGame((object) => text(at(object, 'delayedOrPostponedReason'))),
      at(status, 'playedStatus'),
      so.period,
      periodType(game.league, so.period as number | null),
      so.intermission,
      so.clock,
      so.possession,
      side('home'),
      side('away'),
      so.homeScore,
      so.awayScore,
      so.homeScores ?? [],
      so.awayScores ?? [],
      ofGame((object) => {
        const venue = id(at(object, 'venue', 'id'));
        return venue === null ? null : uuid5(`msf/venue/${game.league}/${venue}`);
      }),
      ofGame((object) => text(at(object, 'venue', 'name'))),
      ofGame((object) => text(at(object, 'venueAllegiance'))),
      ofGame((object) => int32(at(object, 'attendance'))),
      so.situation,
    ],
  ];
}

function situation(members: Value, isOut: (name: string) => boolean): string | null {
  const left = Object.entries(isObject(members) ? members : {}).filter(
    ([name, value]) => value !== null && !isOut(name),
  );
  return left.length === 0 ? null : canonical(Object.fromEntries(left));
}

function courseOf(game: OracleGame, feed: OracleFeed): Column {
  const sides = sidesOf(gameObjectOf(feed));
  if (feed.feed === 'playbyplay') return progressOfPlays(game, feed, sides);
  const score = feed.feed === 'games' ? at(feed.element, 'games', 0, 'score') : at(feed.element, 'scoring');
  const parts = ['Quarter', 'Period', 'Inning'];
  const one = (value: Value, names: string[]): Value =>
    names.map((name) => at(value, name)).find((each) => each !== null) ?? null;
  const scores = list(
    one(
      score,
      parts.map((part) => `${part.toLowerCase()}s`),
    ),
  )
    .map((each) => ({
      number: int32(
        one(
          each,
          parts.map((part) => `${part.toLowerCase()}Number`),
        ),
      ),
      home: int32(at(each, 'homeScore')),
      away: int32(at(each, 'awayScore')),
    }))
    .filter(({ number }) => number !== null)
    .sort((a, b) => Number(a.number) - Number(b.number));
  const own = [
    ...parts.flatMap((part) => [`current${part}`, `current${part}SecondsRemaining`, `${part.toLowerCase()}s`]),
    'currentIntermission',
    'teamInPossession',
    'awayScoreTotal',
    'homeScoreTotal',
  ];
  return {
    period: int32(
      one(
        score,
        parts.map((part) => `current${part}`),
      ),
    ),
    intermission: int32(at(score, 'currentIntermission')),
    clock: int32(
      one(
        score,
        parts.map((part) => `current${part}SecondsRemaining`),
      ),
    ),
    possession: teamId(game, sides, at(score, 'teamInPossession')),
    homeScore: int32(at(score, 'homeScoreTotal')),
    awayScore: int32(at(score, 'awayScoreTotal')),
    homeScores: scores.map(({ home }) => home).filter((score) => score !== null),
    awayScores: scores.map(({ away }) => away).filter((score) => score !== null),
    situation: situation(score, (name) => own.includes(name)),
  };
}

function progressOfPlays(game: OracleGame, feed: OracleFeed, sides: Sides): Column {
  const plays = playsOf(game, feed) ?? [];
  const last = plays.at(-1);
  const length = saidOf(game.league);
  if (last === undefined || length.sport === 'baseball') return {};
  const column: Column = {};
  if (plays.every(({ clear }) => clear)) {
    const periods = Array.from({ length: Math.max(0, ...plays.map(({ period }) => period)) }, (_, index) => index + 1);
    const sum = (side: string, of: readonly ReportedPlay[]): number =>
      of.filter((each) => each.side === side).reduce((total, each) => total + each.points, 0);
    const by = (side: string): number[] =>
      periods.map((period) =>
        sum(
          side,
          plays.filter((each) => each.period === period),
        ),
      );
    Object.assign(column, {
      homeScore: sum('home', plays),
      awayScore: sum('away', plays),
      homeScores: by('home'),
      awayScores: by('away'),
    });
  }
  if (at(gameObjectOf(feed), 'playedStatus') !== 'LIVE') return column;
  const seconds = last.period > length.regular ? length.overtime : length.seconds;
  const left = seconds === null || last.elapsed === null ? null : seconds - last.elapsed;
  const out = (name: string): boolean =>
    ['quarter', 'period', 'inning', 'secondsElapsed', 'teamInPossession'].includes(name) ||
    /^(away|home)PlayersOn/.test(name);
  return {
    ...column,
    period: last.period,
    clock: left === null || left < 0 ? null : left,
    possession: teamId(game, sides, at(last.status, 'teamInPossession')),
    situation: situation(last.status, out),
  };
}
