// What the service says of itself when it starts and stops (docs/operations.md): that it runs as root, where it does, before anything else
// is done; no warning while nothing is amiss; on a terminal a banner and lines for people, elsewhere JSON.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, it } from 'vitest';
import { send } from '../../support/http/api-http.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { runSds } from '../../support/processes/sds.ts';
import { findProgram } from '../../support/services/installed.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const cli = new URL('../../../ops/cli.ts', import.meta.url);
const dir = makeDataFolder('root');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('as root it says plainly that it stays so, and otherwise nothing of it', async () => {
  // A start that ends at once, because its ready file cannot be written.
  const { code, out, err } = await runSds(
    { SDS_EDITION: 'embedded', SDS_DATA_DIR: join(dir, 'data'), SDS_READY_FILE: join(dir, 'nowhere', 'ready.json') },
    ['start'],
  );
  assert.notEqual(code, 0);
  assert.match(err, /SDS_READY_FILE/);
  const said = process.getuid?.() === 0 ? [/^running as root, and staying so: run the service as its own user/] : [];
  const lines = out.split('\n').filter((line) => line !== '');
  assert.equal(lines.length, said.length, out);
  for (const [at, line] of said.entries()) assert.match(lines[at] ?? '', line);
});

const firstStarts = [
  { demo: 'off', does: 'writes it to a file of its own, and prints only the path' },
  { demo: 'on', does: 'prints it beside the demo slate' },
];
for (const { demo, does } of firstStarts) {
  it(`of the key of a first start without a terminal: ${does}`, async () => {
    const [data, ready] = [join(dir, `first-${demo}`), join(dir, `ready-${demo}.json`)];
    const environment = { SDS_EDITION: 'embedded', SDS_DATA_DIR: data, SDS_READY_FILE: ready, DATABASE_URL: '' };
    const ports = { SDS_API_PORT: '0', SDS_INGEST_PORT: '0', SDS_DEMO: demo };
    let status = 0;
    const { code, out, err } = await runSds({ ...environment, ...ports }, ['start'], {
      begun(child) {
        void (async () => {
          try {
            await until('it serves', () => existsSync(ready) || child.exitCode !== null);
            const { api_url: url, api_key } = JSON.parse(readFileSync(ready, 'utf8')) as Record<string, string>;
            const plain = join(data, 'first-key');
            const key = existsSync(plain) ? readFileSync(plain, 'utf8').trim() : api_key;
            status = (await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status;
          } finally {
            child.kill('SIGTERM');
          }
        })();
      },
    });
    assert.equal(code, 0, err);
    assert.equal(status, 200, 'the key opens the API');
    const levels = err
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { level: number }).level);
    assert.ok(levels.length > 3, err);
    assert.deepEqual(
      levels.filter((level) => level > 30),
      [],
      `nothing is amiss in a start and a stop: ${err}`,
    );
    assert.doesNotMatch(out, /curl/);
    assert.equal(existsSync(join(data, 'first-key')), demo === 'off');
    if (demo === 'on') {
      assert.match(out, /^API key {7}svc_live_\w{46} {3}\(PRO; shown only once\)$/m);
      return;
    }
    assert.equal(statSync(join(data, 'first-key')).mode & 0o777, 0o600);
    assert.match(readFileSync(join(data, 'first-key'), 'utf8'), /^svc_live_\w{46}\n$/);
    assert.doesNotMatch(out + err, /svc_live_/);
    assert.match(out, /^API key {7}in .*first-off\/first-key {3}\(PRO; only its owner can read it\)$/m);
  });
}

const python = findProgram('python3');
it(
  'on a terminal it ends its start with a banner, and writes log lines for people',
  skipFor(python === undefined && 'python3, which makes a terminal, is not here'),
  async () => {
    const environment = {
      SDS_EDITION: 'embedded',
      SDS_DATA_DIR: join(dir, 'terminal'),
      DATABASE_URL: '',
      SDS_DEMO: 'off',
    };
    const program = [process.execPath, '--disable-warning=ExperimentalWarning', fileURLToPath(cli), 'start'];
    const terminal = spawn(python ?? '', ['-c', 'import pty, sys; pty.spawn(sys.argv[1:])', ...program], {
      env: { ...process.env, ...environment, SDS_API_PORT: '0', SDS_INGEST_PORT: '0' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let said = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const ended = new Promise((resolve) => terminal.once('close', resolve));
    try {
      await until('the banner is there', () => /^ {2}Try .*\r\n/m.test(said) || terminal.exitCode !== null);
    } finally {
      // As the terminal's user ends it.
      terminal.stdin.write('\x03');
      await ended;
    }
    const lines = said.replaceAll('\r', '').split('\n');
    const url = /^API {11}(http\S+)$/m.exec(lines.join('\n'))?.[1];
    const banner = lines.slice(lines.indexOf('ready')).filter((line) => line.startsWith('  '));
    assert.deepEqual(banner, [
      `  Live page   ${url}/`,
      `  Reference   ${url}/docs`,
      `  Try         curl -sS -H "Authorization: Bearer $KEY" "${url}/v1/games?status=STARTED"`,
    ]);
    assert.ok(
      lines.some((line) => /^\d\d:\d\d:\d\d partition claimed projector=live /.test(line)),
      said,
    );
    assert.ok(
      lines.some((line) => line.endsWith('SIGINT: stopping')),
      said,
    );
    assert.doesNotMatch(said, /\{"level"|^\d\d:\d\d:\d\d (?:warning|error)/m);
  },
);

it('the live page of the demo has a new key at each start, the earlier one revoked; none where others may reach it', async () => {
  const data = join(dir, 'page');
  let starts = 0;
  /** Starts the service: the key in its page, for a browser on this machine, and what becomes of requests with `earlier`. */
  const start = async (settings: Record<string, string>, earlier: string | null = null) => {
    starts += 1;
    const ready = join(dir, `page-${starts}.json`);
    const environment = { SDS_EDITION: 'embedded', SDS_DATA_DIR: data, SDS_READY_FILE: ready, DATABASE_URL: '' };
    const ports = { SDS_API_PORT: '0', SDS_INGEST_PORT: '0', SDS_DEMO: 'on' };
    let found: { key: string | null; status: number } | null = null;
    const { code, err } = await runSds({ ...environment, ...ports, ...settings }, ['start'], {
      begun(child) {
        void (async () => {
          try {
            await until('it serves', () => existsSync(ready) || child.exitCode !== null);
            const { api_url: url } = JSON.parse(readFileSync(ready, 'utf8')) as { api_url: string };
            const { body } = await send(url, '/', { headers: { 'sec-fetch-dest': 'document' } });
            const key = /<meta name="key" content="(svc_live_\w{46})">/.exec(body.toString())?.[1] ?? null;
            found = { key, status: (await send(url, '/v1/me', { key: earlier ?? key })).status };
          } finally {
            child.kill('SIGTERM');
          }
        })();
      },
    });
    assert.equal(code, 0, err);
    return found as unknown as { key: string | null; status: number };
  };
  const first = await start({});
  assert.equal(first.status, 200);
  const second = await start({}, first.key);
  assert.ok(second.key !== null && second.key !== first.key);
  assert.equal(second.status, 403, 'the key of the start before is revoked');
  for (const settings of [{ SDS_BASE_URL: 'http://sds.example' }, { SDS_PROXY_HOPS: '1' }] as const)
    assert.equal((await start(settings)).key, null, JSON.stringify(settings));
});
