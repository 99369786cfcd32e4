// Each client follows a game of a real service through kills of it, to the final file: every row once, each as in the final file, each billed
// once.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Adapter } from '../../../clients/conformance/runner/adapter.ts';
import { type CanonicalRow, canonicalCells } from '../../../core/msf/canonical-row.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { pythonAdapters, typescriptAdapter } from '../../support/clients/adapters.ts';
import { finalOf } from '../../support/editions/final-of-api.ts';
import { getJson } from '../../support/editions/published-game.ts';
import { SettledTool } from '../../support/editions/settled-tool.ts';
import { StagedGames } from '../../support/editions/staged-game.ts';
import { freePort } from '../../support/services/ports.ts';
import { services } from '../../support/services/services.ts';
import { leftOut } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const python = await services.python();
const clients = [
  ...Object.entries(pythonAdapters(python.skip === false ? python.path : '')).map(
    ([name, command]) => ({ name, command, skip: python.skip }) as const,
  ),
  { name: 'TypeScript', command: typescriptAdapter, skip: false } as const,
];
const names = clients.filter(({ skip }) => skip === false).map(({ name }) => name);
const kills = 3;

describe('a client follows a game through kills of the service', () => {
  const games = new StagedGames();
  let tool: SettledTool;
  beforeAll(async () => {
    tool = new SettledTool({ SDS_API_PORT: String(await freePort()), SDS_RATE_LIMITS: 'PRO:1000000,address:1000000' });
    await tool.start();
  });
  afterAll(() => tool.stop());

  for (const { name, command, skip } of clients) {
    it(name, skipFor(skip || leftOut(name, names)), async () => {
      const { apiUrl } = tool.api;
      // A key that a restart of the embedded edition does not replace.
      const { account_id: account } = await tool.json('accounts', 'create', '--name', name, '--tier', 'PRO');
      const { key } = (await tool.json('keys', 'mint', '--account', String(account))) as { key: string };
      const api = { apiUrl, apiKey: key };
      const folder = mkdtempSync(join(tmpdir(), 'sds-client-'));
      const game = games.next('NFL', '2026-01-10T19:00:00.000000Z');
      const client = new Adapter(command, 200_000);
      const rows: Record<string, unknown>[] = [];
      let minute = 0;
      /** Pushes two rows: both prices differ from the ones before. */
      const quote = async (): Promise<void> => {
        minute += 1;
        const at = `2026-01-10T18:${String(minute).padStart(2, '0')}:00.000000Z`;
        const price = (selection: string) => ({ market: 'moneyline', selection, price: { american: 100 + minute } });
        assert.deepEqual(await tool.quote(game, at, [price('home'), price('away')]), []);
      };
      const take = async (count: number): Promise<boolean> => {
        const { items = [], error, ended = false } = await client.call({ do: 'take', count });
        assert.equal(error, undefined);
        rows.push(...items.map((item) => ('row' in item ? item.row : assert.fail(JSON.stringify(item)))));
        return ended;
      };
      try {
        await quote();
        const manners = { poll: 0.1, most_poll: 1, silence: 5, patience: 120, backoff: [0.05, 0.5], cache: null };
        await client.call({ do: 'open', base_url: apiUrl, api_key: key, ...manners });
        await client.call({ do: 'follow', game: game.id, since: null, store: folder });
        await take(2);
        for (let killed = 0; killed < kills; killed += 1) {
          await quote();
          const taking = take(4);
          // A failure shows below, after the kill.
          taking.catch(() => {});
          await tool.kill();
          await tool.start();
          await quote();
          assert.equal(await taking, false);
        }
        await tool.json('games', 'settle', game.id, '--yes');
        assert.equal(await take(1), true);
        const { quota } = (await getJson(api, '/v1/me')) as { quota: { used_rows: number } };
        assert.equal(quota.used_rows, rows.length, 'rows that were billed');
        const final = (await finalOf(api, game.id, 'sportsbook-lines')) ?? assert.fail('no final file');
        assert.deepEqual(
          rows.map((row) => Object.values(row)),
          final.rows.map((row) => canonicalCells(sportsbookLines.columns, row as CanonicalRow)),
        );
        assert.equal(rows.length, 2 + 4 * kills);
      } finally {
        await client.end();
        rmSync(folder, { recursive: true });
      }
    });
  }
});
