// Damaged MSF data: docs/interface.md#problem-types. Nothing of it is shown or charged, and the problem says why.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import type { StoredArchive } from '../../../core/ports/catalog/msf.ts';
import type { FileRef } from '../../../core/ports/object-store.ts';
import type { FakeStream } from '../../support/fakes/fake-msf.ts';
import { assertProblem, startApi, type TestApi } from '../../support/http/api-http.ts';

const game = 'NBA_BOS_LAL_20260805';
const base = `/v1/games/${game}/plays`;
const list = '/v1/leagues/NBA/plays/archives';

type Archived = { api: TestApi; stream: FakeStream; archive: StoredArchive };

/** An archive of two revisions. */
async function archived(t: TestContext): Promise<Archived> {
  const api = await startApi();
  t.onTestFinished(() => api.close());
  const stream = api.stream(game, 'plays');
  for (const row of ['a=1', 'b=1']) await stream.publish([row]);
  return { api, stream, archive: stream.archive(1, 2) };
}

async function assertDamaged({ api }: Archived, path: string, reason: string): Promise<void> {
  for (const headers of [{}, { range: 'bytes=0-1' }]) {
    const problem = assertProblem(await api.get(path, { headers }), 'internal-error', 500);
    assert.equal(problem.reason, reason);
  }
  assert.equal((await api.ledger.usage('account')).usedRows, 0);
}

const damages: [string, reason: string, damage: (api: TestApi, file: FileRef) => Promise<void>][] = [
  ['is missing', 'archive_unreadable', (api, { key }) => api.objects.delete([key])],
  [
    'has other bytes',
    'archive_corrupt',
    async ({ objects }, { key }) => {
      const bytes = (await objects.get(key)) as Uint8Array;
      await objects.delete([key]);
      await objects.put(
        key,
        bytes.map((byte) => byte ^ 1),
      );
    },
  ],
];

for (const [name, reason, damage] of damages) {
  describe(`a file that ${name}`, () => {
    it(`is 500 ${reason} from its archive, nothing charged; the rest of the archive is served`, async (t) => {
      const made = await archived(t);
      const { api, stream, archive } = made;
      await damage(api, stream.revision(2).changeFiles[0]?.file as FileRef);
      for (const below of [`${base}/archives`, list]) {
        await assertDamaged(made, `${below}/${archive.id}/changes/2/0`, reason);
        assert.equal((await api.get(`${below}/${archive.id}`)).status, 200);
      }
      assert.equal((await api.get(`${base}/archives/${archive.id}/changes/1/0`)).status, 200);
    });

    it(`is 500 ${reason} as a file of its revision, nothing charged; its neighbours are served`, async (t) => {
      const made = await archived(t);
      const { api, stream } = made;
      await damage(api, stream.revision(1).snapshotFiles[0]?.file as FileRef);
      await assertDamaged(made, `${base}/revisions/${stream.epoch}/1/snapshot/0`, reason);
      assert.equal((await api.get(`${base}/revisions/${stream.epoch}/1/change/0`)).status, 200);
    });
  });
}

it('an archive whose document has other bytes is 500 archive_corrupt, its files too', async (t) => {
  const made = await archived(t);
  const { archive } = made;
  archive.document = archive.document.replace('"rows":1', '"rows":2');
  for (const below of [`${base}/archives`, list]) {
    for (const rest of ['', '/changes/2/0'])
      await assertDamaged(made, `${below}/${archive.id}${rest}`, 'archive_corrupt');
  }
});

it('a store that cannot be reached is answered 503, not as damage', async (t) => {
  const { api, stream } = await archived(t);
  const { get } = api.objects;
  Object.assign(api.objects, { get: () => Promise.reject(new Error('away')) });
  const path = `${base}/revisions/${stream.epoch}/1/snapshot/0`;
  assert.equal(assertProblem(await api.get(path), 'temporarily-unavailable').reason, undefined);
  Object.assign(api.objects, { get });
  assert.equal((await api.get(path)).status, 200);
});
