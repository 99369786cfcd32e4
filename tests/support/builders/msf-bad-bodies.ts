// A table of what makes a body `bad-body` (docs/revisions.md#bad-bodies).
import type { JsonObject, JsonValue } from '../../../core/json/value.ts';
import { msfFeeds } from '../../../core/msf/feeds/feeds.ts';
import type { MsfFeed } from '../../../core/msf/types.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { gamelogGame, gameObject, log, noStats, play, player, wholeBodies } from './msf-bodies.ts';

/** A body and the pointer at which it is refused. */
export type Bad = { pointer: string; feed: MsfFeed; body: JsonValue; league?: League; game?: string };

const games = (schedule: JsonValue, ...before: JsonValue[]) => ({ games: [...before, { schedule, score: {} }] });
export const inGame = (game: JsonValue) => ({ game, stats: noStats });
const without = (object: JsonObject, name: string) =>
  Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
export const plays = (...all: JsonValue[]) => ({ game: gameObject(), plays: all });
export const atBats = (...all: JsonValue[]) => ({ game: gameObject(), atBats: all });
export const second = { quarter: 2, secondsElapsed: 7 };
/** As many plays as one second can hold. */
export const thousandPlays = Array.from({ length: 1_000 }, () => play(second));

/** Members of a game object, with invalid values for each. */
const members: readonly (readonly [member: string, ...wrong: JsonValue[]])[] = [
  ['id', null, '900001', 1.5, 2 ** 53, [], {}],
  ['startTime', null, 1768005000, '2026-01-10T00:30:00', '20260110', ''],
  ['awayTeam', null, 501, 'BOS', [501]],
  ['homeTeam', null, { id: null }, { id: '502' }, { abbreviation: 'CLE' }],
  ['scheduleStatus', null, 0, {}],
  ['playedStatus', null, true, []],
];
const pointerOf = (member: string) => (member.endsWith('Team') ? `${member}/id` : member);

