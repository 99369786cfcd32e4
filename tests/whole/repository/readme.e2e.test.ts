// The README is true: its commands, run as they stand there and in their order, do what they say on a service with the demo.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { startDemo } from '../../../ops/demo/demo.ts';
import { ExampleFolder } from '../../support/book/document-examples.ts';
import { startEdition } from '../../support/editions/edition.ts';
import { hasPlays } from '../../support/editions/has-plays.ts';
import { getJson } from '../../support/editions/published-game.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { findProgram } from '../../support/services/installed.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text]) => text as string);
const isFirst = (block: string): boolean => block.startsWith('npm start');
const skip = ['curl', 'jq', 'bash'].every((name) => findProgram(name)) ? false : 'curl, jq or bash is not here';

/** The README's commands with the addresses and key of this service, otherwise as a reader sees them. */
function commands(values: { KEY: string; API: string; INGEST: string }): string {
  const text = blocks.filter((block) => !isFirst(block)).join('\n');
  return Object.entries(values).reduce((given, [name, value]) => {
    const set = given.replace(new RegExp(`^export ${name}=.*$`, 'm'), `export ${name}=${value}`);
    assert.notEqual(set, given, `the README sets ${name}`);
    return set;
  }, text);
}

describe('the README', () => {
  it('has lines that fit on a screen', () => {
    assert.deepEqual(
      readme.split('\n').filter((line) => line.length > 100),
      [],
    );
  });

  it('begins with the two commands', () => {
    const [first] = blocks.filter(isFirst);
    assert.deepEqual(first?.match(/^npm \w+/gm), ['npm start', 'npm test']);
  });

  it('shows a picture, in words too, that is quickly loaded', () => {
    const [, words = '', file = ''] = /^!\[([^\]]*)\]\(([^)]*)\)$/ms.exec(readme) ?? [];
    assert.ok(words.length > 50);
    assert.ok(statSync(new URL(`../../../${file}`, import.meta.url)).size < 150_000);
  });

  it('names commands that are there', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm (?:run )?(?:-s )?(\w+)/g)].map(([, name]) => name as string);
    assert.deepEqual(
      named.filter((name) => scripts[name] === undefined),
      [],
    );
  });

  it('runs as it stands, from the first read to the first push', skipFor(skip), async () => {
    const data = makeDataFolder('readme');
    const edition = await startEdition({ environment: { SDS_DATA_DIR: data } });
    const { keys, pushes } = edition.drivers.catalogs;
    const { peppers } = edition.drivers;
    const demo = { keys, pushes, peppers, dataDir: data, url: edition.ingestUrl, seed: 7, log: silentLog };
    const stop = await startDemo({ ...demo, recordingPaceMs: 0 });
    const { apiUrl, apiKey, ingestUrl } = edition;
    using folder = new ExampleFolder({ SDS_DATA_DIR: data });
    try {
      const api = { apiUrl, apiKey };
      await until('a game of the demo has settled', () => hasSettled(api));
      await until('the game that is read has plays', () => hasPlays(api));
      symlinkSync(fileURLToPath(new URL('../../../sds', import.meta.url)), join(folder.path, 'sds'));
      const text = commands({ KEY: apiKey, API: apiUrl, INGEST: ingestUrl });
      const { code, out, err } = await folder.start('bash', 'readme.sh', `set -euo pipefail\n${text}`).ended;
      assert.equal(code, 0, `${out}\n${err}`);
      for (const file of ['tail.parquet', 'closing-lines.parquet', 'market-results.parquet'])
        assert.ok(existsSync(join(folder.path, file)), file);
      const revision = JSON.parse(readFileSync(join(folder.path, 'snapshot.json'), 'utf8')) as { revision: number };
      assert.ok(revision.revision > 0, 'plays have a revision');
      assert.match(out, /"accepted": 1\b/);
    } finally {
      await stop();
      await edition.stop();
      rmSync(data, { recursive: true, force: true });
    }
  });
});

async function hasSettled(api: { apiUrl: string; apiKey: string }): Promise<boolean> {
  const path = '/v1/games?league=NBA&status=COMPLETED';
  const { data } = (await getJson(api, path)) as { data: { id: string; datasets: Record<string, unknown> }[] };
  const [game] = data;
  if (game === undefined) return false;
  const url = `${api.apiUrl}/v1/games/${game.id}/market-results`;
  return (await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${api.apiKey}` } })).ok;
}
