// What the interface says of all routes at once, asked of every route there is: "What the service does", "Endpoints", "Authentication",
// "Errors", "Limits" and "Metering"; docs/interface.md#http-behaviour.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { mintKey, randomBytesPerKey } from '../../../core/access/key-format.ts';
import { assertProblem, pepper, type TestApi } from '../../support/http/api-http.ts';
import { routeExamples, startFullApi } from '../../support/http/every-route.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startFullApi();
});
afterAll(() => api.close());

const each = routeExamples.map(({ route, path }) => ({ route, path, keyed: route.key === 'required' }));
const files = new Set(each.filter(({ route }) => route.answers[200] === 'parquet').map(({ path }) => path));
const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;
/** Routes with a weak tag, which stands for the meaning, and routes without a tag (docs/interface.md#entity-tags). */
const weaklyTagged = /\/(snapshot|changes\?[^/]*|odds)$/;
const withoutTag = /^\/(v1\/me|v1\/events.*|health.*)$/;

for (const { route, path, keyed } of each) {
  describe(route.path, () => {
    it('is a GET route that answers 200', async () => {
      const { status, body } = await api.get(path);
      assert.equal(status, 200, body.toString());
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const reply = await api.get(path, { method });
        assertProblem(reply, 'method-not-allowed');
        assert.equal(reply.headers.allow, 'GET, HEAD');
      }
    });

    it('rejects an unknown query parameter with 400 validation-error', async () => {
      for (const query of ['unknown=1', 'Limit=1', '__proto__=1', 'constructor=x', 'a[]=1', '=']) {
        const { detail } = assertProblem(await api.get(withQuery(path, query)), 'validation-error');
        assert.equal(typeof detail, 'string', query);
      }
    });

    if (keyed) {
      it('requires an API key: 401 without, and with one that is malformed or unknown', async () => {
        const unknown = mintKey('live', crypto.getRandomValues(new Uint8Array(randomBytesPerKey)));
        for (const authorization of [undefined, '', 'Bearer', 'Bearer x', `Basic ${api.key}`, `Bearer ${unknown}`]) {
          const headers = authorization === undefined ? {} : { authorization };
          const reply = await api.get(path, { key: null, headers });
          assert.equal(typeof assertProblem(reply, 'invalid-key').detail, 'string');
          assert.match(reply.headers['www-authenticate'] ?? '', /^Bearer/);
        }
      });

      it('refuses a key that is revoked or suspended, without a subscription, or throttled', async () => {
        const ask = (facts: Parameters<typeof api.catalog.mint>[1]) =>
          api.get(path, { key: api.catalog.mint(pepper, facts) });
        assertProblem(await ask({ state: 'revoked' }), 'key-disabled');
        assertProblem(await ask({ state: 'suspended' }), 'key-disabled');
        const { upgrade_url } = assertProblem(await ask({ entitled: false }), 'subscription-required');
        assert.match(upgrade_url as string, /^https:\/\/api\.example\.test\//);
        assertProblem(await ask({ state: 'throttled' }), 'throttled');
      });

      it('shows on every answer what is left of the minute', async () => {
        for (const asked of [path, withQuery(path, 'unknown=1')]) {
          const { headers } = await api.get(asked);
          assert.match(headers['ratelimit-policy'] ?? '', /^"minute";q=\d+;w=60$/);
          assert.match(headers.ratelimit ?? '', /^"minute";r=\d+;t=\d+$/);
          for (const name of ['limit', 'remaining', 'reset']) assert.match(headers[`ratelimit-${name}`] ?? '', /^\d+$/);
        }
      });
    } else {
      it('needs no key, and ignores a wrong one', async () => {
        assert.equal((await api.get(path, { key: null })).status, 200);
        assert.equal((await api.get(path, { key: 'nonsense' })).status, 200);
      });
    }

    it('answers HEAD with the headers of its GET, without body and debit', async () => {
      const [whole, head] = [await api.get(path), await api.get(path, { method: 'HEAD' })];
      assert.deepEqual([head.status, head.body.length], [200, 0]);
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'x-service-rowcount']) {
        assert.equal(head.headers[name], whole.headers[name], name);
      }
      assert.equal(head.headers['x-service-debited'] ?? '0', '0');
    });

    if (withoutTag.test(path)) {
      it('has no ETag, and is never kept by caches', async () => {
        const { headers } = await api.get(path);
        assert.deepEqual([headers.etag, headers['cache-control']], [undefined, 'no-store']);
      });
    } else {
      it('has an ETag; a matching If-None-Match is answered 304, free', async () => {
        const { etag = '' } = (await api.get(path)).headers;
        assert.match(etag, weaklyTagged.test(path) ? /^W\/"[^"]+"$/ : /^"[^"]+"$/);
        const used = (await api.ledger.usage('account')).usedRows;
        const reply = await api.get(path, { headers: { 'if-none-match': etag } });
        assert.deepEqual([reply.status, reply.body.length, reply.headers.etag], [304, 0, etag]);
        assert.equal(reply.headers['x-service-debited'] ?? '0', '0');
        assertProblem(await api.get(path, { headers: { 'if-match': '"another"' } }), 'precondition-failed');
        assert.equal((await api.ledger.usage('account')).usedRows, used);
      });
    }

    if (files.has(path)) {
      it('serves bytes of Parquet with their row count, and honours Range', async () => {
        const whole = await api.get(path);
        assert.equal(whole.headers['content-type'], 'application/vnd.apache.parquet');
        assert.equal(whole.headers['accept-ranges'], 'bytes');
        assert.match(whole.headers['x-service-rowcount'] ?? '', /^\d+$/);
        assert.equal(whole.headers['content-encoding'], undefined);
        const part = await api.get(path, { headers: { range: 'bytes=1-3', 'accept-encoding': 'gzip, br, zstd' } });
        assert.deepEqual([part.status, part.body], [206, whole.body.subarray(1, 4)]);
        assert.equal(part.headers['content-range'], `bytes 1-3/${whole.body.length}`);
        assert.equal(part.headers['cache-control'], 'no-store');
        for (const query of ['limit=1', 'cursor=0:0', 'offset=1', 'columns=a']) {
          assertProblem(await api.get(withQuery(path, query)), 'validation-error');
        }
      });
    } else if (route.charge === 'odds-rows') {
      it('shows of how many rows it is made, and serves no ranges', async () => {
        const { status, headers } = await api.get(path, { headers: { range: 'bytes=0-1' } });
        assert.deepEqual([status, headers['accept-ranges'], headers['x-service-debited']], [200, undefined, '0']);
        assert.match(headers['x-service-rowcount'] ?? '', /^[1-9]\d*$/);
      });
    } else if (route.charge !== 'free') {
      it('shows its row count, and debits it: rows of a log once, rows of a revision at every read', async () => {
        const key = api.catalog.mint(pepper, { accountId: `first reader of ${path}` });
        const { headers } = await api.get(path, { key });
        assert.ok(Number(headers['x-service-rowcount']) > 0);
        assert.equal(headers['x-service-debited'], headers['x-service-rowcount']);
        assert.equal(headers['accept-ranges'], undefined);
        const again = route.charge === 'file-rows' ? headers['x-service-rowcount'] : '0';
        assert.equal((await api.get(path, { key })).headers['x-service-debited'], again);
      });
    } else {
      it('debits nothing', async () => {
        const { headers } = await api.get(path);
        assert.equal(headers['x-service-debited'], undefined);
        assert.equal(headers['x-service-rowcount'], undefined);
      });
    }
  });
}

it('every route that is about data lives under /v1', () => {
  const outside = each.filter(({ path }) => !path.startsWith('/v1/')).map(({ route }) => route.path);
  for (const path of outside) assert.match(path, /^\/($|page\/|docs|health|llms\.txt|problems|favicon)/);
});

it('a spent quota stops only routes that cost rows', async () => {
  const key = api.catalog.mint(pepper, { accountId: 'spent', monthlyRows: 0 });
  api.ledger.quotas.set('spent', 0);
  for (const { route, path } of each.filter(({ keyed }) => keyed)) {
    const reply = await api.get(path, { key });
    // Boards weigh nothing here.
    if (['free', 'board-rows', 'odds-rows'].includes(route.charge)) assert.equal(reply.status, 200, path);
    else {
      const { reset, upgrade_url } = assertProblem(reply, 'quota-exhausted');
      assert.match(reset as string, /^\d{4}-\d{2}-01$/);
      assert.match(upgrade_url as string, /^https:/);
    }
  }
});
