// Seeded games as sequences of MSF bodies of several feeds: play lists that grow, lose, gain and correct plays; box
// scores and logs that agree or disagree; schedules whose statuses move forwards or backwards; repeated bodies with
// another stamp, late bodies, broken bodies. What they lead to is not decided here. Each push is labelled with its
// purpose, so that a test can check that every purpose occurred.
import {
  boxscore,
  type GameFacts,
  gamelogs,
  gameObject,
  iso,
  type Json,
  lineups,
  type Play,
  playbyplay,
  player,
  scoreOf,
} from './generate-msf-bodies.ts';
import { badText, brokenBody } from './generate-msf-broken.ts';
import { type Random, seededRandom } from './random.ts';

export type GeneratedKind =
  | 'whole'
  | 'grown'
  | 'inserted'
  | 'deleted'
  | 'corrected'
  | 'shrunk'
  | 'emptied'
  | 'repeated'
  | 'late'
  | 'disagreeing'
  | 'new-statistic'
  | 'moved-team'
  | 'status'
  | 'broken'
  | 'text';

export type GeneratedMsf = {
  kind: GeneratedKind;
  /** Whether the body is broken or incomplete, or repeats one that is. */
  isBad: boolean;
  league: string;
  season: string;
  feed: string;
  /** The route's `game=`. */
  game: string | null;
  /** Milliseconds since the epoch; null: unknown, or not sent. */
  requestedAt: number | null;
  receivedAt: number;
  observedAt: number | null;
  /** The body as it is pushed. */
  text: string;
};

type Game = GameFacts & { plays: Play[]; sent: GeneratedMsf[] };
type World = { random: Random; hostility: number; now: number; games: Game[]; pushes: GeneratedMsf[] };

const second = 1_000;
const firstMoment = Date.UTC(2026, 0, 10, 1);
const sidesOf: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  NBA: [
    ['BOS', 'CLE'],
    ['HOU', 'GSW'],
    ['DEN', 'UTA'],
  ],
  NFL: [
    ['BAL', 'KC'],
    ['NE', 'SEA'],
  ],
  NHL: [
    ['BOS', 'NYR'],
    ['CHI', 'DET'],
  ],
  MLB: [
    ['STL', 'NYY'],
    ['LAA', 'BAL'],
  ],
  NCAAM: [['DUKE', 'UNC']],
};
const leagues = ['NBA', 'NBA', 'NBA', 'NFL', 'NFL', 'NHL', 'MLB', 'NCAAM'];
const later: Readonly<Record<string, readonly string[]>> = {
  UNPLAYED: ['LIVE', 'LIVE', 'UNPLAYED'],
  LIVE: ['LIVE', 'LIVE', 'COMPLETED_PENDING_REVIEW', 'COMPLETED'],
  COMPLETED_PENDING_REVIEW: ['COMPLETED', 'COMPLETED', 'LIVE'],
  COMPLETED: ['COMPLETED', 'COMPLETED', 'COMPLETED', 'UNPLAYED', 'LIVE'],
};

/** The games to use, instead of games drawn from the seed. */
export type GivenGame = { league: string; away: string; home: string; start: number };

/** `firstId`: the id of the first game; the others follow it. `from`: the time of the first body. */
export type GeneratorOptions = { firstId?: number; from?: number; games?: readonly GivenGame[] };

/** Some games and the `size` bodies about them, in the order in which they are received. */
export function generateMsf(seed: number, size = 40, options: GeneratorOptions = {}): GeneratedMsf[] {
  const { firstId = 900_001, from = firstMoment, games } = options;
  const random = seededRandom(seed);
  const hostility = random.pick([0, 0.05, 0.2]);
  const world: World = { random, hostility, now: from, games: [], pushes: [] };
  const count = games?.length ?? 1 + random.integer(3);
  for (let index = 0; index < count; index += 1) world.games.push(newGame(world, index, firstId, games?.[index]));
  while (world.pushes.length < size) {
    world.now += random.pick([0, second, 5 * second, 15 * second, 60 * second, 400 * second]);
    step(world, random.pick(world.games));
  }
  return world.pushes;
}

