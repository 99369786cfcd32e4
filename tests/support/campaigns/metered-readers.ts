// Clients that read overlapping parts of growing logs in every way there is; some leave in the middle of an answer.
// They remember what they received and which requests got no answer.
import { Agent, request as send } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../oracle/random.ts';
import type { GrowingLogs } from './growing-logs.ts';

/**
 * An account with the keys it reads with. An account with a quota names the number of rows it wants, so that a repeated
 * request costs the same even if the tail has grown beyond what the account can pay.
 */
export type Reading = { id: string; keys: readonly string[]; monthlyRows: number | null };

type Asked = { account: Reading; segment: string; path: string };
type Answer = { status: number; rows: number; debited: number };
type Way = { method?: string; headers?: Record<string, string>; leave?: boolean };

export class Readers {
  requests = 0;
  /** Requests without an answer, or with a 503. */
  lost = 0;
  readonly #logs: GrowingLogs;
  readonly #urls: readonly string[];
  readonly #random: Random;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 128 });
  /** By account and segment: the most rows received. */
  readonly #read = new Map<string, Map<string, number>>();
  readonly #debited = new Map<string, number>();
  /** Requests that may have been charged although no answer came. */
  readonly #unanswered = new Map<string, Asked>();

  constructor(logs: GrowingLogs, urls: readonly string[], random: Random) {
    this.#logs = logs;
    this.#urls = urls;
    this.#random = random;
  }

  /** How many distinct rows the account received. */
  distinctRows(accountId: string): number {
    return [...(this.#read.get(accountId)?.values() ?? [])].reduce((sum, rows) => sum + rows, 0);
  }

  /** The sum of the debits that the answers named to the account. */
  debited(accountId: string): number {
    return this.#debited.get(accountId) ?? 0;
  }

  async readUntil(signal: AbortSignal, account: Reading): Promise<void> {
    while (!signal.aborted) {
      await this.#readOnce(account);
      await delay(5 + this.#random.integer(40));
    }
  }

  async #readOnce(account: Reading): Promise<void> {
    const random = this.#random;
    const game = random.pick(this.#logs.games);
    const tail = this.#logs.tailSeq(game);
    const seq = random.chance(0.5) ? Math.max(1, tail - random.integer(3)) : 1 + random.integer(tail);
    const segment = `/v1/games/${game.gameId}/sportsbook-lines/segments/${seq}`;
    const rows = 1 + random.integer(this.#logs.segmentRows);
    const path = account.monthlyRows === null && random.chance(0.6) ? segment : `${segment}?rows=${rows}`;
    const ways: readonly Way[] = [
      {},
      {},
      {},
      { headers: { range: 'bytes=0-9' } },
      { method: 'HEAD' },
      { headers: { 'if-none-match': '*' } },
      { leave: true },
    ];
    const way = random.pick(ways);
    await this.#ask({ account, segment, path }, random.pick(this.#urls), way);
  }

  /** Repeats every request that got no answer, until it is answered. */
  async askAgain(): Promise<void> {
    const giveUpAt = performance.now() + 90_000;
    while (this.#unanswered.size > 0) {
      if (performance.now() > giveUpAt) throw new Error(`no answer to ${[...this.#unanswered.keys()].join(', ')}`);
      const again = [...this.#unanswered.values()];
      for (const asked of again) await this.#ask(asked, this.#random.pick(this.#urls), {});
    }
    this.#agent.destroy();
  }

  async #ask(asked: Asked, url: string, way: Way): Promise<void> {
    const { account, segment, path } = asked;
    const name = `${account.id} ${path}`;
    this.requests += 1;
    const answer = await this.#send(url + path, this.#random.pick(account.keys), way);
    const isFree = way.method === 'HEAD' || way.headers?.['if-none-match'] !== undefined;
    if (answer === null || answer.status === 503) {
      this.lost += 1;
      if (!isFree) this.#unanswered.set(name, asked);
      return;
    }
    const { status, rows, debited } = answer;
    if (![200, 206, 304, 404, 409, 429].includes(status)) throw new Error(`${path}: ${status}`);
    if (isFree) {
      if (debited > 0) throw new Error(`${path}: ${debited} debited, although nothing was delivered`);
      return;
    }
    if (way.leave !== true) this.#unanswered.delete(name);
    if (status > 206) return;
    const read = this.#read.get(account.id) ?? new Map<string, number>();
    this.#read.set(account.id, read);
    read.set(segment, Math.max(rows, read.get(segment) ?? 0));
    this.#debited.set(account.id, this.debited(account.id) + debited);
  }

  /** Null: no answer. A client that leaves in the middle has at least received the header. */
  #send(url: string, key: string, way: Way): Promise<Answer | null> {
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${key}`, ...way.headers };
      const call = send(
        url,
        { agent: this.#agent, method: way.method ?? 'GET', headers, timeout: 20_000 },
        (response) => {
          const number = (header: string) => Number(response.headers[header] ?? 0);
          const answer = {
            status: response.statusCode ?? 0,
            rows: number('x-service-rowcount'),
            debited: number('x-service-debited'),
          };
          if (way.leave === true) {
            response.destroy();
            resolve(answer);
            return;
          }
          response.resume();
          response.on('end', () => resolve(answer));
          response.on('error', () => resolve(null));
          response.on('close', () => resolve(null));
        },
      );
      call.on('timeout', () => call.destroy());
      call.on('error', () => resolve(null));
      call.end();
    });
  }
}
