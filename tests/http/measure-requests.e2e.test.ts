// What the latency of requests is made of: not of the time that readers wish to wait, and not of streams.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { Meter } from '../../core/ports/meter.ts';
import { parquetRows } from '../support/builders/parquet-log.ts';
import { startApi } from '../support/http/api-http.ts';
import { openEvents } from '../support/http/event-client.ts';
import { until } from '../support/services/until.ts';

const game = 'MLB_STL_NYY_20260805';

type Measured = { http_route: string; http_response_status_code: string; seconds: number };

it('a request is measured without its wait, a refused stream is measured, and a stream is not', async () => {
  const measured: Measured[] = [];
  const meter: Meter = {
    add() {},
    observe() {},
    counter: () => () => {},
    series(name, labels) {
      assert.equal(name, 'http_server_request_duration_seconds');
      return (seconds) => measured.push({ ...(labels as unknown as Measured), seconds });
    },
  };
  const api = await startApi({ meter });
  try {
    await api.log(game, 5, parquetRows).append(1);
    const stream = await openEvents(api.url, `/v1/events?games=${game}`, api.key);
    await stream.next();
    const rows = api.get(`/v1/games/${game}/sportsbook-lines/rows?cursor=1:1`, { headers: { prefer: 'wait=2' } });
    await until('both are held open', () => {
      const { streams, waits } = api.api.held();
      return streams === 1 && waits === 1;
    });
    const began = performance.now();
    assert.equal((await rows).status, 200);
    const waited = performance.now() - began;
    assert.ok(waited > 1_000, `${waited} ms`);
    stream.close();
    await until('the stream has ended', () => api.api.held().streams === 0);
    assert.equal((await api.get('/v1/events?games=NBA_BOS_NYK_20260805')).status, 404);
    assert.equal((await api.get('/health', { key: null })).status, 200);
    const of = (route: string) => measured.filter(({ http_route: its }) => its === route);
    const [ofRows, ...more] = of('/v1/games/:game_id/sportsbook-lines/rows');
    assert.equal(more.length, 0);
    assert.ok(
      ofRows !== undefined && ofRows.seconds * 1_000 < waited / 2,
      `${ofRows?.seconds} s, of which it waited most`,
    );
    assert.deepEqual(
      of('/v1/events').map(({ http_response_status_code: status }) => status),
      ['404'],
    );
  } finally {
    await api.close();
  }
});
