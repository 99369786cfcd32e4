// A service with a game today that sportsbooks quote, its log and boards as real Parquet, for tests of the live page.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { image, quote, suspended, tick } from '../builders/live-records.ts';
import { publishLog } from '../builders/published-log.ts';
import { uuidOf } from '../fakes/api-fakes.ts';
import { LiveLog } from '../folds/live-log.ts';
import { startApi, type TestApi } from '../http/api-http.ts';

const easternDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' });

export class QuotedGame {
  static readonly books = ['A', 'B', 'C'];
  static readonly today = easternDate.format(new Date());
  static readonly id = QuotedGame.idOf('MLB_STL_NYY');
  readonly log = new LiveLog();
  readonly api: TestApi;
  readonly #folder = mkdtempSync(join(tmpdir(), 'sds-page-'));
  #second = 0;

  /** The id of a game today. */
  static idOf(teams: string): string {
    return `${teams}_${QuotedGame.today.replaceAll('-', '')}`;
  }

  private constructor(api: TestApi) {
    this.api = api;
    const { id: gameId, today: gameDate } = QuotedGame;
    api.catalog.addGame({ gameId, uuid: uuidOf(gameId), gameDate, status: 'STARTED' });
  }

  /** By default the page finds its key filled in. */
  static async start(options: Parameters<typeof startApi>[0] = {}): Promise<QuotedGame> {
    const game = new QuotedGame(await startApi({ baseUrl: null, fillsInKey: true, ...options }));
    for (const book of QuotedGame.books) game.push(book, () => -110);
    await game.publish();
    return game;
  }

  /**
   * Pushes a sportsbook's image of two markets, a second after the last one. `price`: of each selection; null:
   * suspended.
   */
  push(book: string, price: (selection: string) => number | null): void {
    this.#second += 1;
    const line = { market: 'total', line: this.#second % 12 < 6 ? '8.5' : '9.5' };
    const quotes = (['home', 'away', 'over', 'under'] as const).map((selection) => {
      const more = selection === 'over' || selection === 'under' ? line : { market: 'moneyline' };
      const american = price(selection);
      return american === null ? suspended(selection, more) : quote(selection, american, more);
    });
    this.log.apply(image(book, quotes, { at: this.#second }));
  }

  /** So many seconds in which no sportsbook is heard of. */
  passSilently(seconds: number): void {
    this.#second += seconds;
    this.log.apply(tick(this.#second));
  }

  async publish(): Promise<void> {
    const { rows, segments, game: state } = this.log;
    const published = { rows, segments, state: { ...state, uuid: uuidOf(QuotedGame.id) } };
    const { catalog, objects } = this.api;
    await publishLog({ catalog, objects, folder: this.#folder }, published, this.#second);
  }

  async close(): Promise<void> {
    await this.api.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
