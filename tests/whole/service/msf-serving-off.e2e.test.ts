// SDS_MSF_SERVING=off (docs/operations.md): a whole service that goes on taking MSF bodies, and serves and lists nothing of them.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { bodyOf, gameObject, play } from '../../support/builders/msf-bodies.ts';
import { startEdition } from '../../support/editions/edition.ts';
import { appliedMsf, pushMsf } from '../../support/editions/msf-client.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const postgres = await services.postgres();

it('a service that takes MSF bodies and serves none', skipFor(postgres.skip), async (t) => {
  if (postgres.skip !== false) return;
  const database = await postgres.createDatabase();
  t.onTestFinished(() => database.drop());
  const settings = { DATABASE_URL: database.url };
  const ask = async (from: { apiUrl: string; apiKey: string }, path: string) => {
    const reply = await fetch(from.apiUrl + path, { headers: { authorization: `Bearer ${from.apiKey}` } });
    return { status: reply.status, body: (await reply.json()) as { data: { name: string }[] } };
  };
  const path = '/v1/games/NBA_BOS_CLE_20260109/plays/snapshot';
  const off = await startEdition({ environment: { ...settings, SDS_MSF_SERVING: 'off' } });
  try {
    const key = await off.feedKey(['push', 'msf']);
    const target = { league: 'NBA', season: '2025-2026-regular', feed: 'playbyplay' };
    const body = bodyOf({ game: gameObject(), plays: [play({ quarter: 1, secondsElapsed: 1 })] });
    await appliedMsf(off, key, await pushMsf(off, key, target, body));
    assert.equal((await ask(off, '/v1/games/NBA_BOS_CLE_20260109')).status, 200);
    assert.equal((await ask(off, path)).status, 404);
    assert.equal((await ask(off, '/v1/datasets')).body.data.length, 4);
  } finally {
    await off.stop();
  }
  const on = await startEdition({ environment: settings });
  try {
    assert.equal((await ask(on, path)).status, 200);
    assert.equal((await ask(on, '/v1/datasets')).body.data.length, 9);
  } finally {
    await on.stop();
  }
});
