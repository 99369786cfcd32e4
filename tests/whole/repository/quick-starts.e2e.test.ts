// The quick start of each client's README is true: run as it stands there, on a service with the demo, it prints a board, revisions, a history,
// and the rows of the game that it follows. So is the program of the service's README.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { startDemo } from '../../../ops/demo/demo.ts';
import { ExampleFolder } from '../../support/book/document-examples.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { hasPlays } from '../../support/editions/has-plays.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { run } from '../../support/services/installed.ts';
import { findOldNode } from '../../support/services/old-node.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const clients = new URL('../../../clients/', import.meta.url);
const python = await services.python();

/** The only program of a README in this language. */
function quickStart(folder: string, language: string): string {
  const text = readFileSync(new URL(`${folder}/README.md`, clients), 'utf8');
  const found = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, program]) => program,
  );
  assert.equal(found.length, 1, `programs of ${folder}/README.md in ${language}`);
  return found[0] as string;
}

describe('the quick start', () => {
  const data = makeDataFolder('quick-starts');
  let edition: Edition;
  let stopDemo: () => Promise<void>;
  let folder: ExampleFolder;
  beforeAll(async () => {
    edition = await startEdition({ environment: { SDS_DATA_DIR: data } });
    const { catalogs, peppers } = edition.drivers;
    const { keys, pushes } = catalogs;
    stopDemo = await startDemo({
      keys,
      pushes,
      peppers,
      dataDir: data,
      url: edition.ingestUrl,
      seed: 7,
      log: silentLog,
    });
    await until('the game that is read has plays', () => hasPlays(edition));
  });
  afterAll(async () => {
    await stopDemo();
    await edition.stop();
    rmSync(data, { recursive: true, force: true });
  });
  beforeEach(() => {
    folder = new ExampleFolder({
      API: edition.apiUrl,
      KEY: edition.apiKey,
      PYTHONPATH: fileURLToPath(new URL('python', clients)),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUNBUFFERED: '1',
    });
  });
  afterEach(() => folder[Symbol.dispose]());

  /** Runs the program until it has printed all of `said`; a follower runs until its game is final. */
  async function prints(program: string, name: string, text: string, said: readonly RegExp[]): Promise<void> {
    const { ran } = folder.start(program, name, text);
    const hasEnded = () => ran.code !== null;
    await until(`${name} has said all`, () => hasEnded() || said.every((each) => each.test(ran.out)));
    assert.equal(ran.code, null, `${ran.out}\n${ran.err}`);
  }

  const revision = /^\d+ \d+$/m;
  const history = /^\d+ rows of \d+ games; \d+ have none$/m;
  const followed = /^\d{4}-\d\d-\d\d[T ]\S+ \S+ (?:moneyline|spread|total)\/.*$/m;

  for (const [which, node] of [
    ['the Node of this checkout', { path: process.execPath, skip: false as const }] as const,
    ['an older Node', findOldNode()] as const,
  ]) {
    it(`of the TypeScript client runs as it stands on ${which}`, skipFor(node.skip), async () => {
      // The JavaScript that npm makes of the package's sources, as typescript/package.e2e proves.
      const source = fileURLToPath(new URL('typescript', clients));
      const own = join(folder.path, 'app', 'node_modules', 'sds-client');
      const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url));
      await run(process.execPath, [compiler, '-p', source, '--outDir', join(own, 'dist')]);
      copyFileSync(join(source, 'package.json'), join(own, 'package.json'));
      const board = /quote_state/;
      const text = quickStart('typescript', 'ts');
      await prints(node.path, 'app/quick-start.mjs', text, [board, revision, history, followed]);
    });
  }

  it('of the Python client runs as it stands', skipFor(python.skip), async () => {
    const program = python.skip === false ? python.path : '';
    await prints(program, 'quick_start.py', quickStart('python', 'python'), [/game_id/, revision, history, followed]);
  });

  it(
    "of the service's README runs as it stands, given an address, a key and a game",
    skipFor(python.skip),
    async () => {
      const headers = { authorization: `Bearer ${edition.apiKey}` };
      const listed = await fetch(`${edition.apiUrl}/v1/games?status=STARTED`, { headers });
      const [game] = ((await listed.json()) as { data: { id: string }[] }).data;
      const given = `import os\napi, key, game = os.environ["API"], os.environ["KEY"], "${game?.id}"\n`;
      const program = python.skip === false ? python.path : '';
      const row = /^[A-Z_0-9]+ (?:moneyline|spread|total)\/\S+ -?\d+$/m;
      await prints(program, 'readme.py', given + quickStart('..', 'python'), [row]);
    },
  );
});
