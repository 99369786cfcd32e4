// The order in which requests of MSF data are checked: docs/interface.md#order-of-checks. Every set of up to three faults that can occur
// together is answered with that of the earliest check: on a listing of changes, whose cursor belongs to a dataset and to a game, and on a
// file, which is paid for.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { formatCursor } from '../../../core/msf/published/cursor.ts';
import type { MsfDataset } from '../../../core/msf/types.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { epochNamed } from '../../support/fakes/fake-msf.ts';
import { pepper, startApi, type TestApi } from '../../support/http/api-http.ts';
import {
  assertEarliestDecides,
  type Fault,
  type FaultyRequest,
  fault,
  faultless,
  faultsOfKeys,
  limiterByName,
} from '../../support/http/faults-together.ts';

const game = 'NBA_BOS_LAL_20260805';
const other = 'NBA_NYK_MIA_20260805';
const [replaced, epoch] = [epochNamed('A'), epochNamed('B')];

let api: TestApi;
const etags = { changes: '', file: '' };

beforeAll(async () => {
  api = await startApi({ limiter: limiterByName, demoMonth: '2020-01' });
  api.ledger.quotas.set('poor', 0);
  const plays = api.stream(game, 'plays');
  await plays.publish(['a=1']);
  plays.reset(epoch);
  for (const row of ['a=1', 'b=1', 'c=1', 'd=1']) await plays.publish([row]);
  plays.retain({ listedFrom: 3, deletedBelow: 3 });
  await api.stream(other, 'plays').publish(['a=1']);
  etags.changes = (await api.get(`/v1/games/${game}/plays/changes?cursor=${cursorAt(3)}`)).headers.etag ?? '';
  etags.file = (await api.get(`/v1/games/${game}/plays/revisions/${epoch}/4/snapshot/0`)).headers.etag ?? '';
});
afterAll(() => api.close());

const cursorAt = (revision: number, of = game, dataset: MsfDataset = 'plays', at = epoch) =>
  formatCursor({ dataset, scopeUuid: uuidOf(of), epoch: at, revision });

type Walk = FaultyRequest & { game: string; dataset: string; cursor: string };

const faultsOfChanges: readonly Fault<Walk>[] = [
  ...faultsOfKeys,
  fault('an unknown parameter', 'query', 400, 'validation-error', ({ query }) => {
    query.push('nonsense=1');
  }),
  fault('a limit that is none', 'limit', 400, 'validation-error', ({ query }) => {
    query.push('limit=501');
  }),
  fault('a cursor of another dataset', 'cursor', 400, 'validation-error', (request) => {
    request.cursor = cursorAt(3, game, 'injuries');
  }),
  fault('an unknown dataset', 'cursor', 404, 'not-found', (request) => {
    request.dataset = 'nonsense';
  }),
  fault('an unknown game', 'game', 404, 'not-found', (request) => {
    request.game = 'NBA_BOS_LAL_19990805';
  }),
  fault('a cursor of another game', 'cursor', 400, 'validation-error', (request) => {
    request.cursor = cursorAt(1, other);
  }),
  fault("a game outside the tier's history", 'tier', 403, 'history-restricted', (request) => {
    request.tier = 'DEMO';
  }),
  fault('a cursor behind the head', 'cursor', 404, 'not-yet-available', (request) => {
    request.cursor = cursorAt(9);
  }),
  fault('a cursor of a replaced epoch', 'cursor', 410, 'stream-reset', (request) => {
    request.cursor = cursorAt(1, game, 'plays', replaced);
  }),
  fault('a cursor below what is kept', 'cursor', 410, 'cursor-expired', (request) => {
    request.cursor = cursorAt(1);
  }),
  fault('a failed precondition', 'if-match', 412, 'precondition-failed', (request) => {
    request.headers['if-match'] = '"other"';
  }),
  fault('an unchanged page', 'if-none-match', 304, null, (request) => {
    request.headers['if-none-match'] = etags.changes;
  }),
];

type Read = FaultyRequest & { game: string; dataset: string; rest: string };

