// Revisions that are followed with the TypeScript client never end by themselves, and the rows of each are the caller's own
// (docs/clients.md#revisions); what each proves is a matter of the conformance suite.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { apiKey, ScriptedServer } from '../../../../clients/conformance/world/server.ts';
import { Client } from '../../../../clients/typescript/src/client.ts';

const game = 'NBA_BOS_CLE_20260109';

it('revisions that are followed go on with each that is published', async () => {
  const server = new ScriptedServer();
  await server.start();
  try {
    const { stream } = server.game(game);
    stream.revise({ a: 1 });
    const sds = new Client({ baseUrl: server.url, apiKey, poll: 0.05, mostPoll: 0.05 });
    const seen: unknown[] = [];
    for await (const each of sds.revisions(game, 'team-stats', { follow: true })) {
      seen.push('rows' in each ? [each.record.revision, each.rows.length] : each);
      if (seen.length === 4) break;
      stream.revise({ [`after ${seen.length}`]: 1 });
    }
    assert.deepEqual(seen, [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
  } finally {
    await server.stop();
  }
});

it('the rows of a revision are those of the caller alone', async () => {
  const server = new ScriptedServer();
  await server.start();
  try {
    const { stream } = server.game(game);
    stream.revise({ a: 1 });
    stream.revise({ b: 2 });
    const seen: unknown[] = [];
    for await (const each of new Client({ baseUrl: server.url, apiKey }).revisions(game, 'team-stats', { at: 1 })) {
      if (!('rows' in each)) continue;
      seen.push(each.rows.map(({ value }) => value));
      for (const row of each.rows) Object.assign(row, { value: null });
    }
    assert.deepEqual(seen, [['0.0001'], ['0.0001', '0.0002']]);
  } finally {
    await server.stop();
  }
});
