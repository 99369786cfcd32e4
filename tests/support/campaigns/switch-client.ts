// A client that polls a game's live and final routes without pause and compares each answer with the one before: when one route refuses,
// the other must serve at once (I16). It follows the cursor, keeps its live rows, and uses only the documented interface.
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import type { Random } from '../../oracle/random.ts';
import { wasRefusedAtTheDoor } from '../http/refused-at-the-door.ts';
import type { FollowedRow } from './follower.ts';
import type { Metered, SwitchBill } from './switch-bill.ts';
import { now, type Says, type SwitchJudge } from './switch-judge.ts';

export type Instance = { name: string; url: string };
/**
 * `quiet`: no client requests the final file before a live route of the instance has announced it, so that the instance
 * must notice the landing on its own. `rest`: the datasets that landed together with the lines, once known.
 */
export type WatchedGame = { id: string; quiet: boolean; rest: readonly string[] };

export type ClientTools = {
  instances: readonly Instance[];
  account: string;
  key: string;
  random: Random;
  judge: SwitchJudge;
  bill: SwitchBill;
  games(): readonly WatchedGame[];
};

type Followed = { cursor: string; rows: FollowedRow[]; segments: string[] };
type Answer = { status: number; type: string; reason: string; bytes: Uint8Array; says: Says | 'nothing' };
type Listing = { cursor: string; segments: { rows: number; from_row?: number; url: string }[] };
type BoardListing = { board: { files: { url: string }[] } };

const segmentUrl = /\/segments\/(\d+)/;
const manners = ['live first', 'final first', 'follow', 'follow', 'board', 'segment', 'rest'] as const;

export class SwitchClient {
  requests = 0;
  lost = 0;
  readonly followed = new Map<string, Followed>();
  readonly #tools: ClientTools;

  constructor(tools: ClientTools) {
    this.#tools = tools;
  }

  get violations(): string[] {
    return this.#tools.judge.violations;
  }

  /** Polls until it is stopped. If an instance does not answer, it pauses and asks the other. */
  async pollUntil(stopped: AbortSignal): Promise<void> {
    const { random, games, instances } = this.#tools;
    while (!stopped.aborted) {
      const watched = games();
      const lost = this.lost;
      if (watched.length > 0) await this.#poll(random.pick(instances), random.pick(watched), random.pick(manners));
      if (watched.length === 0 || this.lost > lost) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #poll(instance: Instance, game: WatchedGame, manner: (typeof manners)[number]): Promise<void> {
    const lines = `/v1/games/${game.id}/sportsbook-lines`;
    switch (manner) {
      case 'live first':
        return this.#askLive(instance, game, `${lines}/segments`).then(() => {});
      case 'final first':
        return this.#askFinal(instance, game);
      case 'follow':
        return this.#follow(instance, game);
      case 'board':
        return this.#readBoard(instance, game);
      case 'segment': {
        const known = this.followed.get(game.id)?.segments ?? [];
        if (known.length > 0) await this.#askLive(instance, game, this.#tools.random.pick(known));
        return;
      }
      case 'rest':
        for (const dataset of game.rest) await this.#askRest(instance, game, dataset);
    }
  }

  /** Asks a live route; if it says that the game is final, every instance must have the final file. */
  async #askLive(instance: Instance, game: WatchedGame, path: string): Promise<Answer | null> {
    const wasTracked = this.#tools.judge.isTracked(game.id);
    const answer = await this.#ask(instance, game, path);
    if (answer === null || answer.says === 'live') return answer;
    if (answer.says === 'final') {
      const asked = game.quiet ? [instance] : this.#tools.instances;
      await Promise.all(
        asked.map(async (each) => {
          const final = await this.#ask(each, game, `/v1/games/${game.id}/sportsbook-lines`);
          if (final !== null && final.says !== 'final')
            this.#object(`${each.name} refuses the final file of ${game.id} that ${instance.name} has told of`, final);
        }),
      );
      return answer;
    }
    if (wasTracked || answer.reason !== 'no_live_artifact') this.#object(`${instance.name}${path}`, answer);
    return answer;
  }