function newGame({ random, now }: World, index: number, firstId: number, given: GivenGame | undefined): Game {
  const league = given?.league ?? random.pick(leagues);
  const pairs = sidesOf[league] ?? [];
  const [away, home] = given === undefined ? (pairs[index % pairs.length] ?? ['BOS', 'CLE']) : [given.away, given.home];
  return {
    league,
    // A source's ids are unique across its leagues.
    id: firstId + index,
    start: given?.start ?? now - random.pick([0, 600, 3_600, -600]) * second,
    away: { id: 501 + 10 * index, abbreviation: away },
    home: { id: 502 + 10 * index, abbreviation: home },
    played: random.pick(['UNPLAYED', 'LIVE']),
    schedule: 'NORMAL',
    plays: [],
    statistics: ['offense.pts'],
    sent: [],
  };
}

/** Adds one body, and sometimes repeats it. */
function step(world: World, game: Game): void {
  const { random, hostility } = world;
  const before = random.pick(game.sent.length === 0 ? [null] : game.sent);
  const roll = random.integer(20);
  if (before !== null && random.chance(0.12)) repeat(world, game, before);
  else if (random.chance(hostility)) breakOne(world, game);
  else if (roll < 10) pushPlays(world, game);
  else if (roll < 13) pushBoxscore(world, game);
  else if (roll < 16) noteStatus(world, game);
  else if (roll === 16) pushInjuries(world, game);
  else if (roll === 17) send(world, game, 'whole', 'lineup', { game: gameObject(game), teamLineups: lineups(game) });
  else if (roll === 18) send(world, game, 'whole', 'player_gamelogs', { gamelogs: gamelogs(game, true) });
  else send(world, game, 'whole', 'team_gamelogs', { gamelogs: gamelogs(game, false) });
}

function pushPlays(world: World, game: Game): void {
  const { random } = world;
  if (game.played === 'UNPLAYED') game.played = 'LIVE';
  const kind =
    game.plays.length < 4
      ? 'grown'
      : random.pick(['grown', 'grown', 'grown', 'inserted', 'deleted', 'corrected'] as const);
  const at = random.integer(Math.max(1, game.plays.length));
  if (kind === 'grown') {
    const more = 1 + random.integer(5);
    for (let n = 0; n < more; n += 1) game.plays.push(newPlay(random, game.plays.at(-1)));
  } else if (kind === 'inserted') game.plays.splice(at, 0, newPlay(random, game.plays[at]));
  else if (kind === 'deleted') game.plays.splice(at, 1);
  else game.plays[at] = correction(random, game.plays[at] as Play);
  if (random.chance(0.03)) send(world, game, 'emptied', 'playbyplay', playbyplay(game, []));
  else if (random.chance(0.05)) send(world, game, 'shrunk', 'playbyplay', playbyplay(game, game.plays.slice(0, at)));
  else send(world, game, kind, 'playbyplay', playbyplay(game, game.plays));
}

function newPlay(random: Random, before: Play | undefined): Play {
  const isNext = before !== undefined && random.chance(0.1) && before.quarter < 6;
  const second = isNext ? 0 : (before?.second ?? 0) + random.pick([0, 0, 1, 7, 16, 24]);
  const points = random.pick([0, 0, 0, 1, 2, 3]);
  return {
    action:
      points === 1
        ? 'freeThrowAttempt'
        : random.pick(['fieldGoalAttempt', 'fieldGoalAttempt', 'foul', 'jumpBall', 'unheardOf']),
    quarter: (before?.quarter ?? 1) + (isNext ? 1 : 0),
    second: random.chance(0.02) ? null : second,
    team: random.integer(2),
    player: random.integer(8),
    points,
    words: random.pick(['Layup', 'Jump Shot', 'P.FOUL', '“Čćž” 🏀', '']),
  };
}

function correction(random: Random, play: Play): Play {
  switch (random.integer(3)) {
    case 0:
      return { ...play, points: play.points === 3 ? 2 : 3, action: 'fieldGoalAttempt' };
    case 1:
      return { ...play, words: `${play.words} (2 PTS)` };
    default:
      return { ...play, player: (play.player + 1) % 8 };
  }
}

function noteStatus(world: World, game: Game): void {
  const { random } = world;
  game.played = random.pick(later[game.played] ?? ['LIVE']);
  game.schedule = random.pick(['NORMAL', 'NORMAL', 'NORMAL', 'DELAYED', 'POSTPONED', 'UNHEARD_OF']);
  if (random.chance(0.2)) game.start += random.pick([900, -300, 17 * 60]) * second;
  const own = { schedule: gameObject(game), score: scoreOf(game, 'quarter') };
  const games = world.games.filter((each) => each.league === game.league && each !== game && random.chance(0.5));
  const others = games.map((each) => ({ schedule: gameObject(each), score: scoreOf(each, 'quarter') }));
  send(world, game, 'status', 'games', { games: random.chance(0.5) ? [own, ...others] : [...others, own] });
}

