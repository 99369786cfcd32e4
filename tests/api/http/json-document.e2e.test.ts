// Every JSON document of the API ends with a newline, so that a terminal shows its prompt on a line of its own.
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startApi, type TestApi } from '../../support/http/api-http.ts';

let api: TestApi;
const game = 'MLB_STL_NYY_20260805';

beforeAll(async () => {
  api = await startApi();
  await api.log(game).append(7);
});
afterAll(() => api.close());

/** What the paths of routes name. */
const named: Readonly<Record<string, string>> = {
  game_id: game,
  league: 'MLB',
  dataset: 'sportsbook-lines',
  type: 'not-found',
};

describe('a JSON document of the API', () => {
  it('ends with a newline, whatever the route and the status', async () => {
    const openapi = (await api.get('/v1/openapi.json')).json() as { paths: Record<string, { get?: unknown }> };
    const answered = new Map<number, number>();
    for (const [path, { get }] of Object.entries(openapi.paths)) {
      if (get === undefined || path === '/v1/events') continue;
      const reply = await api.get(path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name] ?? '1'));
      if (!/json/.test(String(reply.headers['content-type']))) continue;
      answered.set(reply.status, (answered.get(reply.status) ?? 0) + 1);
      const text = reply.body.toString();
      assert.match(text, /[^\n]\n$/, path);
      assert.equal(reply.headers['content-length'], String(reply.body.length), path);
    }
    assert.ok((answered.get(200) ?? 0) >= 15 && (answered.get(404) ?? 0) >= 1, JSON.stringify([...answered]));
  });
});
