// What the documents say of the clients, of `sds proxy` and of `sds mcp` is what these say of themselves.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { clientFunctions, clientPrograms, modelTools } from '../../../api/documents/client-programs.ts';
import { Client } from '../../../clients/typescript/src/client.ts';
import { mcpCommand } from '../../../ops/commands/mcp.ts';
import { proxyCommand } from '../../../ops/commands/proxy.ts';
import { examplesOf } from '../../support/book/document-examples.ts';
import { startApi, type TestApi } from '../../support/http/api-http.ts';

const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const blocksOf = (text: string) => [...text.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, block]) => block?.trimEnd());

let api: TestApi;
let page: string;
let guide: string;
beforeAll(async () => {
  api = await startApi();
  page = String((await api.get('/docs', { key: null })).body);
  guide = String((await api.get('/llms.txt', { key: null })).body);
});
afterAll(() => api.close());

describe('the documents', () => {
  for (const { id, folder, install, program } of clientPrograms) {
    it(`install and start the client in ${folder} as its README does`, () => {
      assert.deepEqual(blocksOf(textOf(`${folder}/README.md`)).slice(0, 2), [install, program]);
      assert.equal(examplesOf(page, 'data-install').get(id), install);
      assert.equal(examplesOf(page, 'data-quick-start').get(id), program);
      for (const line of install.split('\n')) assert.ok(guide.includes(line.replace(/ +#.*$/, '')), line);
    });
  }

  it('name functions that both clients have', () => {
    const names = clientFunctions.flatMap(([call]) => [...call.matchAll(/(\w+)\(/g)].map(([, name]) => String(name)));
    const python = textOf('clients/python/sds_client/client.py');
    assert.ok(names.length > 7);
    for (const name of names) {
      assert.ok(name in Client.prototype, name);
      assert.ok(python.includes(`    def ${name}(`), name);
      for (const text of [page, guide]) assert.ok(text.includes(`${name}(`), name);
    }
  });

  it('name the tools of `sds mcp`, and options that it and `sds proxy` have', () => {
    const table = [...textOf('docs/clients.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, tool]) => tool);
    assert.deepEqual(modelTools, table);
    for (const text of [page, guide]) {
      for (const tool of modelTools) assert.ok(text.includes(tool), tool);
      for (const command of [mcpCommand(), proxyCommand()]) {
        assert.ok(text.includes(`sds ${command.name()}`));
        const own = command.options.map(({ long }) => long);
        for (const option of ['--url', '--key-file']) assert.ok(text.includes(option) && own.includes(option), option);
      }
    }
  });

  it('say where no revisions are served that the quick starts read some', async (t) => {
    const without = /leave the loop over <code>revisions<\/code> out/;
    assert.doesNotMatch(page, without);
    const local = await startApi({ msfServing: false });
    t.onTestFinished(() => local.close());
    assert.match(String((await local.get('/docs', { key: null })).body), without);
  });
});