function pushInjuries(world: World, game: Game): void {
  const { random } = world;
  const moved = random.chance(0.3);
  const players = [0, 1, 2, 3]
    .filter(() => random.chance(0.6))
    .map((number) => ({
      ...player(game, number),
      primaryPosition: 'G',
      currentTeam: random.pick([game.away, game.home, null]),
      currentInjury: random.chance(0.8)
        ? { description: random.pick(['knee', 'ankle', '']), playingProbability: 'OUT' }
        : null,
    }));
  send(world, game, moved ? 'moved-team' : 'whole', 'injuries', { players });
}

/** A box score, sometimes of a moment before the plays, sometimes with an unknown statistic. */
function pushBoxscore(world: World, game: Game): void {
  const { random } = world;
  const isBehind = random.chance(0.3) && game.plays.length > 3;
  const plays = isBehind ? game.plays.slice(0, -3) : game.plays;
  const isNew = !isBehind && random.chance(0.2) && game.statistics.length === 1;
  if (isNew) game.statistics.push('miscellaneous.plusMinus');
  send(world, game, isNew ? 'new-statistic' : isBehind ? 'disagreeing' : 'whole', 'boxscore', boxscore(game, plays));
}

/** Repeats the body: with a new stamp, with an earlier request time, or unchanged. */
function repeat(world: World, game: Game, before: GeneratedMsf): void {
  const { random, now } = world;
  if (random.chance(0.5)) {
    const requestedAt = before.requestedAt === null ? null : before.requestedAt - 30 * second;
    keep(world, game, { ...before, kind: 'late', requestedAt, receivedAt: now });
    return;
  }
  const body = before.isBad ? null : (JSON.parse(before.text) as Json);
  const text = body === null ? before.text : JSON.stringify({ ...body, lastUpdatedOn: iso(now) });
  keep(world, game, { ...before, kind: 'repeated', requestedAt: now - second, receivedAt: now, text });
}

function breakOne(world: World, game: Game): void {
  const { random } = world;
  const feed = random.pick(['playbyplay', 'boxscore', 'games', 'player_gamelogs', 'injuries']);
  const bodies: Readonly<Record<string, Json>> = {
    playbyplay: playbyplay(game, game.plays),
    boxscore: boxscore(game, game.plays),
    games: { games: [{ schedule: gameObject(game), score: scoreOf(game, 'quarter') }] },
    player_gamelogs: { gamelogs: gamelogs(game, true) },
    injuries: { players: [player(game, 1)] },
  };
  const body = stamped(world, bodies[feed] as Json);
  if (random.chance(0.3)) send(world, game, 'text', feed, body, badText(random, JSON.stringify(body)));
  else send(world, game, 'broken', feed, brokenBody(random, feed, body));
}

function send(world: World, game: Game, kind: GeneratedKind, feed: string, body: Json, text?: string): void {
  const { random, now } = world;
  const requestedAt = random.chance(0.8) ? now - random.pick([200, second, 3 * second]) : null;
  const ofGame = !['games', 'injuries'].includes(feed) && !feed.endsWith('gamelogs');
  keep(world, game, {
    kind,
    isBad: kind === 'text' || kind === 'broken',
    league: game.league,
    season: '2025-2026-regular',
    feed,
    game: ofGame && random.chance(0.7) ? String(game.id) : null,
    requestedAt,
    receivedAt: now,
    observedAt: null,
    text: text ?? JSON.stringify(stamped(world, body)),
  });
}

function keep(world: World, game: Game, push: GeneratedMsf): void {
  game.sent.push(push);
  world.pushes.push(push);
}

function stamped({ random, now }: World, body: Json): Json {
  if ('lastUpdatedOn' in body) return body;
  // Null, in the past, or in the future, within the accepted limit and beyond it.
  const stamp = random.pick([
    now - 2 * second,
    now - 2 * second,
    now - 600 * second,
    now + 60 * second,
    now + 3_600 * second,
    null,
  ]);
  return { lastUpdatedOn: stamp === null ? null : iso(stamp), ...body, references: null };
}
