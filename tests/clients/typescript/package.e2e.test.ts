// The TypeScript client as a package: it packs to JavaScript with types, installs by the lines that /docs prints, and runs on the Node of
// this checkout and on an older one; its problem types are those of the interface.
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { apiKey, ScriptedServer } from '../../../clients/conformance/world/server.ts';
import { problemTypes } from '../../../clients/typescript/src/errors.ts';
import { hasNoNpm, installTypescriptClient } from '../../support/clients/installed-client.ts';
import { run } from '../../support/services/installed.ts';
import { findOldNode } from '../../support/services/old-node.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const oldNode = findOldNode();

const program = `
import { Client, Reset } from 'sds-client';
import { fileCache, fileStore } from 'sds-client/node';
const [baseUrl, apiKey, cursors] = process.argv.slice(2);
const sds = new Client({ baseUrl, apiKey, poll: 0.05, cache: fileCache('cache', baseUrl) });
const lines = [];
for (const { id } of await sds.games()) {
  for await (const row of sds.follow(id, { store: fileStore(cursors) })) {
    if (!(row instanceof Reset)) lines.push([row.row_number, row.line, row.price_decimal, row.timestamp].join(' '));
  }
}
console.log(lines.join('\\n'));
`;

describe('the package', skipFor(hasNoNpm), () => {
  const folder = mkdtempSync(join(tmpdir(), 'sds-client-'));
  const server = new ScriptedServer();
  beforeAll(async () => {
    await installTypescriptClient(folder);
    writeFileSync(join(folder, 'app', 'app.js'), program);
    await server.start();
    const { log } = server.game('NBA_BOS_CLE_20260109');
    log.append(5);
    log.settled = true;
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it('holds JavaScript and types, and no TypeScript', () => {
    const files = globSync('**/*', { cwd: join(folder, 'app/node_modules/sds-client') });
    assert.ok(files.includes(join('dist', 'client.js')) && files.includes(join('dist', 'client.d.ts')));
    assert.deepEqual(
      files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts')),
      [],
    );
  });

  for (const [which, node] of [
    ['the Node of this checkout', { path: process.execPath, skip: false as const }] as const,
    ['an older Node', oldNode] as const,
  ]) {
    it(`follows a game on ${which}`, skipFor(node.skip), async () => {
      const said = await run(node.path, ['app.js', server.url, apiKey, `cursors of ${which}`], {
        cwd: join(folder, 'app'),
      });
      const { log } = server.game('NBA_BOS_CLE_20260109');
      const expected = [1, 2, 3, 4, 5].map((number) => {
        const row = log.rowInJson(number) ?? {};
        return [number, row.line, row.price_decimal, row.timestamp].join(' ');
      });
      assert.equal(said.trim(), expected.join('\n'));
    });
  }
});

it('the client knows every problem type of the interface', () => {
  const page = readFileSync(join(root, 'docs/interface.md'), 'utf8');
  const table = page.slice(page.indexOf('### Problem types'), page.indexOf('### Problem members'));
  const types = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, type]) => type);
  assert.deepEqual([...problemTypes].sort(), types.sort());
});

it('the client imports nothing of Node but in node.ts', () => {
  const sources = globSync('clients/typescript/src/*.ts', { cwd: root });
  const ofNode = sources.filter((file) => readFileSync(join(root, file), 'utf8').includes("from 'node:"));
  assert.ok(sources.length > 8);
  assert.deepEqual(ofNode, [join('clients', 'typescript', 'src', 'node.ts')]);
});
