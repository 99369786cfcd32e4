// A cache of the caller's own that fails: rows that were charged are handed out all the same.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { apiKey, ScriptedServer } from '../../../clients/conformance/world/server.ts';
import { Client } from '../../../clients/typescript/src/client.ts';

const game = 'NBA_BOS_CLE_20260109';

it('a cache that cannot keep a file loses no row of it', async () => {
  const server = new ScriptedServer();
  await server.start();
  const { log } = server.game(game);
  log.append(3);
  log.settled = true;
  const refused: string[] = [];
  const cache = {
    recall: async () => null,
    keep: async (path: string) => {
      refused.push(path);
      throw new Error('the disk is full');
    },
  };
  try {
    const sds = new Client({ baseUrl: server.url, apiKey, cache });
    assert.equal((await sds.final(game, 'sportsbook-lines')).length, 3);
    assert.equal(server.charged, 3);
    assert.deepEqual(refused, [`/v1/games/${game}/sportsbook-lines`]);
  } finally {
    await server.stop();
  }
});
