// Runs the administrator's tool while an embedded instance runs, for tests of its commands: its output, its exit code,
// and what the instance serves meanwhile. Independent of games and commands.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadyFile } from '../../../ops/service/first-keys.ts';
import { Program } from '../campaigns/program.ts';
import { send } from '../http/gateway-http.ts';
import { makeDataFolder } from '../processes/data-folder.ts';
import { type Ran, runSds } from '../processes/sds.ts';
import type { Api } from './published-game.ts';

type Begun = Parameters<typeof runSds>[2];

export class EmbeddedTool {
  /** A folder for the test, next to the data. */
  readonly dir: string;
  readonly environment;
  readonly instance: Program;

  constructor(name: string, settings: Readonly<Record<string, string>> = {}) {
    this.dir = makeDataFolder(name);
    this.environment = {
      SDS_EDITION: 'embedded',
      SDS_DATA_DIR: resolve(join(this.dir, 'data')),
      SDS_API_PORT: '0',
      SDS_INGEST_PORT: '0',
      SDS_READY_FILE: join(this.dir, 'ready.json'),
      SDS_DEMO: 'off',
      DATABASE_URL: '',
      LOG_LEVEL: 'error',
      ...settings,
    };
    this.instance = new Program('instance', this.environment, { roles: ['all'] });
  }

  /** Starts the service, also after `kill`; with or without an armed crash point. */
  async start(armed: string | null = null): Promise<void> {
    this.instance.start(armed);
    await this.instance.untilReady();
    if (armed === null) assert.ok(this.instance.ready, JSON.stringify(this.instance.ends));
  }

  /** Ends the whole service with SIGKILL. */
  kill(): Promise<void> {
    return this.instance.kill();
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.dir, { recursive: true, force: true });
  }

  sds(...args: string[]): Promise<Ran> {
    return this.sdsWith({}, args);
  }

  /** Runs `sds` with settings of its own; `begun` as for `runSds`. */
  sdsWith(settings: Readonly<Record<string, string>>, args: readonly string[], begun: Begun = {}): Promise<Ran> {
    return runSds({ ...this.environment, ...settings }, args, begun);
  }

  /** Repeats a command while it is refused, until the lease of a killed one expires. */
  async sdsOnceFree(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<Ran> {
    for (;;) {
      const ran = await this.sdsWith(settings, args);
      if (ran.code !== 3) return ran;
      await delay(250);
    }
  }

  async json(...args: string[]): Promise<Record<string, unknown>> {
    const ran = await this.sds(...args, '--json');
    assert.equal(ran.code, 0, `${args.join(' ')}: ${ran.err}`);
    return JSON.parse(ran.out) as Record<string, unknown>;
  }

  /** Asserts that each of these commands ends with `code` and one line that matches, behind the plan where `--yes` has confirmed one. */
  async endWith(code: number, endings: readonly (readonly [readonly string[], RegExp])[]): Promise<void> {
    for (const [args, why] of endings) {
      const ran = await this.sds(...args);
      const shown = `sds ${args.join(' ')}: ${JSON.stringify(ran)}`;
      assert.equal(ran.code, code, shown);
      const lines = ran.err.trim().split('\n');
      assert.match(lines.at(-1) ?? '', why, shown);
      assert.ok(lines.length === 1 || (lines.length === 2 && args.includes('--yes')), shown);
    }
  }

  /** The ready file of the running instance. */
  get ready(): ReadyFile {
    return JSON.parse(readFileSync(this.environment.SDS_READY_FILE, 'utf8')) as ReadyFile;
  }

  get api(): Api {
    const { api_url: apiUrl, api_key: apiKey } = this.ready;
    return { apiUrl, apiKey };
  }

  read(path: string, key = this.ready.api_key): Promise<Response> {
    return fetch(this.ready.api_url + path, { headers: { authorization: `Bearer ${key}` } });
  }

  /** Pushes to a route of a source, such as `quotes`, with the key of the ready file, or with that of `headers`. */
  push(source: string, route: string, body: object | string, headers: Readonly<Record<string, string>> = {}) {
    const { ingest_url: url, feed_key: key } = this.ready;
    return send(`${url}/v1/sources/${source}/${route}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }
}
