// A function of the caller keeps the cursors of a follower: it is asked by the game's key, and given what was taken.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { apiKey, ScriptedServer } from '../../../clients/conformance/world/server.ts';
import { Client } from '../../../clients/typescript/src/client.ts';

const game = 'NBA_BOS_CLE_20260109';

it('a function is a store of cursors: what was taken is not handed out again', async () => {
  const server = new ScriptedServer();
  await server.start();
  server.game(game).log.append(5);
  const held = new Map<string, string>();
  const store = async (key: string, cursor?: string) =>
    cursor === undefined ? held.get(key) : void held.set(key, cursor);
  const take = async (count: number) => {
    const rows = new Client({ baseUrl: server.url, apiKey, poll: 0.02 }).follow(game, { store });
    const numbers: unknown[] = [];
    for (let taken = 0; taken < count; taken += 1) {
      const { value } = await rows.next();
      numbers.push(value !== undefined && 'row_number' in value ? Number(value.row_number) : value);
    }
    await rows.return();
    return { numbers, cursor: rows.cursor };
  };
  try {
    const first = await take(3);
    assert.deepEqual(first.numbers, [1, 2, 3]);
    assert.deepEqual([...held], [[`${game}.sportsbook-lines`, first.cursor]]);
    // The third counted as not taken: the next one was never asked for.
    assert.deepEqual((await take(3)).numbers, [3, 4, 5]);
  } finally {
    await server.stop();
  }
});