const faultsOfFiles: readonly Fault<Read>[] = [
  ...faultsOfKeys,
  fault('an unknown parameter', 'query', 400, 'validation-error', ({ query }) => {
    query.push('nonsense=1');
  }),
  fault('a malformed range', 'range', 400, 'validation-error', (request) => {
    request.headers.range = 'bytes=x';
  }),
  fault('an unknown dataset', 'dataset', 404, 'not-found', (request) => {
    request.dataset = 'nonsense';
  }),
  fault('an unknown game', 'game', 404, 'not-found', (request) => {
    request.game = 'NBA_BOS_LAL_19990805';
  }),
  fault("a game outside the tier's history", 'tier', 403, 'history-restricted', (request) => {
    request.tier = 'DEMO';
  }),
  fault('a revision that is kept no longer', 'rest', 404, 'not-found', (request) => {
    request.rest = `revisions/${epoch}/1/snapshot/0`;
  }),
  fault('a file that there is not', 'rest', 404, 'not-found', (request) => {
    request.rest = `revisions/${epoch}/4/snapshot/9`;
  }),
  fault('a failed precondition', 'if-match', 412, 'precondition-failed', (request) => {
    request.headers['if-match'] = '"other"';
  }),
  fault('an unchanged file', 'if-none-match', 304, null, (request) => {
    request.headers['if-none-match'] = etags.file;
  }),
  fault('a range beyond the file', 'range', 416, 'range-not-satisfiable', (request) => {
    request.headers.range = 'bytes=100000-';
  }),
  fault('an exhausted quota', 'quota', 429, 'quota-exhausted', (request) => {
    request.poor = true;
  }),
];

describe('the earliest check that refuses decides, of changes', () => {
  for (const size of [0, 1, 2, 3]) {
    it(`of ${size} fault${size === 1 ? '' : 's'} at a time`, async () => {
      const request = (): Walk => ({ ...faultless(), game, dataset: 'plays', cursor: cursorAt(3) });
      const path = (of: Walk) => {
        of.query.push(`cursor=${of.cursor}`);
        return `/v1/games/${of.game}/${of.dataset}/changes`;
      };
      const sets = await assertEarliestDecides({ api, faults: faultsOfChanges, request, path }, size);
      assert.ok(sets >= [1, 17, 110, 400][size]!, `${sets} sets`);
    });
  }
});

it('a cursor of another dataset is refused before the game is looked for, and an unknown dataset before its cursor', async () => {
  const [unknown, cursor] = ['NBA_BOS_LAL_19990805', cursorAt(3, game, 'plays')];
  for (const [path, status] of [
    [`/v1/games/${unknown}/game-state/changes`, 400],
    [`/v1/games/${game}/game-state/changes`, 400],
    [`/v1/games/${unknown}/nonsense/changes`, 404],
    [`/v1/games/${unknown}/nonsense/changes?limit=0&`, 400],
  ] as const) {
    const target = path.includes('?') ? `${path}cursor=${cursor}` : `${path}?cursor=${cursor}`;
    const reply = await api.get(target);
    assert.equal(reply.status, status, path);
    if (status === 404) assert.equal((reply.json() as { title: string }).title, 'Unknown dataset');
  }
});

describe('the earliest check that refuses decides, of a file', () => {
  for (const size of [0, 1, 2, 3]) {
    it(`of ${size} fault${size === 1 ? '' : 's'} at a time`, async () => {
      const request = (): Read => ({ ...faultless(), game, dataset: 'plays', rest: `revisions/${epoch}/4/snapshot/0` });
      const path = (of: Read) => `/v1/games/${of.game}/${of.dataset}/${of.rest}`;
      const sets = await assertEarliestDecides({ api, faults: faultsOfFiles, request, path }, size);
      assert.ok(sets >= [1, 18, 130, 500][size]!, `${sets} sets`);
    });
  }
});

it('checks the revision first, then its date, then its file', async () => {
  await using own = await started('BETA');
  const restricted = `revisions/${epochNamed('A')}/1/snapshot`;
  for (const [rest, status] of [
    [`${restricted}/0`, 403],
    [`${restricted}/9`, 403],
    [`revisions/${epochNamed('A')}/2/snapshot/0`, 404],
  ] as const) {
    assert.equal((await own.get(`/v1/leagues/NBA/injuries/${rest}`)).status, status, rest);
  }
});

/** A league's stream whose only revision is too old for the tier. */
async function started(tier: 'BETA') {
  const own = await startApi();
  own.catalog.now = Date.UTC(2030, 0, 1) * 1_000;
  await own.stream('NBA', 'injuries').publish(['a=1']);
  const key = own.catalog.mint(pepper, { tier });
  return { get: (path: string) => own.get(path, { key }), [Symbol.asyncDispose]: () => own.close() };
}
