// The programs of the reference page that follow revisions and prove them, run as they stand there against a stream of real Parquet: it grows, is set
// right, is replaced by nothing, expires and is started over; only their pause is shortened. Each proves every state that it prints.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import { ExampleFolder, examplesOf, type Ran, whileRunning } from '../../support/book/document-examples.ts';
import { findScriptedLanguages } from '../../support/book/scripted-languages.ts';
import { openPlaysStream, playOf } from '../../support/builders/plays-stream.ts';
import { epochNamed, type FakeStream, gameScope } from '../../support/fakes/fake-msf.ts';
import { startApi } from '../../support/http/api-http.ts';
import { type CuttingFront, openCuttingFront } from '../../support/http/cutting-front.ts';
import { findProgram } from '../../support/services/installed.ts';
import { until } from '../../support/services/until.ts';
import { outOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const game = 'MLB_STL_NYY_20260805';
const scope = gameScope(game);
const left = outOfTurn();
const shell = skipFor(
  left ||
    (['curl', 'jq', 'bash', 'sha256sum'].every((name) => findProgram(name)) ? false : 'curl, jq or bash is not here'),
);

type Served = {
  stream: FakeStream<ParquetRow>;
  folder: ExampleFolder;
  front: CuttingFront;
  example(language: string): string;
};

/** A live game without published streams. */
async function withServed(use: (served: Served) => Promise<void>): Promise<void> {
  const api = await startApi();
  api.catalog.addGame({ gameId: game, uuid: scope.uuid, status: 'STARTED' });
  const front = await openCuttingFront(api.url);
  using folder = new ExampleFolder({ API: front.url, KEY: api.key, GAME: game });
  const examples = examplesOf((await api.get('/docs', { key: null })).body.toString('utf8'));
  try {
    await use({
      stream: openPlaysStream(api, scope),
      folder,
      front,
      example: (language) => quickened(examples.get(`revisions ${language}`) as string),
    });
  } finally {
    front.close();
    await api.close();
  }
}

function quickened(program: string): string {
  return program
    .replaceAll(/time\.sleep\(body\["poll_after"\]\)/g, 'time.sleep(0.1)')
    .replace('await sleep(body.poll_after * 1_000)', 'await sleep(100)')
    .replace('sleep "$pause"', 'sleep 0.1');
}

async function said({ ran }: { ran: Ran }, text: string): Promise<void> {
  await until(`the program says ${text}`, () => ran.code !== null || ran.out.includes(text));
  assert.ok(ran.out.includes(text), `ended with ${ran.code} before ${text}: ${ran.out}\n${ran.err}`);
}

const plays = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => playOf(scope, from + at));

/** Everything that can happen to a stream, in sequence; and the service restarts. */
async function everything(
  { stream, front }: Pick<Served, 'stream' | 'front'>,
  running: { ended: Promise<Ran> },
  seen: (revision: number, rows: number) => Promise<void>,
) {
  await stream.publish(plays(1, 9));
  await seen(1, 9);
  await whileRunning(running, front.cut(4));
  await stream.publish(plays(10, 12));
  await whileRunning(running, front.cut(3));
  await seen(2, 12);
  await stream.publish([playOf(scope, 3, 'set right'), playOf(scope, 40)], { deleted: [playOf(scope, 5)] });
  await seen(3, 12);
  await stream.publish([], { status: 'verified', kind: 'patch' });
  await seen(4, 12);
  await stream.publish([], { kind: 'replace' });
  await seen(5, 0);
  await stream.publish(plays(1, 6));
  await seen(6, 6);
  stream.reset(epochNamed('B'));
  await stream.publish(plays(1, 2));
  await seen(1, 2);
}

for (const { language, id, program, file, skip } of await findScriptedLanguages()) {
  it(`the program in ${language} proves every revision, an empty replacement and a stream that is started over`, {
    ...skipFor(left || skip),
  }, async () => {
    await withServed(async ({ stream, folder, front, example }) => {
      const running = folder.start(program, file, example(id));
      const expected: string[] = [];
      await everything({ stream, front }, running, async (revision, rows) => {
        expected.push(`revision ${revision}: ${rows} rows, proved\n`);
        await said(running, expected.join(''));
      });
      assert.equal(running.ran.out, expected.join(''));
    });
  });

  it(`the program in ${language} restarts after an expired cursor, and stops at a state that differs from the published one`, {
    ...skipFor(left || skip),
  }, async () => {
    await withServed(async ({ stream, folder, example }) => {
      for (let number = 1; number <= 4; number += 1) await stream.publish(plays(number, number));
      const running = folder.start(program, file, example(id));
      await said(running, 'revision 4: 4 rows');
      await stream.publish(plays(5, 5));
      await said(running, 'revision 5: 5 rows');
      stream.retain({ listedFrom: 7, deletedBelow: 7 });
      for (const number of [6, 7]) await stream.publish(plays(number, number));
      await said(running, 'revision 7: 7 rows');
      await stream.publish(plays(8, 8), { snapshotDigest: '0'.repeat(64) });
      const { code, err } = await running.ended;
      assert.notEqual(code, 0);
      assert.doesNotMatch(running.ran.out, /revision 8/);
      assert.match(err, /revision 8|:8/);
    });
  });
}

describe('the programs of the shell, with curl, jq and DuckDB', shell, () => {
  it('keep the state: each file is checked by its hash, and the state equals the one DuckDB computes', async () => {
    await withServed(async ({ stream, folder, front, example }) => {
      const running = folder.start('bash', 'revisions.sh', example('curl'));
      const files = () =>
        readdirSync(join(folder.path, 'plays'))
          .filter((name) => name.endsWith('.parquet'))
          .sort();
      await everything({ stream, front }, running, async (revision, rows) => {
        const { changeFiles, snapshotFiles } = stream.revision(revision);
        const isFirst = revision === 1;
        const last = isFirst ? snapshotFiles.length : changeFiles.length;
        if (last > 0) {
          const name = `${String(revision).padStart(6, '0')}-${isFirst ? 'snapshot' : 'change'}-${last - 1}.parquet`;
          await until(`${name} is there`, () => running.ran.code !== null || files().includes(name));
        }
        await until('the cursor is kept', async () => {
          if (running.ran.code !== null) assert.fail(running.ran.err);
          const query = await folder.start('bash', 'query.sh', example('duckdb')).ended;
          const lines = query.out.split('\n').filter((line) => /^\d+\|/.test(line));
          // Without a file DuckDB has nothing to read.
          return rows === 0 ? files().length === 0 : query.code === 0 && lines.length === Math.min(rows, 20);
        });
      });
    });
  });
});
