// Whose bodies of MSF count, over the gateway of both editions: a key that may only push quotes, or that pushes as another source, neither ends a
// game that is being played nor keeps the true feed out.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { unrestricted } from '../../../core/access/feed-grant.ts';
import type { JsonObject } from '../../../core/json/value.ts';
import { gameEventId, msfSource } from '../../../core/msf/ids.ts';
import type { FeedScope } from '../../../core/ports/catalog/keys.ts';
import { mintFeedKey } from '../../../ops/service/new-keys.ts';
import { bodyOf, gameObject } from '../../support/builders/msf-bodies.ts';
import { startEdition } from '../../support/editions/edition.ts';
import { sampledEditions } from '../../support/editions/two-editions.ts';
import { kindOf, send } from '../../support/http/gateway-http.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const [name, skip, prepare] of sampledEditions()) {
  it(`bodies of MSF are those of one source a league: ${name}`, skipFor(skip), async () => {
    const { drop, ...options } = await prepare();
    const edition = await startEdition(options);
    const { keys, games, msfAuthorities, pushes } = edition.drivers.catalogs;
    const { peppers } = edition.drivers;
    const keyOf = async (source: string, ...scopes: FeedScope[]) =>
      (await mintFeedKey(keys, peppers, unrestricted([source], scopes))).plaintext;
    const post = (key: string, source: string, feed: string, content: JsonObject) =>
      send(`${edition.ingestUrl}/v1/sources/${source}/msf/nba/current/${feed}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(bodyOf(content)),
      });
    const push = (key: string, source: string, playedStatus: string) =>
      post(key, source, 'games', { games: [{ schedule: gameObject({ playedStatus }), score: {} }] });
    const status = async () => {
      const found = await games.gamesOfEvents(msfSource, [gameEventId('NBA', 900001)]);
      const [game] = [...found.values()];
      return game === undefined ? null : ((await games.find(game.uuid))?.status ?? null);
    };
    try {
      const truth = await keyOf('truth', 'msf');
      assert.equal((await push(truth, 'truth', 'LIVE')).status, 202);
      await until('the game has started', async () => (await status()) === 'STARTED');

      const quotesOnly = await keyOf('liar', 'push', 'reference', 'backfill');
      const liar = await keyOf('liar', 'push', 'msf');
      for (let time = 0; time < 2; time += 1) {
        const forbidden = await push(quotesOnly, 'liar', 'COMPLETED');
        assert.deepEqual([forbidden.status, kindOf(forbidden.body)], [403, 'forbidden']);
        const refused = await push(liar, 'liar', 'COMPLETED');
        assert.equal(refused.status, 400);
        const [{ code, pointer, detail }] = refused.body.rejected as [Record<string, string>];
        assert.deepEqual([code, pointer], ['other-source', '/games/0/schedule']);
        assert.match(detail ?? '', /bodies of NBA are those of truth.*sds sources assign-msf NBA liar/);
        const lines = await post(liar, 'liar', 'odds_gamelines', { gameLines: [] });
        assert.equal((lines.body.rejected as [Record<string, string>])[0].code, 'other-source');
      }
      const query = { before: null, limit: 100, code: 'other-source', source: 'liar' };
      assert.equal((await edition.drivers.catalogs.deadLetters.list(query)).length, 1, 'one dead letter an hour');
      assert.equal((await push(truth, 'truth', 'LIVE')).status, 202);

      await pushes.rankSource('liar', -1);
      await msfAuthorities.assign('NBA', 'liar');
      assert.equal(
        (await push(truth, 'truth', 'COMPLETED')).status,
        202,
        'a lower rank yields at once, assigned or not',
      );
      await until('the true feed ends the game', async () => (await status()) === 'COMPLETED');
      await msfAuthorities.assign('NBA', 'liar');
      assert.equal((await push(liar, 'liar', 'COMPLETED')).status, 202);
    } finally {
      await edition.stop();
      await drop?.();
    }
  });
}
