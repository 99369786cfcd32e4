// The operator's tool beside a running embedded instance, with what tests of settlement push into it and read from it.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openDatabase } from '../../../ops/service/drivers.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { Program } from '../campaigns/program.ts';
import { send } from '../http/gateway-http.ts';
import { makeDataFolder } from '../processes/data-folder.ts';
import { type Ran, runSds } from '../processes/sds.ts';
import { appliedMsf } from './msf-client.ts';
import type { Api } from './published-game.ts';
import { boxscore, eventGame } from './staged-bodies.ts';
import type { StagedGame } from './staged-game.ts';

export type Audited = { action: string; subject: string; detail: Record<string, unknown> };

export class SettledTool {
  readonly #dir = makeDataFolder('settled-tool');
  readonly #environment;
  readonly #instance: Program;

  constructor(settings: Readonly<Record<string, string>> = {}) {
    this.#environment = {
      SDS_EDITION: 'embedded',
      SDS_DATA_DIR: resolve(join(this.#dir, 'data')),
      SDS_API_PORT: '0',
      SDS_INGEST_PORT: '0',
      SDS_READY_FILE: join(this.#dir, 'ready.json'),
      SDS_DEMO: 'off',
      DATABASE_URL: '',
      LOG_LEVEL: 'error',
      ...settings,
    };
    this.#instance = new Program('instance', this.#environment, { roles: ['all'] });
  }

  /** Starts the service, or starts it again after `kill`. */
  async start(): Promise<void> {
    this.#instance.start();
    await this.#instance.untilReady();
    assert.ok(this.#instance.ready, JSON.stringify(this.#instance.ends));
  }

  /** Ends the whole service with SIGKILL. */
  kill(): Promise<void> {
    return this.#instance.kill();
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  sds(...args: string[]): Promise<Ran> {
    return runSds(this.#environment, args);
  }

  async json(...args: string[]): Promise<Record<string, unknown>> {
    const ran = await this.sds(...args, '--json');
    assert.equal(ran.code, 0, `${args.join(' ')}: ${ran.err}`);
    return JSON.parse(ran.out) as Record<string, unknown>;
  }

  /** Each of these command lines ends with `code` and one line that matches. */
  async endWith(code: number, lines: readonly (readonly [readonly string[], RegExp])[]): Promise<void> {
    for (const [args, why] of lines) {
      const ran = await this.sds(...args);
      const shown = `sds ${args.join(' ')}: ${JSON.stringify(ran)}`;
      assert.equal(ran.code, code, shown);
      assert.match(ran.err, why, shown);
      assert.equal(ran.err.trim().split('\n').length, 1, shown);
    }
  }

  get api(): Api {
    const { api_url: apiUrl, api_key: apiKey } = this.#ready;
    return { apiUrl: apiUrl as string, apiKey: apiKey as string };
  }

  get #ready(): Record<string, string> {
    return JSON.parse(readFileSync(this.#environment.SDS_READY_FILE, 'utf8')) as Record<string, string>;
  }

  /** Pushes a delta of operator X seen at `at`; the codes of what was refused. */
  async quote(game: StagedGame, at: string, quotes: readonly object[]): Promise<string[]> {
    const events = [{ kind: 'delta', operator: 'X', game: eventGame(game, game.start), quotes }];
    const told = await this.#push(game.source, 'quotes', { events }, { 'x-observed-at': at });
    return told.map(({ code }) => code);
  }

  /** Pushes a box score as it was received at `at`. */
  async tell(game: StagedGame, at: string, statuses: Record<string, unknown>, scoring = {}): Promise<void> {
    const body = { lastUpdatedOn: at, ...boxscore(game, statuses, scoring) };
    const route = `msf/${game.league.toLowerCase()}/2025-2026-regular/boxscore?game=${game.msfId}`;
    assert.deepEqual(await this.#push('msf', route, body, { 'x-observed-at': at, 'x-request-started-at': at }), []);
  }

  async #push(source: string, route: string, body: object, headers: Record<string, string>) {
    const { ingest_url: ingestUrl = '', feed_key: key = '' } = this.#ready;
    const reply = await send(`${ingestUrl}/v1/sources/${source}/${route}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const rejected = (reply.body.rejected ?? []) as { code: string }[];
    if (reply.status === 400) return rejected;
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    const { records } = await appliedMsf({ ingestUrl }, key, String(reply.body.receipt));
    return [...rejected, ...records.flatMap(({ refusals }) => refusals)];
  }

  /** The audit rows of a game, the oldest first. */
  async audited(game: StagedGame): Promise<Audited[]> {
    const database = await openDatabase(readSettings(this.#environment), silentLog);
    try {
      const { rows } = await database.sql.query(
        'select action, subject, detail from audit where subject = $1 order by id',
        [game.id],
      );
      return rows as unknown as Audited[];
    } finally {
      await database.close();
    }
  }
}
