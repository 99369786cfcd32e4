// The games of a switch campaign: each is pushed through the gateway like a feed and closed in one way (by order,
// completed, cancelled, or completed but waiting for its time), while the feed continues until the gateway refuses it.
import { setTimeout as delay } from 'node:timers/promises';
import { topics } from '../../../schemas/events/topics.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { until } from '../services/until.ts';
import { endOfShortGame, findShortGame, type ShortGame, shortGameBooks, shortGameEvent } from './short-game.ts';
import type { World } from './world.ts';

export type SwitchGame = ShortGame & { landedAt: number };

export class SwitchGames {
  /** Pushes that the gateway refused because it knew that the game was settled. */
  refusedPushes = 0;
  readonly violations: string[] = [];
  readonly #world: World;
  readonly #feedKey: string;
  readonly #startsAt = Date.now() + 3 * 3_600_000;

  constructor(world: World, feedKey: string) {
    this.#world = world;
    this.#feedKey = feedKey;
  }

  /** Plays one game from its first quote to its landing; calls `watch` when it is served live. */
  async play(number: number, seed: number, watch: (game: ShortGame) => void): Promise<SwitchGame> {
    const random = seededRandom(seed * 7_919 + number);
    // Every eighth game begins with rows old enough for the log to be cut.
    if (number % 8 === 3) await this.#push(number, random, 'old');
    await this.#push(number, random, 'first');
    const game = await findShortGame(this.#world, number);
    const { settlement, artifacts } = this.#world.api.drivers.catalogs;
    await until(`${game.id} is served live`, async () => (await artifacts.served(game.uuid)).log !== null);
    watch(game);
    for (let pushes = 2 + random.integer(4); pushes > 0; pushes -= 1) {
      await this.#push(number, random, 'next');
      await delay(100 + random.integer(300));
    }
    if (random.chance(0.5)) await this.#score(game);
    await this.#close(game, number);
    let landedAt: number | null = null;
    const landing = until(
      `${game.id} lands`,
      async () => {
        landedAt = (await settlement.state(game.uuid))?.landedAt ?? null;
        return landedAt !== null;
      },
      { everyMs: 100 },
    );
    let waiting = true;
    const feeding = async (): Promise<void> => {
      while (waiting && (await this.#push(number, random, 'next'))) await delay(150 + random.integer(300));
    };
    const landed = landing.finally(() => {
      waiting = false;
    });
    await Promise.all([landed, feeding()]);
    // From now on a push becomes a dead letter, or a gateway that knows of the close refuses it: it changes nothing.
    for (let pushes = 0; pushes < 3 && (await this.#push(number, random, 'next')); pushes += 1) await delay(200);
    return { ...game, landedAt: Number(landedAt) / 1_000 };
  }

  async #score(game: ShortGame): Promise<void> {
    const { catalogs, broker } = this.#world.api.drivers;
    const scores = { away: 3, home: 5, awayPeriods: [], homePeriods: [] };
    const partition = await broker.partitionOf(topics.quotes, game.uuid);
    await catalogs.settlement.orderScore({ uuid: game.uuid, gameId: game.id, partition }, scores, 'campaign');
  }

  async #close(game: ShortGame, number: number): Promise<void> {
    const value = endOfShortGame(number, game);
    await this.#world.api.drivers.broker.produce(topics.quotes, [{ key: game.uuid, value }]);
  }

  /** Pushes once more. Answers whether the gateway still accepts pushes for the game. */
  async #push(number: number, random: Random, which: 'old' | 'first' | 'next'): Promise<boolean> {
    const at = which === 'old' ? Date.now() - 20 * 60_000 : null;
    const options = { startsAt: this.#startsAt, isLong: which === 'old' };
    const operators = which === 'next' ? [random.pick(shortGameBooks)] : shortGameBooks;
    const events = operators.map((operator) => shortGameEvent(number, operator, random, options));
    const response = await fetch(`${this.#world.gatewayUrl}/v1/sources/feed/quotes`, {
      method: 'POST',
      body: JSON.stringify({ events }),
      headers: {
        authorization: `Bearer ${this.#feedKey}`,
        'content-type': 'application/json',
        ...(at === null ? {} : { 'x-observed-at': new Date(at).toISOString() }),
      },
    });
    const answer = (await response.json()) as { rejected?: { code: string }[] };
    if (response.status === 202) return true;
    if (response.status === 400 && answer.rejected?.every(({ code }) => code === 'game-settled'))
      this.refusedPushes += 1;
    else this.violations.push(`push for game ${number}: ${response.status} ${JSON.stringify(answer)}`);
    return false;
  }
}
