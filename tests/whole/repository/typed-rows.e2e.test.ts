// The row types of both clients are those of the schema documents that the API serves. With SDS_WRITE_EXPECTED=1 they are written anew.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expectTypeOf, it } from 'vitest';
import type {
  BoardRow,
  Client,
  ClosingLinesRow,
  Odds,
  PlaysRow,
  Reset,
  Row,
  SportsbookLinesRow,
} from '../../../clients/typescript/src/client.ts';
import { boardName } from '../../../schemas/datasets/board.ts';
import { datasets } from '../../../schemas/datasets/registry.ts';
import type { DatasetSchema } from '../../../schemas/http/datasets.ts';
import type { OddsDocument } from '../../../schemas/http/odds.ts';
import { pythonRows, typescriptRows } from '../../support/clients/typed-rows.ts';
import { startApi, type TestApi } from '../../support/http/api-http.ts';
import { run } from '../../support/services/installed.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const python = await services.python();

const root = new URL('../../../clients/', import.meta.url);

describe('the row types of the clients', () => {
  let api: TestApi;
  const schemas: DatasetSchema[] = [];
  beforeAll(async () => {
    api = await startApi();
    for (const name of [...datasets.map((dataset) => dataset.name), boardName])
      schemas.push((await api.get(`/v1/datasets/${name}/schema`, { key: null })).json() as DatasetSchema);
  });
  afterAll(() => api.close());

  for (const [file, made] of [
    ['typescript/src/rows.ts', typescriptRows],
    ['python/sds_client/rows.py', pythonRows],
  ] as const) {
    it(`are as the API describes its rows: ${file}`, () => {
      const text = made(schemas);
      if (process.env.SDS_WRITE_EXPECTED === '1') writeFileSync(new URL(file, root), text);
      assert.equal(readFileSync(new URL(file, root), 'utf8'), text);
    });
  }

  it('and the type of its odds is that of the documents', () => {
    const read = async (sds: Client): Promise<OddsDocument> => await sds.odds('G');
    const served = (document: OddsDocument): Odds => document;
    assert.deepEqual([typeof read, typeof served], ['function', 'function']);
  });

  it('are what the functions of the TypeScript client answer, by dataset', () => {
    type Items<Of> = Of extends AsyncIterator<infer Item> ? Item : never;
    expectTypeOf<Items<ReturnType<Client['follow']>>>().toEqualTypeOf<SportsbookLinesRow | Reset>();
    expectTypeOf<Awaited<ReturnType<Client['board']>>>().toEqualTypeOf<BoardRow[]>();
    const read = async (sds: Client, dataset: string) => {
      expectTypeOf(await sds.final('G', 'closing-lines')).toEqualTypeOf<ClosingLinesRow[]>();
      expectTypeOf(await sds.final('G', dataset)).toEqualTypeOf<Row[]>();
      expectTypeOf((await sds.history('NBA', 'a', 'b', 'closing-lines')).rows).toEqualTypeOf<ClosingLinesRow[]>();
      for await (const item of sds.revisions('G', 'plays'))
        if ('rows' in item) expectTypeOf(item.rows).toEqualTypeOf<PlaysRow[]>();
    };
    assert.equal(typeof read, 'function');
  });

  it('are what the followers of the Python client hand out', skipFor(python.skip), async () => {
    const program = `import json, typing
import sds_client.rows as rows
from sds_client.client import Follower
from sds_client.async_client import AsyncFollower
for follower in (Follower.__next__, AsyncFollower.__anext__):
    assert "SportsbookLinesRow" in str(typing.get_type_hints(follower)["return"])
print(json.dumps({name: list(typing.get_type_hints(getattr(rows, name))) for name in rows.__all__}))`;
    const env = { PYTHONPATH: new URL('python', root).pathname, PYTHONDONTWRITEBYTECODE: '1' };
    const named = JSON.parse(await run(python.path, ['-c', program], { env })) as Record<string, string[]>;
    assert.deepEqual(
      Object.values(named),
      schemas.map(({ columns }) => columns.map(({ name }) => name)),
    );
  });
});
