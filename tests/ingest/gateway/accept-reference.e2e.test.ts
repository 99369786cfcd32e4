// The gateway's `reference` route over HTTP, on a log and a catalog in memory: who may push, what is answered, and that nothing is acknowledged
// that the log does not have (docs/operations.md#push-gateway; I17).
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { feedScopes } from '../../../core/ports/catalog/keys.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { kindOf, type PushOptions, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';

const path = '/v1/sources/feed/reference';
const player = (facts: object = {}) => ({ id: 1, league: 'NBA', last_name: 'One', ...facts });

describe('the reference route', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const push = (body: unknown, options: PushOptions = {}) => gateway.push(body, { path, ...options });
  const logged = () => gateway.broker.records.filter(({ topic }) => topic === topics.games).length;

  it('takes players, teams and venues, one list a body, and answers 202 with a receipt', async () => {
    for (const body of [
      { players: [player()] },
      { teams: [{ id: 1, league: 'NBA', name: 'Boston Celtics' }] },
      { venues: [{ id: 1, league: 'NBA', name: 'Garden' }] },
    ]) {
      const reply = await push(body);
      assert.deepEqual([reply.status, reply.body.accepted, reply.body.rejected], [202, 1, []]);
      assert.match(String(reply.body.receipt), /^rcpt_/);
    }
    assert.equal(logged(), 3);
  });

  it('answers an empty array with 202 and accepted: 0', async () => {
    const reply = await push({ players: [] });
    assert.deepEqual([reply.status, reply.body.accepted], [202, 0]);
  });

  it('refuses a body with records of which none is acceptable, and buries them', async () => {
    const before = gateway.catalogs.letters.length;
    const reply = await push({ players: [player({ league: 'XFL' }), 7] });
    assert.deepEqual([reply.status, kindOf(reply.body)], [400, 'validation-error']);
    assert.deepEqual(
      gateway.catalogs.letters
        .slice(before)
        .map(({ topic, code, payload }) => [topic, code, Buffer.from(payload).toString()]),
      [
        [topics.games, 'bad-player', '{"id":1,"league":"XFL","last_name":"One"}'],
        [topics.games, 'bad-player', '7'],
      ],
    );
  });

  it('refuses a body that is none of its forms', async () => {
    for (const body of ['{"players":', '[]', '{}', '{"players":[],"teams":[]}', '{"players":{}}']) {
      assert.equal(kindOf((await push(body)).body), 'validation-error', body);
    }
    const ndjson = await push('{}', { headers: { 'content-type': 'application/x-ndjson' } });
    assert.equal(kindOf(ndjson.body), 'unsupported-media-type');
    assert.equal(kindOf((await push({ players: [] }, { path: `${path}?league=NBA` })).body), 'validation-error');
    assert.equal((await push({ players: Array(20_001).fill(0) })).status, 413);
  });

  it('needs a key of the source with the scope reference', async () => {
    assert.equal(kindOf((await push({ players: [] }, { key: null })).body), 'invalid-key');
    const foreign = gateway.mint(['other'], feedScopes).plaintext;
    assert.equal(kindOf((await push({ players: [] }, { key: foreign })).body), 'forbidden');
    const other = gateway.mint(['feed'], ['push', 'msf', 'backfill']).plaintext;
    assert.equal(kindOf((await push({ players: [] }, { key: other })).body), 'forbidden');
    assert.equal((await push(undefined, { method: 'GET' })).status, 405);
  });

  it('acknowledges nothing that the broker or the catalog does not have: 503, and the retry is accepted', async () => {
    const before = logged();
    gateway.broker.down = true;
    const lost = await push({ players: [player()] }, { headers: { 'idempotency-key': 'retry' } });
    assert.deepEqual([lost.status, lost.headers.get('retry-after')], [503, '1']);
    gateway.broker.down = false;
    gateway.catalogs.down = true;
    assert.equal((await push({ players: [player()] })).status, 503);
    gateway.catalogs.down = false;
    assert.equal(logged(), before);
    const again = await push({ players: [player()] }, { headers: { 'idempotency-key': 'retry' } });
    assert.deepEqual([again.status, again.body.accepted], [202, 1]);
    assert.equal(logged(), before + 1);
  });
});
