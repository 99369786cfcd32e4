// Revisions by the Python client: its digest is the published one on every vector, and it finds all archives of a game by whichever name it is
// asked for, of whatever columns they are.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Client, NotAsPublished } from '../../../clients/typescript/src/client.ts';
import { type CanonicalRow, canonicalLine } from '../../../core/msf/canonical-row.ts';
import { stateDigest } from '../../../core/msf/digest.ts';
import type { Dataset } from '../../../schemas/datasets/column.ts';
import { teamStats } from '../../../schemas/datasets/team-stats.ts';
import { encodeParquet } from '../../support/builders/in-one-go.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Case = { name: string; rule: string; expect: { lines: string[]; digest: string } };

const python = await services.python();
const inRepository = fileURLToPath(new URL('../../../schemas/msf-digest/vectors.json', import.meta.url));
const ofRules = fileURLToPath(new URL('../../vectors/msf/digest.json', import.meta.url));

async function digestsOf(cases: readonly Case[]): Promise<{ lines: string[]; digest: string }[]> {
  const program = fileURLToPath(new URL('../../support/clients/digests.py', import.meta.url));
  const { path } = python.skip === false ? python : assert.fail('no Python');
  const child = spawn(path, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(cases));
  return JSON.parse(await text(child.stdout)) as { lines: string[]; digest: string }[];
}

async function agree(file: string): Promise<void> {
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] };
  assert.ok(cases.length > 8);
  const made = await digestsOf(cases);
  for (const [at, { name, rule, expect }] of cases.entries()) assert.deepEqual(made[at], expect, `${name}: ${rule}`);
}

describe("the Python client's digest", () => {
  it('is that of the published vectors', skipFor(python.skip), () => agree(inRepository));
  it('is that of the vectors of the rules', skipFor(python.skip), () => agree(ofRules));
});

describe("a client's archives", () => {
  const uuid = '6f2d1c7e-0f7f-5a52-9a3e-5f0c0a4b7d11';
  const publicId = 'NBA_BOS_CLE_20260109';
  const stranger = '0b8f7a52-4a6b-5d0c-8f57-2f6c3d9e1a00';
  const documents = new Map<string, string | Uint8Array>();
  let minted = true;
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0]!.toLowerCase();
    const game = { id: minted ? publicId : uuid, league: 'NBA' };
    const isGame = [uuid, publicId.toLowerCase()].some((id) => path === `/v1/games/${id}`);
    const found = isGame ? JSON.stringify(game) : documents.get(path);
    response.writeHead(found === undefined ? 404 : 200).end(found ?? '{"type":"/problems/not-found"}');
  });
  let url = '';
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    documents.set('/v1/datasets/team-stats/schema', JSON.stringify({ primary_key: teamStats.primaryKey }));
    const earlier: Dataset = { ...teamStats, columns: teamStats.columns.filter(({ name }) => name !== 'league') };
    const archives = [
      archived('E1', uuid, earlier, { game_id: uuid, team_id: 'T', stat: 's', value: 10_000 }),
      archived('E2', publicId, teamStats, { game_id: publicId, league: 'NBA', team_id: 'T', stat: 's', value: 10_000 }),
      archived('E3', stranger, teamStats, { game_id: stranger, league: 'NBA', team_id: 'T', stat: 's', value: 1 }),
    ];
    documents.set('/v1/leagues/nba/team-stats/archives', JSON.stringify({ archives, next_cursor: null }));
  });
  afterAll(() => server.close());

  /** Serves an archive of one revision with one row; answers its entry in the listing. */
  function archived(epoch: string, game: string, dataset: Dataset, row: CanonicalRow) {
    const content = encodeParquet(dataset, [row] as never, new Map());
    const path = `/v1/files/${epoch.toLowerCase()}`;
    documents.set(path, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const baseline = {
      stream_epoch: epoch,
      revision: 1,
      revision_kind: 'replace',
      status: 'provisional',
      row_count: 1,
      snapshot_row_count: 1,
      snapshot_digest: stateDigest([canonicalLine(dataset.columns, row)]),
      files: [{ url: path, rows: 1, sha256 }],
    };
    const address = `/v1/archives/${epoch.toLowerCase()}`;
    documents.set(address, JSON.stringify({ baseline, revisions: [baseline] }));
    return { game_id: game, url: address, archive_id: `${epoch}-1-1` };
  }

  async function epochsOf(subject: string): Promise<{ epochs: string[]; code: number; error?: string | undefined }> {
    const program = fileURLToPath(new URL('../../support/clients/revisions.py', import.meta.url));
    const { path } = python.skip === false ? python : assert.fail('no Python');
    const child = spawn(path, [program, url, 'key', subject, 'team-stats', '--archives'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    const lines = said.split('\n').filter((line) => line !== '');
    const epochs = lines.map((line) => (JSON.parse(line) as { stream_epoch: string }).stream_epoch);
    return { epochs, code, ...(code === 0 ? {} : { error: errors.trim().split('\n').at(-1) }) };
  }

  it(
    'are those from before and after the game was minted, by its id or its UUID, each of its own columns',
    skipFor(python.skip),
    async () => {
      minted = true;
      for (const subject of [publicId, publicId.toLowerCase(), uuid, uuid.toUpperCase()])
        assert.deepEqual(await epochsOf(subject), { epochs: ['E1', 'E2'], code: 0 }, subject);
    },
  );

  it('are the same to the TypeScript client, which refuses one whose rows are not as it says', async () => {
    minted = true;
    const sds = new Client({ baseUrl: url, apiKey: 'key' });
    const found = await Array.fromAsync(sds.archives(publicId, 'team-stats'));
    assert.deepEqual(
      found.map(({ record, rows, proves }) => [record.stream_epoch, rows.length, proves]),
      [
        ['E1', 1, 'baseline'],
        ['E2', 1, 'baseline'],
      ],
    );
    const address = '/v1/archives/e2';
    const archive = documents.get(address) as string;
    documents.set(address, archive.replaceAll(/"snapshot_digest":"[^"]+"/g, '"snapshot_digest":"other"'));
    await assert.rejects(Array.fromAsync(sds.archives(publicId, 'team-stats')), NotAsPublished);
    documents.set(address, archive);
  });

  it('are those of a game that is not minted', skipFor(python.skip), async () => {
    minted = false;
    assert.deepEqual(await epochsOf(uuid), { epochs: ['E1'], code: 0 });
  });

  it('are not passed over in silence where there are none', skipFor(python.skip), async () => {
    minted = true;
    const listed = documents.get('/v1/leagues/nba/team-stats/archives')!;
    documents.set('/v1/leagues/nba/team-stats/archives', JSON.stringify({ archives: [], next_cursor: null }));
    try {
      const error = `NoArchive: ${publicId} has no archive of team-stats`;
      assert.deepEqual(await epochsOf(publicId), { epochs: [], code: 1, error });
      const sds = new Client({ baseUrl: url, apiKey: 'key' });
      await assert.rejects(Array.fromAsync(sds.archives(publicId, 'team-stats')), {
        name: 'NoArchive',
        message: `${publicId} has no archive of team-stats`,
      });
    } finally {
      documents.set('/v1/leagues/nba/team-stats/archives', listed);
    }
  });
});
