// Checks of the installed packages that need the registry (SECURITY.md, S29): no known vulnerability that is high or critical, valid
// signatures, and an installation from the lock file that does not change it. Skipped by name if the registry does not answer such
// questions.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it, type TestContext } from 'vitest';
import { findProgram } from '../../support/services/installed.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const npm = findProgram('npm');
const without = npm === undefined ? 'npm is not here: there is no such program on this machine' : false;
const serving = ['--omit=dev', '--json', '--no-progress', '--loglevel=error', '--fetch-retries=1'];

type Printed = { code: number | null; out: string; err: string };

function ask(args: readonly string[], cwd = root): Promise<Printed> {
  const child = spawn(npm ?? 'npm', [...args, ...serving], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Printed = { code: null, out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => {
    said.out += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    said.err += text.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ ...said, code }));
  });
}

/** npm's messages when the registry does not answer, or not this question. */
const unreachable =
  /\bE?(?:4\d\d|5\d\d)\b|\bE(?:NOTFOUND|CONN[A-Z]+|TIMEDOUT|AI_AGAIN|NETUNREACH|HOSTUNREACH|NOAUDIT)\b/;

/** The answer, if it is one with `member`; otherwise skips the test, naming what does not answer. */
function answerOf<Answer>({ code, out, err }: Printed, member: keyof Answer, context: TestContext): Answer | null {
  try {
    const answer = JSON.parse(out) as Answer;
    if (Object.hasOwn(answer as object, member)) return answer;
  } catch {
    // The output is not JSON.
  }
  const why = code === null ? 'no answer in three minutes' : unreachable.exec(err + out)?.[0];
  assert.ok(why !== undefined, `npm ended with ${code}: ${err}${out}`);
  const missing = `the package registry is not here: it does not answer this question (${why})`;
  context.skip(missing);
  return null;
}

describe('the packages that the service runs on', skipFor(without), () => {
  it('have no known vulnerability that is high or critical', async (test) => {
    type Audit = { metadata: { vulnerabilities: Record<string, number> } };
    const audit = answerOf<Audit>(await ask(['audit']), 'metadata', test);
    if (audit === null) return;
    const { high, critical } = audit.metadata.vulnerabilities;
    assert.deepEqual({ high, critical }, { high: 0, critical: 0 });
  });

  it('are signed by the registry', async (test) => {
    type Signatures = { invalid: unknown[]; missing: unknown[] };
    const signatures = answerOf<Signatures>(await ask(['audit', 'signatures']), 'invalid', test);
    if (signatures === null) return;
    assert.deepEqual(signatures, { invalid: [], missing: [] });
  });

  it('are installed from the lock without a script, and the lock stays as it was', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'sds-lock-'));
    try {
      for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, file), join(folder, file));
      const options = ['--ignore-scripts', '--omit=optional', '--prefer-offline', '--no-audit', '--no-fund'];
      const said = await ask(['ci', ...options], folder);
      const installed = answerOf<{ added: number }>(said, 'added', test);
      if (installed === null) return;
      assert.equal(said.code, 0, said.err);
      assert.ok(existsSync(join(folder, 'node_modules', 'fastify', 'package.json')));
      assert.ok(!existsSync(join(folder, 'node_modules', 'typescript')), 'developers’ tools are left out');
      const lock = (of: string) => readFileSync(join(of, 'package-lock.json'));
      assert.ok(lock(folder).equals(lock(root)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
