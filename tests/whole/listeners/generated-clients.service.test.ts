// The description of each listener is read without a warning by the programs that our users generate clients and lint with: Redocly's
// linter, openapi-typescript, and openapi-python-client with the configuration that docs/interface.md#documents prints.
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, it } from 'vitest';
import { describe as describeApi } from '../../support/http/documented.ts';
import { gatewayDescription } from '../../support/http/gateway-documented.ts';
import { ServiceMissing } from '../../support/services/missing.ts';
import { openApiReaders } from '../../support/services/openapi-readers.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const book = readFileSync(fileURLToPath(new URL('../../../docs/interface.md', import.meta.url)), 'utf8');
const [, printed = ''] = /```yaml\n(content_type_overrides:\n[^`]+)```/.exec(book) ?? [];
const folder = mkdtempSync(join(tmpdir(), 'sds-openapi-'));
afterAll(() => rmSync(folder, { recursive: true }));

const readers = await openApiReaders().catch((error: unknown) => {
  if (error instanceof ServiceMissing && process.env.SDS_REQUIRE_SERVICES !== '1') return error.message;
  throw error;
});
const skip = skipFor(outOfTurn() || (typeof readers === 'string' ? `readers of OpenAPI: ${readers}` : false));

function written(name: string, content: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const api = describeApi('https://api.example.test');
const listeners = { api, gateway: gatewayDescription('https://api.example.test') };
for (const [name, description] of Object.entries(listeners)) {
  describe(`the description of the ${name}`, skip, () => {
    const document = written(`${name}.json`, description);

    it('gives the linter of Redocly nothing to say', async () => {
      assert.ok(typeof readers !== 'string');
      assert.deepEqual(await readers.lint(document), []);
    });

    it('gives openapi-typescript types', async () => {
      assert.ok(typeof readers !== 'string');
      const file = join(folder, `${name}.d.ts`);
      assert.doesNotMatch(await readers.types(document, file), /warn|error/i);
      const types = readFileSync(file, 'utf8');
      for (const path of Object.keys(description.paths)) assert.ok(types.includes(`"${path}"`), path);
    });

    it('gives openapi-python-client a client, without a warning under the printed configuration', async () => {
      assert.ok(typeof readers !== 'string');
      const to = join(folder, name);
      await readers.pythonClient(document, to, written('overrides.yaml', printed));
      const methods = Object.values(description.paths).flatMap((item) => Object.keys(item));
      assert.equal(
        globSync('api/**/*.py', { cwd: to }).filter((file) => !file.endsWith('__init__.py')).length,
        methods.length,
      );
    });
  });
}

describe('a document with faults', skip, () => {
  const faulty = { ...api, info: { title: 'x', version: 'v1' }, paths: {} };

  it('is found to have them', async () => {
    assert.ok(typeof readers !== 'string');
    const found = (await readers.lint(written('faulty.json', faulty))).map((problem) => problem.replace(/:.*/s, ''));
    assert.ok(found.includes('info-license') && found.includes('no-unused-components'), found.join(' '));
  });

  it('has a warning where the Python client is generated without the configuration', async () => {
    assert.ok(typeof readers !== 'string');
    const [document, config] = [written('bare.json', api), written('none.yaml', 'post_hooks: []\n')];
    await assert.rejects(readers.pythonClient(document, join(folder, 'bare'), config));
  });
});
