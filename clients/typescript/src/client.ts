// The client: what a program imports. Node 20 or newer and browsers; `sds-client/node` has stores of files.
import { ForeignCursor, isProblem, NoArchive, NotAsPublished, Problem, SdsError, Unreachable } from './errors.ts';
import { Follower, Reset } from './follow.ts';
import type { Odds, OddsOptions } from './odds.ts';
import type { Row } from './parquet.ts';
import { type Revision, type RevisionOptions, Stream } from './revisions.ts';
import type { Rows } from './rows.ts';
import { type CalledStore, type CursorStore, memoryStore, storeOf } from './stores.ts';
import { digester, type Options, provenBytes, readRows, Transport } from './transport.ts';

export type { ProblemDocument, ProblemType } from './errors.ts';
export type { Odds, OddsOfOperator, OddsOfSelection, OddsOptions } from './odds.ts';
export type { Value } from './parquet.ts';
export type { RevisionRecord } from './revisions.ts';
export type * from './rows.ts';
export type { FileCache } from './transport.ts';
export type { CalledStore, CursorStore, Follower, Options, Revision, RevisionOptions, Row };
export { ForeignCursor, isProblem, memoryStore, NoArchive, NotAsPublished, Problem, Reset, SdsError, Unreachable };

/** The row of a dataset that this client knows by its name; of any other one, values by column. */
export type RowOf<Dataset extends string> = Dataset extends keyof Rows ? Rows[Dataset] : Row;

/** A game as it is listed (docs/interface.md#game). */
export type Game = { id: string; league: string; game_date: string; status: string; [member: string]: unknown };

/** `games`: those whose rows are in `rows`. `missing`: those of which there is no such file, or not yet. */
export type History<Of = Row> = { rows: Of[]; games: string[]; missing: string[] };

export type FollowOptions = {
  /** Where to begin if the store has no cursor of the game: nothing for the first row, `now`, or a cursor. */
  since?: string | null;
  store?: CursorStore | CalledStore;
};

type Page<Record> = { data: Record[]; next_cursor: string | null };

const day = 86_400_000;

export class Client {
  readonly #transport: Transport;

  constructor(options: Options) {
    this.#transport = new Transport(options);
  }

  /**
   * Each row of the game once, in order, until the final rows; a `Reset` where what was taken is void. A row counts as taken when the next one
   * is asked for.
   */
  follow(game: string, { since = null, store = memoryStore() }: FollowOptions = {}): Follower {
    return new Follower(this.#transport, game, since, storeOf(store));
  }

  /** What each sportsbook is believed to be quoting now. */
  async board(game: string, operators?: readonly string[]): Promise<Rows['board'][]> {
    const path = `/v1/games/${encodeURIComponent(game)}/sportsbook-lines/board`;
    const manifest = await this.#transport.json<{ board: { files: { operator: string; url: string }[] } }>(path, [
      'board',
    ]);
    const wanted = operators?.map((each) => each.toUpperCase());
    const files = manifest.board.files.filter(({ operator }) => wanted?.includes(operator) ?? true);
    return (await this.#together(files, ({ url }) => this.#transport.file<Rows['board']>(url))).flat();
  }

  /** The odds of all sportsbooks side by side: now, from the final file, or at a time (docs/odds.md). */
  odds(game: string, { operators, best = false, at, ...more }: OddsOptions = {}): Promise<Odds> {
    const query = queryOf({
      ...more,
      operators: operators?.join(','),
      best: best ? 'true' : undefined,
      at: typeof at === 'object' ? at.toISOString() : at,
    });
    return this.#transport.json(`/v1/games/${encodeURIComponent(game)}/odds${query}`, ['selections']);
  }

