// Claim: with an API that accepts connections and says nothing, one reader waits, and all later ones get what is kept at once, as stale; one
// request at a time finds out whether it answers again, and then everything is asked for as before. docs/proxy.md#with-the-api-away.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openKeptAnswers } from '../../../ops/proxy/kept-answers.ts';
import { openProxy } from '../../../ops/proxy/open-proxy.ts';
import { send } from '../../support/http/api-http.ts';
import { startScriptedOrigin } from '../../support/http/scripted-origin.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { until } from '../../support/services/until.ts';

const home = makeDataFolder('silent');
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('one reader waits for an API that has fallen silent, and none after that', async () => {
  const origin = await startScriptedOrigin();
  const kept = openKeptAnswers(join(home, 'cache'), 1_000_000, (error) => assert.fail(String(error)));
  const proxy = openProxy(new URL(origin.url), 'key', kept, silentLog);
  const { url } = await proxy.listen('127.0.0.1', 0);
  try {
    const file = origin.file('/v1/games/A/closing-lines', Buffer.from('PAR1'));
    const listing = { path: '/v1/games', body: Buffer.from('{}'), fields: { 'content-type': 'application/json' } };
    origin.answers.set(listing.path, listing);
    const paths = [file.path, listing.path];
    const states = async (): Promise<(string | undefined)[]> => {
      const replies = await Promise.all(paths.map((path) => send(url, path, {})));
      return replies.map(({ headers }) => headers['cache-status']?.replace('sds-proxy; ', ''));
    };
    const stale = ['hit; detail=stale', 'hit; detail=stale'];
    for (const path of paths) await send(url, path, {});

    origin.fallSilent();
    let isAnswered = false;
    const notKept = send(url, '/v1/games/A/odds', {}).finally(() => {
      isAnswered = true;
    });
    assert.deepEqual(await states(), stale);
    const waiting = send(url, listing.path, { headers: { prefer: 'wait=25' } });
    const [before, beganAt] = [origin.asked.length, performance.now()];
    for (let round = 0; round < 10; round += 1) assert.deepEqual(await states(), stale);
    const waitedMs = performance.now() - beganAt;
    assert.ok(waitedMs < 8_000, `ten times both took ${waitedMs} ms`);
    const asked = origin.asked.slice(before).filter((each) => each !== `GET ${listing.path}`);
    assert.deepEqual(asked, [`HEAD ${file.path}`], 'one request finds out');

    assert.equal(isAnswered, false, 'what is not kept is waited for');
    origin.speak();
    assert.equal((await notKept).status, 404);
    const waited = await waiting;
    assert.equal(
      waited.headers['cache-status'],
      'sds-proxy; fwd=miss; stored',
      'a wait is no reason for what is stale',
    );
    await until('it is asked again', async () => (await states())[0] === 'hit; detail=confirmed');
    assert.deepEqual(await states(), ['hit; detail=confirmed', 'fwd=miss; stored']);
  } finally {
    await proxy.close();
    kept.close();
    await origin.close();
  }
});
