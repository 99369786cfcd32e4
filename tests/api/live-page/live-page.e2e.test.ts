// The live page over HTTP: what it allows a browser to do, how large it is, and which browsers get a key with it.
// docs/interface.md#live-page.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { assertProblem, startApi, type TestApi } from '../../support/http/api-http.ts';

let api: TestApi;
let demo: TestApi;
beforeAll(async () => {
  api = await startApi();
  demo = await startApi({ fillsInKey: true });
});
afterAll(async () => {
  await api.close();
  await demo.close();
});

const get = async (path: string, of = api, headers: Record<string, string> = {}) =>
  await of.get(path, { key: null, headers });

const modulesOf = (text: string) => [...text.matchAll(/"(\/page\/[^"]+)"/g)].map((match) => match[1] as string);

describe('the live page', () => {
  it('is HTML for all, public for 5 minutes, unchanged by its ETag', async () => {
    const { status, headers } = await get('/');
    assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8']);
    assert.equal(headers['cache-control'], 'public, max-age=300');
    assert.equal((await get('/', api, { 'if-none-match': headers.etag as string })).status, 304);
    assertProblem(await get('/?key=svc_live_x'), 'validation-error');
  });

  it('lets a browser run its own modules and ask its own listener, and nothing else', async () => {
    const reply = await get('/');
    const directives = (reply.headers['content-security-policy'] ?? '').split('; ');
    assert.match(directives[1] as string, /^style-src 'sha256-[A-Za-z0-9+/]{43}='$/);
    assert.deepEqual(
      directives.filter((directive) => !directive.startsWith('style-src')),
      [
        "default-src 'none'",
        'img-src data:',
        "script-src 'self'",
        "connect-src 'self'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ],
    );
    const text = reply.body.toString('utf8');
    assert.doesNotMatch(text, /<iframe|<img|javascript:| on[a-z]+=| style=|@import|url\(|https?:\/\/(?!www\.w3\.org)/i);
    assert.deepEqual(text.match(/<script[^>]*>/g), ['<script type="module" src="/page/main.mjs">']);
  });

  it('is less than 60 KB with all of its modules, which ask no other host, keep nothing beyond the session, and log nothing', async () => {
    const { body } = await get('/');
    let size = body.length;
    const known = new Set(modulesOf(body.toString('utf8')));
    assert.ok(known.size > 10);
    for (const path of known) {
      const module = await get(path);
      assert.deepEqual([module.status, module.headers['content-type']], [200, 'text/javascript; charset=utf-8'], path);
      assert.equal(module.headers['cache-control'], 'public, max-age=300');
      size += module.body.length;
      const text = module.body.toString('utf8');
      for (const [, name] of text.matchAll(/from '\.\/([^']+)'/g))
        assert.ok(known.has(`/page/${name}`), `${path}: ${name}`);
      assert.doesNotMatch(
        text,
        /https?:\/\/(?!www\.w3\.org)|localStorage|cookie|indexedDB|console|innerHTML|\beval\b|import\(/,
        path,
      );
    }
    assert.ok(size < 60_000, `${size} bytes`);
  });

  it('has no other modules', async () => {
    for (const name of ['page.html', 'nothing.mjs', '..%2fpage.html', '.', '%2e%2e', 'MAIN.MJS'])
      assert.equal((await get(`/page/${name}`)).status, 404, name);
  });
});

describe('the key of a demo', () => {
  const shown = { 'sec-fetch-dest': 'document' };

  it('is filled in for a browser on this machine, in an answer that is never kept', async () => {
    for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:8080', 'LOCALHOST:1']) {
      const { body, headers } = await get('/', demo, { ...shown, host });
      assert.ok(body.includes(demo.key), host);
      assert.equal(headers['cache-control'], 'no-store');
    }
  });

  it('is in no answer to a script, to another name or machine, or to a program', async () => {
    const others: Record<string, string>[] = [
      { host: 'localhost' },
      { ...shown, host: 'rebound.example:8080' },
      { ...shown, host: '192.0.2.7:8080' },
      { ...shown, host: '127.0.0.1.example' },
      { ...shown, host: 'localhost:8080@example' },
      ...['empty', 'iframe', 'object', 'embed', 'document, document'].map((destination) => ({
        host: 'localhost',
        'sec-fetch-dest': destination,
      })),
    ];
    for (const headers of others) {
      const { body } = await get('/', demo, headers);
      assert.ok(!body.includes('svc_live_') || !body.includes(demo.key), JSON.stringify(headers));
    }
  });

  it('is on no page of a service without a demo', async () => {
    const { body } = await get('/', api, { ...shown, host: 'localhost' });
    assert.ok(!body.includes(api.key) && !body.includes('name="key"'));
  });
});
