// Plays one case against an adapter: changes the world, breaks what the case breaks, calls the client and judges what it says. Every row that
// a client hands out is compared whole, in JSON form, with the row that the world has.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Route } from '../world/faults.ts';
import type { LogWorld, RowInJson } from '../world/log.ts';
import { oddsOf } from '../world/odds.ts';
import { apiKey, ScriptedServer } from '../world/server.ts';
import { Adapter, type AdapterAnswer, type Taken } from './adapter.ts';
import type { ConformanceCase, Expected, Step } from './cases.ts';

const ownGame = 'NBA_BOS_CLE_20260109';
/** Short enough for tests; a client's own defaults are far longer. */
const manners = { poll: 0.02, most_poll: 0.2, silence: 0.5, patience: 5, backoff: [0.01, 0.1] };

const notUtf8 = Uint8Array.of(0xff, 0xfe, 0x00);

/** Plays cases against one client. Its program runs for as long as its cases pass: `open` begins anew in it. */
export class CasePlayer {
  readonly #command: readonly string[];
  #adapter: Adapter | undefined;

  constructor(command: readonly string[]) {
    this.#command = command;
  }

  /** Rejects with what is not as the case says. */
  async play(each: ConformanceCase): Promise<void> {
    this.#adapter ??= new Adapter(this.#command);
    try {
      await playCase(this.#adapter, each);
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  async end(): Promise<void> {
    await this.#adapter?.end();
    this.#adapter = undefined;
  }
}

async function playCase(adapter: Adapter, { name, steps }: ConformanceCase): Promise<void> {
  const server = new ScriptedServer();
  await server.start();
  const folder = mkdtempSync(join(tmpdir(), 'sds-conformance-'));
  const play = new Play(server, adapter, folder);
  try {
    await play.open({});
    for (const [at, step] of steps.entries()) {
      await play.step(step).catch((error: Error) => {
        throw new Error(`${name}, step ${at} ${JSON.stringify(step)}: ${error.message}`, { cause: error });
      });
    }
    assert.deepEqual(server.strange, [], 'requests that are not of the interface');
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

class Play {
  readonly #server: ScriptedServer;
  readonly #adapter: Adapter;
  readonly #folder: string;
  /** What was asked of each route when the last `after` held. */
  #seen = new Map<Route, number>();
  #cursors = new Map<string, string>();
  #takenAt = '';

  constructor(server: ScriptedServer, adapter: Adapter, folder: string) {
    this.#server = server;
    this.#adapter = adapter;
    this.#folder = folder;
    server.game(ownGame);
  }

  async open(options: object, error?: string): Promise<void> {
    this.#server.welcome();
    const place = { base_url: this.#server.url, api_key: apiKey, cache: join(this.#folder, 'cache') };
    const answer = await this.#adapter.call({ do: 'open', ...place, ...manners, ...options });
    if (error === undefined) assert.deepEqual(answer, { ok: true });
    else assert.equal(answer.error, error);
  }

  async step(step: Step): Promise<void> {
    const game = step.game ?? ownGame;
    const { log, stream } = this.#server.game(game);
    if (step.append !== undefined) log.append(step.append);
    if (step.cut) log.cut();
    if (step.rebuild !== undefined) log.rebuild(step.rebuild);
    if (step.restore !== undefined) log.restore(step.restore);
    if (step.lose !== undefined) log.lose(step.lose);
    if (step.repeat !== undefined) log.repeat(step.repeat);
    if (step.settle !== undefined) log.settled = step.settle;
    if (step.status !== undefined) log.status = step.status;
    if (step.revise !== undefined) stream.revise(step.revise);
    if (step.lie !== undefined) stream.revise(step.lie, true);
    if (step.epoch) stream.replaceEpoch();
    if (step.expire !== undefined) stream.keptFrom = step.expire;
    if (step.revert !== undefined) stream.revert(step.revert);
    if (step.fault !== undefined) this.#server.faults.push({ times: 1, ...step.fault });
    if (step.uncache) rmSync(join(this.#folder, 'cache'), { recursive: true });
    if (step.spoil !== undefined) this.#spoil(step.spoil);
    if (step.stop) await this.#server.stop();
    if (step.start) await this.#server.start();
    if (step.pause !== undefined) await delay(step.pause * 1_000);
    if (step.after !== undefined) await this.#after(step.after);
    if (step.open !== undefined) await this.open(step.open, step.expect?.error);
    const command = this.#commandOf(step, game);
    if (command !== null) await this.#call(command, step, game);
    if (step.charged !== undefined) assert.equal(this.#server.charged, step.charged, 'rows billed');
    const { charged_at_most: most = this.#server.charged } = step;
    assert.ok(this.#server.charged <= most, `${this.#server.charged} rows billed, where ${most} are enough`);
    for (const [route, count] of Object.entries(step.asked ?? {})) {
      assert.equal(this.#server.asked.get(route as Route) ?? 0, count, `requests of ${route}`);
    }
    for (const [route, most] of Object.entries(step.asked_at_most ?? {})) {
      const count = this.#server.asked.get(route as Route) ?? 0;
      assert.ok(count <= most, `${count} requests of ${route}, where ${most} are enough`);
    }
  }

  /** Whatever a client names the files of its store. */
  #spoil(kind: 'text' | 'bytes'): void {
    const folder = join(this.#folder, 'cursors');
    for (const name of readdirSync(folder))
      writeFileSync(join(folder, name), kind === 'text' ? 'no cursor\n' : notUtf8);
  }

  #commandOf(step: Step, game: string): object | null {
    if (step.follow !== undefined) {
      const { since = null } = step.follow;
      const given = since === null ? null : (this.#cursors.get(since) ?? since);
      const followed = step.follow.game ?? game;
      return { do: 'follow', game: followed, since: given, store: join(this.#folder, 'cursors') };
    }
    if (step.take !== undefined) return { do: 'take', count: step.take };
    if (step.cursor !== undefined) return { do: 'cursor' };
    if (step.close) return { do: 'close' };
    if (step.board !== undefined) return { do: 'board', game, ...step.board };
    if (step.odds !== undefined) return { do: 'odds', game, ...step.odds };
    if (step.final !== undefined) return { do: 'final', game, dataset: 'sportsbook-lines', ...step.final };
    if (step.history !== undefined) return { do: 'history', dataset: 'sportsbook-lines', ...step.history };
    if (step.revisions !== undefined)
      return { do: 'revisions', subject: game, dataset: 'team-stats', ...step.revisions };
    return null;
  }

  async #call(command: object, step: Step, game: string): Promise<void> {
    this.#seen = new Map(this.#server.asked);
    const began = performance.now();
    const answering = this.#adapter.call(command);
    // What goes wrong meanwhile is reported before what comes of it.
    answering.catch(() => {});
    for (const each of step.while ?? []) await this.step(each);
    const answer = await answering;
    const seconds = (performance.now() - began) / 1000;
    assert.ok(seconds >= (step.expect?.lasts ?? 0), `${seconds.toFixed(2)} s are too short`);
    if (step.cursor !== undefined) {
      this.#cursors.set(step.cursor, answer.cursor ?? assert.fail('no cursor'));
      this.#takenAt = answer.cursor ?? '';
    }
    this.#judge(answer, step, game);
  }

  #judge(answer: AdapterAnswer, step: Step, game: string): void {
    const { log, stream } = this.#server.game(game);
    const expected: Expected = step.expect ?? {};
    assert.equal(answer.error ?? null, expected.error ?? null, `an error after ${this.#takenAt}`);
    const items = answer.items ?? [];
    if (expected.revisions !== undefined) {
      assert.deepEqual(
        items.map((item) => ('revision' in item ? [item.revision.revision, item.revision.rows] : [-1, 0])),
        expected.revisions,
      );
      for (const item of items) {
        if (!('revision' in item)) continue;
        const { revision, digest } = item.revision;
        assert.ok(stream.hasPublished(Number(revision), String(digest)), `the digest of revision ${revision}`);
      }
    } else if (expected.rows !== undefined || items.length > 0) {
      assert.deepEqual(items.map(numberOf), expected.rows, 'the rows that were taken');
      for (const item of items) {
        if (!('row' in item)) continue;
        assert.deepEqual(item.row, log.rowInJson(Number(item.row.row_number), expected.log), 'a row');
      }
    }
    if (expected.ended !== undefined) assert.equal(answer.ended ?? false, expected.ended, 'whether it has ended');
    if (expected.count !== undefined) {
      const rows = this.#tableOf(step, game);
      assert.equal(rows.length, expected.count, 'rows that the case counts');
      assert.deepEqual((answer.rows ?? []).map(withoutState).sort(byPlace), [...rows].sort(byPlace), 'the table');
    }
    if (step.odds !== undefined && expected.error === undefined)
      assert.deepEqual(answer.odds, oddsOf(log, step.odds), 'the odds');
    if (expected.cursor !== undefined) assert.equal(answer.cursor, expected.cursor);
    if (expected.games !== undefined) assert.deepEqual(answer.games, expected.games);
    if (expected.missing !== undefined) assert.deepEqual(answer.missing, expected.missing);
  }

  /** The rows of the table that the step reads, as the world has them. */
  #tableOf(step: Step, game: string): RowInJson[] {
    const rowsOf = ({ log }: { log: LogWorld }, rows = log.rows): RowInJson[] =>
      rows.map((row) => log.rowInJson(row.row_number) ?? assert.fail('a row of no log'));
    if (step.history !== undefined) {
      const { league, from, to } = step.history;
      return this.#server.gamesOf(league, from, to).flatMap(([, each]) => (each.log.settled ? rowsOf(each) : []));
    }
    const own = this.#server.game(game);
    const operators = step.board?.operators ?? own.log.operators();
    return step.board === undefined
      ? rowsOf(own)
      : operators.flatMap((each) => rowsOf(own, own.log.boardRows(each.toLowerCase())));
  }

  async #after(counts: Partial<Record<Route, number>>): Promise<void> {
    const until = performance.now() + 10_000;
    for (const [route, count] of Object.entries(counts) as [Route, number][]) {
      while ((this.#server.asked.get(route) ?? 0) - (this.#seen.get(route) ?? 0) < count) {
        if (performance.now() > until) throw new Error(`waited in vain for ${count} requests of ${route}`);
        await delay(2);
      }
    }
    this.#seen = new Map(this.#server.asked);
  }
}

/** A row of a board without the columns that a segment does not have. */
function withoutState(row: RowInJson): RowInJson {
  const { last_changed_at: _1, operator_observed_through: _2, quote_state: _3, ...columns } = row;
  return columns;
}

function byPlace(a: RowInJson, b: RowInJson): number {
  const [one, other] = [String(a.game_id), String(b.game_id)];
  return one === other ? Number(a.row_number) - Number(b.row_number) : one < other ? -1 : 1;
}

function numberOf(item: Taken): number {
  return 'row' in item ? Number(item.row.row_number) : -1;
}