  /**
   * Asks for the final file. If it is refused, the live routes must serve the game, unless by then they say that it is
   * final.
   */
  async #askFinal(instance: Instance, game: WatchedGame): Promise<void> {
    const { judge } = this.#tools;
    if (game.quiet && !judge.hasFlipped(game.id, instance.name)) return;
    const lines = `/v1/games/${game.id}/sportsbook-lines`;
    const wasTracked = judge.isTracked(game.id);
    const answer = await this.#ask(instance, game, lines);
    if (answer === null || answer.says === 'final') return;
    if (answer.type !== 'not-final') {
      if (wasTracked) this.#object(`${instance.name}${lines}`, answer);
      return;
    }
    for (const each of this.#tools.instances) {
      const live = await this.#askLive(each, game, `${lines}/segments`);
      if (live?.says === 'nothing') this.#object(`${each.name} serves ${game.id} neither final nor live`, live);
    }
  }

  async #follow(instance: Instance, game: WatchedGame): Promise<void> {
    const followed = this.followed.get(game.id) ?? { cursor: '0:0', rows: [], segments: [] };
    this.followed.set(game.id, followed);
    const path = `/v1/games/${game.id}/sportsbook-lines/segments?cursor=${followed.cursor}`;
    const answer = await this.#askLive(instance, game, path);
    if (answer?.status !== 200) return;
    const listing = JSON.parse(Buffer.from(answer.bytes).toString()) as Listing;
    const fresh: FollowedRow[] = [];
    for (const { url, rows, from_row: from = 0 } of listing.segments) {
      const segment = await this.#askLive(instance, game, url);
      if (segment?.status !== 200) return;
      if (!followed.segments.includes(url)) followed.segments.push(url);
      fresh.push(...parquetWriter.decode('sportsbook-lines', segment.bytes).slice(from, rows));
    }
    followed.rows.push(...fresh);
    followed.cursor = listing.cursor;
  }

  async #readBoard(instance: Instance, game: WatchedGame): Promise<void> {
    const answer = await this.#askLive(instance, game, `/v1/games/${game.id}/sportsbook-lines/board`);
    if (answer?.status !== 200) return;
    const { board } = JSON.parse(Buffer.from(answer.bytes).toString()) as BoardListing;
    for (const { url } of board.files) await this.#askLive(instance, game, url);
  }

  /**
   * Asks for a dataset that landed in the same transaction as the lines: a client that has seen the lines must get it.
   */
  async #askRest(instance: Instance, game: WatchedGame, dataset: string): Promise<void> {
    if (!this.#tools.judge.hasFlipped(game.id, instance.name)) return;
    const answer = await this.#ask(instance, game, `/v1/games/${game.id}/${dataset}`);
    if (answer !== null && answer.status !== 200 && answer.status !== 429)
      this.#object(`${instance.name}: ${dataset} of ${game.id}`, answer);
  }

  /** Null: no answer. */
  async #ask(instance: Instance, game: WatchedGame, path: string): Promise<Answer | null> {
    const { account, key, judge, bill } = this.#tools;
    this.requests += 1;
    const metered = meteredOf(account, game.id, path);
    const begunAt = now();
    const response = await fetch(instance.url + path, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(20_000),
    }).catch((error: unknown) => {
      // A refusal is not charged.
      if (metered !== null && !wasRefusedAtTheDoor(error)) bill.unanswered(metered);
      return null;
    });
    const number = (name: string): number => Number(response?.headers.get(name) ?? 0);
    if (response === null || response.status >= 500) {
      this.lost += 1;
      if (response !== null && metered !== null) bill.unanswered(metered);
      await response?.arrayBuffer().catch(() => {});
      return null;
    }
    if (response.status === 200 && metered !== null)
      bill.answered(metered, number('x-service-rowcount'), number('x-service-debited'));
    else if (number('x-service-debited') !== 0) bill.violations.push(`${path}: ${response.status} was debited`);
    const bytes = await response.arrayBuffer().catch(() => null);
    if (bytes === null) {
      this.lost += 1;
      return null;
    }
    if (response.status === 429) bill.refused += 1;
    const answer = toAnswer(path, response.status, new Uint8Array(bytes));
    if (answer.says !== 'nothing')
      judge.hear({ instance: instance.name, game: game.id, path, says: answer.says, begunAt, endedAt: now() });
    return answer;
  }

  #object(what: string, { status, type, reason, bytes }: Answer): void {
    const said = status === 200 ? '' : Buffer.from(bytes).toString().slice(0, 300);
    this.violations.push(`${what}: ${status} ${type} ${reason} ${said}`);
  }
}

function toAnswer(path: string, status: number, bytes: Uint8Array): Answer {
  const isLive = /\/(segments|board)/.test(path);
  // A read that the quota refuses exists: the charge is the last check.
  const isThere = status === 200 || status === 429;
  if (isThere) return { status, type: '', reason: '', bytes, says: isLive ? 'live' : 'final' };
  const problem = JSON.parse(Buffer.from(bytes).toString()) as { type?: string; reason?: string };
  const type = problem.type?.split('/').at(-1) ?? '';
  const reason = problem.reason ?? '';
  return { status, type, reason, bytes, says: isLive && reason === 'final_available' ? 'final' : 'nothing' };
}

/** What a read is charged for: segments and files. Listings are free, and boards weigh nothing here. */
function meteredOf(account: string, game: string, path: string): Metered | null {
  const [, seq] = segmentUrl.exec(path) ?? [];
  if (seq !== undefined) return { account, game, dataset: 'sportsbook-lines', seq: Number(seq) };
  if (/\/(segments|board)/.test(path)) return null;
  return { account, game, dataset: path.split('/').at(-1) ?? '', seq: null };
}