  /**
   * Revisions of a game's or a league's dataset, each proven, from the newest snapshot on or from that of `at`. Ends at the newest revision, or at
   * `until`; with `follow` it goes on. A `Reset` says that the stream begins anew.
   */
  revisions<Dataset extends string>(
    subject: string,
    dataset: Dataset,
    options: RevisionOptions = {},
  ): AsyncGenerator<Revision<RowOf<Dataset>> | Reset, void> {
    return new Stream<RowOf<Dataset>>(this.#transport, subject, dataset).revisions(options);
  }

  /** Every archived revision of a game's or a league's dataset, each proven. */
  archives<Dataset extends string>(subject: string, dataset: Dataset): AsyncGenerator<Revision<RowOf<Dataset>>, void> {
    return new Stream<RowOf<Dataset>>(this.#transport, subject, dataset).archives();
  }

  /**
   * The final files of all games of these Eastern dates, `YYYY-MM-DD`, as one list of rows. What the cache has is not paid again.
   * @throws RangeError where one is no such date
   */
  async history<Dataset extends string>(
    league: string,
    from: string,
    to: string,
    dataset: Dataset,
    progress: (done: number, total: number) => void = () => {},
  ): Promise<History<RowOf<Dataset>>> {
    const games: string[] = [];
    const [first, last] = [timeOf(from), timeOf(to)];
    for (let at = first; at <= last; at += 366 * day) {
      const until = Math.min(last, at + 365 * day);
      const listed = await this.games({ league, date_from: dateOf(at), date_to: dateOf(until) });
      // Of any status: no member of a game says whether it is settled, and one may be settled in every status.
      games.push(...listed.map(({ id }) => id));
    }
    let done = 0;
    const files = await this.#together(games, async (game) => {
      const rows = await this.#finalIfAny(game, dataset);
      done += 1;
      progress(done, games.length);
      return { game, rows };
    });
    const missing = files.filter(({ rows }) => rows === null).map(({ game }) => game);
    const found = files.filter(({ rows }) => rows !== null).map(({ game }) => game);
    return { rows: files.flatMap(({ rows }) => rows ?? []), games: found, missing };
  }

  /** A final file. */
  final<Dataset extends string>(game: string, dataset: Dataset, version?: number): Promise<RowOf<Dataset>[]> {
    return this.#final(game, dataset, version);
  }

  /** `league`, `status`, `date_from` and `date_to`, `team` (docs/interface.md#list-games). */
  async games(query: Readonly<Record<string, string | undefined>> = {}): Promise<Game[]> {
    const games: Game[] = [];
    let { cursor } = query;
    do {
      const path = `/v1/games${queryOf({ ...query, cursor })}`;
      const page: Page<Game> = await this.#transport.json(path, ['data', 'next_cursor']);
      games.push(...page.data);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return games;
  }

  /** The key's tier, limits and quota. */
  me(): Promise<Record<string, unknown>> {
    return this.#transport.json('/v1/me', ['key_id']);
  }

  async #final<Dataset extends string>(game: string, dataset: Dataset, version?: number): Promise<RowOf<Dataset>[]> {
    const query = version === undefined ? '' : `?version=${version}`;
    const path = `/v1/games/${encodeURIComponent(game.toUpperCase())}/${encodeURIComponent(dataset)}${query}`;
    const { cache } = this.#transport;
    const cached = (await cache?.recall(path)) ?? null;
    const headers = cached === null ? {} : { 'if-none-match': cached.etag };
    digester();
    const { rows, kept } = await this.#transport.ask(
      path,
      async (answer) => {
        if (answer.status === 304 && cached !== null)
          return { rows: await readRows<RowOf<Dataset>>(cached.body), kept: null };
        return { rows: await readRows<RowOf<Dataset>>(await provenBytes(answer)), kept: answer };
      },
      { headers },
    );
    const etag = kept?.headers.get('etag');
    if (kept !== null && etag) {
      try {
        await cache?.keep(path, etag, kept.body);
      } catch {
        // The rows are charged already: the caller gets them, and a later call pays again.
      }
    }
    return rows;
  }

  async #finalIfAny<Dataset extends string>(game: string, dataset: Dataset): Promise<RowOf<Dataset>[] | null> {
    try {
      return await this.#final(game, dataset);
    } catch (error) {
      if (isProblem(error, 'not-found', 'not-final')) return null;
      throw error;
    }
  }

  /**
   * So many at once; the results are in the order of the items. After the first failure nothing more is begun; what is running finishes,
   * because it may be charged already.
   */
  async #together<Item, Result>(items: readonly Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
    const results: Result[] = [];
    const failures: unknown[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < items.length && failures.length === 0) {
        const at = next;
        next += 1;
        try {
          results[at] = await run(items[at] as Item);
        } catch (error) {
          failures.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#transport.atOnce, items.length) }, work));
    if (failures.length > 0) throw failures[0];
    return results;
  }
}

/** `?` and what is given, or nothing; a member that is undefined is not given. */
function queryOf(given: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? '' : `?${query}`;
}

/** Its midnight in UTC, in milliseconds. @throws RangeError where it is not a date as `YYYY-MM-DD` */
function timeOf(date: string): number {
  const time = Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(date) ? date : '');
  if (Number.isNaN(time) || dateOf(time) !== date) throw new RangeError(`not a date: ${date}`);
  return time;
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