/** Every pointer, with invalid values for it. */
export const badBodies: readonly Bad[] = [
  ...[null, {}, { plays: [] }, { players: null }, [], 'x', 1].flatMap((body): Bad[] => [
    { pointer: '/games', feed: 'games', body },
    { pointer: '/gamelogs', feed: 'player_gamelogs', body },
    { pointer: '/gamelogs', feed: 'team_gamelogs', body },
    { pointer: '/players', feed: 'injuries', body },
    { pointer: '/players', feed: 'players', body },
    { pointer: '/teamLineups', feed: 'lineup', body },
    { pointer: '/gameLines', feed: 'odds_gamelines', body },
    { pointer: '/stats/away/players', feed: 'boxscore', body },
  ]),
  { pointer: '/plays', feed: 'playbyplay', body: { game: gameObject(), plays: { 0: 1 } } },
  { pointer: '/plays', feed: 'playbyplay', body: wholeBodies.lineup },
  { pointer: '/plays', feed: 'playbyplay', body: { game: gameObject(), atBats: [] } },
  { pointer: '/atBats', feed: 'playbyplay', league: 'MLB', body: plays() },
  { pointer: '/stats/away/players', feed: 'boxscore', body: wholeBodies.playbyplay },
  { pointer: '/stats/away/players', feed: 'boxscore', body: { game: gameObject(), stats: { home: { players: [] } } } },
  { pointer: '/stats/home/players', feed: 'boxscore', body: { game: gameObject(), stats: { away: { players: [] } } } },

  ...members.flatMap(([member, ...wrong]) =>
    [without(gameObject(), member), ...wrong.map((value) => gameObject({ [member]: value }))].flatMap((game): Bad[] => [
      { pointer: `/game/${pointerOf(member)}`, feed: 'boxscore', body: inGame(game) },
      { pointer: `/games/0/schedule/${pointerOf(member)}`, feed: 'games', body: games(game) },
    ]),
  ),
  ...[null, 1, [], 'x'].flatMap((game): Bad[] => [
    { pointer: '/game/id', feed: 'boxscore', body: inGame(game) },
    { pointer: '/games/1/schedule/id', feed: 'games', body: games(game, { schedule: gameObject() }) },
    { pointer: '/gamelogs/0/game/id', feed: 'team_gamelogs', body: { gamelogs: [log({ game })] } },
    { pointer: '/games/0/schedule/id', feed: 'games', body: { games: [game] } },
  ]),
  {
    pointer: '/gamelogs/0/game/id',
    feed: 'team_gamelogs',
    body: { gamelogs: [log({ game: gamelogGame({ id: 'x' }) })] },
  },
  {
    pointer: '/gamelogs/0/game/startTime',
    feed: 'team_gamelogs',
    body: { gamelogs: [log({ game: gamelogGame({ startTime: null }) })] },
  },
  ...[null, [], 'x', 1].map((each): Bad => {
    return { pointer: '/gamelogs/0/stats', feed: 'team_gamelogs', body: { gamelogs: [log({ stats: each })] } };
  }),
  { pointer: '/gamelogs/0/player', feed: 'team_gamelogs', body: wholeBodies.player_gamelogs },
  { pointer: '/gamelogs/0/player', feed: 'player_gamelogs', body: wholeBodies.team_gamelogs },
  { pointer: '/players/1/player', feed: 'injuries', body: { players: [player, { player, teamAsOfDate: null }] } },

  ...(['boxscore', 'playbyplay', 'lineup'] as const).flatMap((feed): Bad[] => [
    { pointer: '/game/id', feed, game: '900002', body: wholeBodies[feed] },
    { pointer: '/game/id', feed, game: '99999999999999999999', body: wholeBodies[feed] },
  ]),

  ...[null, 1, [], 'x', {}, { playStatus: null }, { playStatus: [] }].map((each): Bad => {
    return { pointer: '/plays/1/playStatus', feed: 'playbyplay', body: plays(play(second), each) };
  }),
  ...[null, 'x', 1.5, -1, 100_000, []].map((quarter): Bad => {
    return { pointer: '/plays/0/playStatus/quarter', feed: 'playbyplay', body: plays(play({ quarter })) };
  }),
  { pointer: '/plays/0/playStatus/period', feed: 'playbyplay', league: 'NHL', body: plays(play({})) },
  { pointer: '/plays/0/playStatus/period', feed: 'playbyplay', league: 'NHL', body: plays(play({ period: 'x' })) },
  ...['x', 1.5, -1, 100_000, [], true].map((secondsElapsed): Bad => {
    const body = plays(play(second), play({ quarter: 1, secondsElapsed }));
    return { pointer: '/plays/1/playStatus/secondsElapsed', feed: 'playbyplay', body };
  }),
  { pointer: '/plays/1000', feed: 'playbyplay', body: plays(...thousandPlays, play({ quarter: 2 })) },
  { pointer: '/atBats/0/atBatPlay', feed: 'playbyplay', league: 'MLB', body: atBats({ inning: 1 }) },
  {
    pointer: '/atBats/1/atBatPlay',
    feed: 'playbyplay',
    league: 'MLB',
    body: atBats({ inning: 1, atBatPlay: [] }, null),
  },
  { pointer: '/atBats/0/inning', feed: 'playbyplay', league: 'MLB', body: atBats({ inning: 'x', atBatPlay: [] }) },
  {
    pointer: '/atBats/0/atBatPlay/0/playStatus/inning',
    feed: 'playbyplay',
    league: 'MLB',
    body: atBats({ atBatPlay: [play({})] }),
  },
  {
    pointer: '/atBats/0/atBatPlay/1/playStatus',
    feed: 'playbyplay',
    league: 'MLB',
    body: atBats({ inning: 1, atBatPlay: [play(null), null] }),
  },
  {
    pointer: '/atBats/0/atBatPlay/1000',
    feed: 'playbyplay',
    league: 'MLB',
    body: atBats({ inning: 1, atBatPlay: [...thousandPlays.map(() => play(null)), play(null)] }),
  },

  ...msfFeeds.map((feed): Bad => ({ pointer: '', feed, body: { ...wholeBodies[feed], note: ['\ud800'] } })),
  { pointer: '', feed: 'games', body: { ...wholeBodies.games, '\udc00': 1 } },
];
