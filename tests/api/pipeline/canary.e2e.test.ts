// Sends a key and hostile texts through every route and every failure: no answer contains the key, SQL, file paths or stacks, and no log
// line contains the key (SECURITY.md, S2; I28). The same on a real service: whole/service/canary.service.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type { ObjectStore } from '../../../core/ports/object-store.ts';
import type { Log } from '../../../core/ports/telemetry.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { pepper, type RequestOptions, type TestApi } from '../../support/http/api-http.ts';
import { assertSilent, hostileRequests, textOf } from '../../support/http/canary.ts';
import { routeExamples, startFullApi } from '../../support/http/every-route.ts';
import { caseOutOfTurn } from '../../support/vitest/sampled.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

/** What the error of a driver may contain. */
const secretText = `insert into api_keys (mac) values ('x') at /srv/app/platform/postgres/keys.ts:7`;

class Trouble {
  lines: string[] = [];
  stores: 'whole' | 'failing' | 'broken' = 'whole';
  readonly log: Log;
  readonly objects: ObjectStore;
  constructor() {
    const write = (message: string, fields?: object) => this.lines.push(`${message} ${JSON.stringify(fields ?? {})}`);
    this.log = { debug: write, info: write, warn: write, error: write };
    const store = openMemoryStore();
    const get: ObjectStore['get'] = async (...asked) => {
      if (this.stores === 'failing') throw new Error(secretText);
      const bytes = await store.get(...asked);
      return this.stores === 'broken' && bytes !== null ? bytes.map((byte) => byte ^ 1) : bytes;
    };
    this.objects = { ...store, put: store.put.bind(store), get };
  }
}

const failures: readonly [string, (api: TestApi, trouble: Trouble) => unknown][] = [
  ['nothing', () => {}],
  ['a quota that is spent', ({ ledger }) => ledger.quotas.set('account', 0)],
  ['the catalog is down', ({ catalog }) => Object.assign(catalog, { state: 'down' })],
  [
    'the catalog is down, and says too much',
    ({ catalog }) => failAll(catalog, () => new CatalogUnavailable(secretText)),
  ],
  ['the catalog has a defect', ({ catalog }) => failAll(catalog, () => new TypeError(secretText))],
  ['the ledger is down', ({ ledger }) => Object.assign(ledger, { state: 'down' })],
  ['the store fails', (_api, trouble) => Object.assign(trouble, { stores: 'failing' })],
  ['the store gives other bytes', (_api, trouble) => Object.assign(trouble, { stores: 'broken' })],
];

function failAll(catalog: TestApi['catalog'], error: () => Error): void {
  const fail = () => Promise.reject(error());
  Object.assign(catalog, { find: fail, list: fail, teams: fail, players: fail, served: fail, tailVersion: fail });
  Object.assign(catalog, { apiKeyByMac: fail, calendar: fail });
}

describe('a canary through every route', () => {
  for (const [place, [name, strike]] of failures.entries()) {
    it(`leaks nothing during ${name}`, skipFor(caseOutOfTurn(place, 3)), async () => {
      const trouble = new Trouble();
      const api = await startFullApi({
        log: trouble.log,
        objects: trouble.objects,
        limits: { catalogDeadlineMs: 200 },
      });
      try {
        // One key was used before the outage, the other was not.
        const stranger = api.catalog.mint(pepper);
        await api.get('/v1/games');
        strike(api, trouble);
        const statuses = new Set<number>();
        const ask = async (target: string, options: RequestOptions, key: string): Promise<void> => {
          const reply = await api.get(target, options);
          statuses.add(reply.status);
          assertSilent(`${reply.status} of ${target}`, textOf(reply), key, reply.status >= 400);
        };
        for (const { path } of routeExamples) {
          await ask(path, { key: stranger }, stranger);
          const requests = hostileRequests(path, api.key);
          assert.ok(requests.length > 80);
          for (let at = 0; at < requests.length; at += 8) {
            await Promise.all(
              requests.slice(at, at + 8).map(({ path: target, options }) => ask(target, options, api.key)),
            );
          }
        }
        assert.ok(statuses.size > 4, [...statuses].join(' '));
        for (const line of trouble.lines) {
          for (const key of [api.key, stranger]) assertSilent('a line of the log', line, key, false);
        }
      } finally {
        await api.close();
      }
    });
  }

  it('only a defect logs its stack, and no request controls the text of a log line', async () => {
    const trouble = new Trouble();
    const api = await startFullApi({ log: trouble.log });
    try {
      await api.clock.still(async () => {
        for (const { path } of routeExamples) {
          for (const { path: target, options } of hostileRequests(path, api.key)) await api.get(target, options);
        }
        assert.equal(trouble.lines.join('\n'), '');
        failAll(api.catalog, () => new TypeError('a defect'));
        await api.get('/v1/games');
        assert.equal(trouble.lines.filter((line) => line.includes('a defect')).length, 1);
      });
    } finally {
      await api.close();
    }
  });
});

it('the search finds a secret that is planted', () => {
  const key = `svc_live_${'abcdefghijklmnopqrstuvwxyz'.repeat(2)}`;
  for (const text of [
    key,
    key.slice(20, 40),
    'select a from b where c',
    `at handle (file:///srv/x.ts:1:2)`,
    secretText,
  ]) {
    assert.throws(() => assertSilent('text', text, key, true), text);
  }
  assertSilent('text', 'There is no such route.', key, true);
});
