// The games of a switch campaign: founded and fed through the gateway as an operator does it, each brought to its close in one of the ways that
// there are — by order, completed, cancelled, completed and waiting for its time —, while the feed goes on until the gateway refuses it.
import { setTimeout as delay } from 'node:timers/promises';
import { blankRecord } from '../../core/quotes/blank-record.ts';
import { topics } from '../../schemas/events/topics.ts';
import { type Random, seededRandom } from '../oracle/random.ts';
import type { World } from './campaign-world.ts';
import { until } from './services/until.ts';

export type SwitchGame = { id: string; uuid: string; landedAt: number };

const teams = 'ARI ATL BAL BOS CHC CIN CLE COL DET HOU KC LAA LAD MIA MIL MIN NYM NYY PHI PIT SD SEA SF STL'.split(' ');
const books = ['alpha', 'beta', 'gamma'];
const second = 1_000_000;
const grace = 600 * second;

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

  /** One game from its first quote to its landing; `watch` is called when it is served live. */
  async play(number: number, seed: number, watch: (game: { id: string; uuid: string }) => void): Promise<SwitchGame> {
    const random = seededRandom(seed * 7_919 + number);
    // Rows of an age at which a log is cut stand before the others in every eighth game.
    if (number % 8 === 3) await this.#push(number, random, 'old');
    await this.#push(number, random, 'first');
    const game = await this.#find(number);
    const { settlement, artifacts } = this.#world.api.drivers.catalogs;
    await until(`${game.id} is served live`, async () => (await artifacts.served(game.uuid)).log !== null, {
      timeoutMs: 90_000,
    });
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
      { timeoutMs: 120_000, everyMs: 100 },
    );
    let waiting = true;
    const feeding = async (): Promise<void> => {
      while (waiting && (await this.#push(number, random, 'next'))) await delay(150 + random.integer(300));
    };
    const landed = landing.finally(() => {
      waiting = false;
    });
    await Promise.all([landed, feeding()]);
    // What comes now is a dead letter, or is refused by a gateway that has heard of the close: it changes nothing.
    for (let pushes = 0; pushes < 3 && (await this.#push(number, random, 'next')); pushes += 1) await delay(200);
    return { ...game, landedAt: Number(landedAt) / 1_000 };
  }

  async #score(game: { id: string; uuid: string }): Promise<void> {
    const { catalogs, broker } = this.#world.api.drivers;
    const scores = { away: 3, home: 5, awayPeriods: [], homePeriods: [] };
    const partition = await broker.partitionOf(topics.quotes, game.uuid);
    await catalogs.settlement.orderScore({ uuid: game.uuid, gameId: game.id, partition }, scores, 'campaign');
  }

  async #close({ id, uuid }: { id: string; uuid: string }, number: number): Promise<void> {
    const at = Date.now() * 1_000;
    const blank = blankRecord({ uuid, gameId: id, league: 'MLB' }, 'service', at);
    const ends = [
      { ...blank, settle: { actor: 'campaign' } },
      { ...blank, status: { status: 'COMPLETED', at: at - grace } },
      { ...blank, status: { status: 'CANCELLED', at: at - grace } },
      // The feed's next observations bring the log to its time.
      { ...blank, status: { status: 'COMPLETED', at: at - grace + 2 * second } },
    ];
    const value = ends[number % ends.length] as (typeof ends)[number];
    await this.#world.api.drivers.broker.produce(topics.quotes, [{ key: uuid, value }]);
  }

  async #find(number: number): Promise<{ id: string; uuid: string }> {
    const [home, away] = pairOf(number);
    const everything = { league: null, status: null, dateFrom: null, dateTo: null, team: null, after: null };
    const games = await this.#world.api.drivers.catalogs.games.list({ ...everything, limit: 1_000 });
    const game = games.find((each) => each.home?.abbreviation === home && each.away?.abbreviation === away);
    if (game === undefined) throw new Error(`no game of ${home} and ${away}`);
    return { id: game.gameId, uuid: game.uuid };
  }

  /** Whether the game is still fed. */
  async #push(number: number, random: Random, which: 'old' | 'first' | 'next'): Promise<boolean> {
    const at = which === 'old' ? Date.now() - 20 * 60_000 : null;
    const operators = which === 'next' ? [random.pick(books)] : books;
    const events = operators.map((operator) => this.#event(number, operator, random, which === 'old'));
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

  #event(number: number, operator: string, random: Random, isLong: boolean): object {
    const [home, away] = pairOf(number);
    const price = (): object => ({ price: { american: random.pick([1, -1]) * (100 + random.integer(80)) } });
    const steps = Array.from({ length: isLong ? 100 : 4 }, (_, step) => 0.5 + step);
    const quotes = [
      ...['home', 'away'].map((selection) => ({ market: 'moneyline', selection, ...price() })),
      ...steps.flatMap((line) =>
        ['over', 'under'].map((selection) => ({ market: 'total', selection, line, alternate: true, ...price() })),
      ),
    ];
    const commence_time = new Date(this.#startsAt).toISOString();
    const game = { league: 'MLB', event_id: `event-${number}`, home_team: home, away_team: away, commence_time };
    return { kind: isLong ? 'image' : 'delta', operator, game, quotes };
  }
}

/** No two games are of the same two teams, whichever is at home: there are 264 of them. */
function pairOf(number: number): [home: string, away: string] {
  const home = number % teams.length;
  const away = (home + 1 + Math.floor(number / teams.length)) % teams.length;
  return [teams[home] as string, teams[away] as string];
}
