// A campaign's games that end continuously, so that settlement always has work: each is founded and quoted, may be in
// play, ends and is settled. Finished games get manual scores, one after another, which make new versions of their
// results. A push is repeated while the gateway is unreachable.
import type { Scores } from '../../../core/settlement/evidence.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { until } from '../services/until.ts';
import { type Load, type LoadOptions, startPushers } from './load.ts';
import {
  endOfShortGame,
  findShortGame,
  type ShortGame,
  shortGameBooks,
  shortGameEvent,
  startOfShortGame,
} from './short-game.ts';
import type { World } from './world.ts';

export type ShortGamesOptions = Pick<LoadOptions, 'gatewayUrl' | 'feedKey' | 'seed' | 'pauseMs'> & {
  /** How many games are played. */
  games: number;
};

export type ShortGames = {
  load: Load;
  /** The game in play: founded, not yet ended. */
  open: readonly ShortGame[];
  /** Closes a game by an administrator's order. */
  end(game: ShortGame): Promise<void>;
  /** The manual score of each game that ever had one; null if it was withdrawn. */
  scores: ReadonlyMap<string, Scores | null>;
};

/** Lower numbers have the teams of the load's games. */
const firstNumber = 24;
const day = 86_400_000;
/** The way of ending that closes a game at once. */
const byOrder = 0;
/** Only the most recently ended games get scores. */
const scored = 8;

export function startShortGames(world: World, options: ShortGamesOptions): ShortGames {
  const { broker, catalogs } = world.api.drivers;
  const startsAt = Date.now() + day;
  const open: ShortGame[] = [];
  const ended: ShortGame[] = [];
  const scores = new Map<string, Scores | null>();

  const produce = async (value: QuotesRecord): Promise<void> => {
    await tried('the log takes a record', () => broker.produce(topics.quotes, [{ key: value.game_uuid, value }]));
  };

  /** Plays one more game; answers false if the load was stopped meanwhile. */
  async function play(number: number, random: Random, push: Push, pause: Pause): Promise<boolean> {
    const pushOf = (inPlay: boolean, books: readonly string[]): Promise<boolean> => {
      const events = books.map((book) => ({ ...shortGameEvent(number, book, random, { startsAt }), in_play: inPlay }));
      return push({ path: 'short/quotes', body: JSON.stringify({ events }), key: null });
    };
    if (!(await pushOf(false, shortGameBooks))) return false;
    const game = await tried('the game is found', () => findShortGame(world, number));
    open.push(game);
    if (!(await pause(random))) return false;
    if (random.chance(0.5)) await produce(startOfShortGame(game));
    if (!(await pushOf(random.chance(0.5), [random.pick(shortGameBooks)]))) return false;
    if (!(await pause(random))) return false;
    await produce(endOfShortGame(number, game));
    ended.push(...open.splice(0));
    // A record after the end is refused or becomes a dead letter, or is the one that moves log time past the close.
    return pushOf(true, shortGameBooks);
  }

  async function score(random: Random): Promise<void> {
    const game = random.pick(ended.slice(-scored));
    const partition = await tried('the partition is known', () => broker.partitionOf(topics.quotes, game.uuid));
    const isTakenBack = random.chance(0.1);
    const given = { away: random.integer(7), home: random.integer(7), awayPeriods: [], homePeriods: [] };
    const said = isTakenBack ? null : given;
    const named = { uuid: game.uuid, gameId: game.id, partition };
    await tried('the score is taken', () => catalogs.settlement.orderScore(named, said, 'campaign'));
    scores.set(game.uuid, said);
  }

  const load = startPushers({ ...options, pushers: 2 }, async (pusher, push, pause) => {
    const random = seededRandom(options.seed * 6_151 + pusher);
    if (pusher === 0) {
      for (let game = 0; game < options.games && (await pause(random)); game += 1)
        if (!(await play(firstNumber + game, random, push, pause))) return;
    } else while (await pause(random)) if (ended.length > 0) await score(random);
  });
  return { load, open, end: (game) => produce(endOfShortGame(byOrder, game)), scores };
}

type Push = Parameters<Parameters<typeof startPushers>[1]>[1];
type Pause = Parameters<Parameters<typeof startPushers>[1]>[2];

async function tried<T>(what: string, act: () => Promise<T>): Promise<T> {
  const done: T[] = [];
  await until(what, async () => done.push(await act()) > 0, { everyMs: 200 });
  return done[0] as T;
}
