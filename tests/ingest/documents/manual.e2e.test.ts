// The gateway's manual for people: /docs, its examples, and the JSON Schema of the native event. The examples run as they stand on the page,
// each by a shell, against a gateway; a server stands in for the two providers that two of them read.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { gatewayExamples } from '../../../ingest/documents/examples.ts';
import { routes } from '../../../ingest/gateway/routes.ts';
import { examplesOf } from '../../support/book/document-examples.ts';
import { gatewayDescription } from '../../support/http/gateway-documented.ts';
import { baseUrl, event, quote, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';
import { faultsOf, type Schema } from '../../support/http/json-schema.ts';
import { withoutScript } from '../../support/http/without-script.ts';
import { findProgram } from '../../support/services/installed.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const run = promisify(execFile);
const shell = skipFor(['curl', 'bash'].every((name) => findProgram(name)) ? false : 'curl or bash is not here');

let gateway: TestGateway;
let providers: Server;
let page: Response;
let text: string;
const asked: string[] = [];
beforeAll(async () => {
  gateway = await startGateway();
  page = await fetch(`${gateway.url}/docs`);
  text = await page.text();
  providers = createServer(({ url = '', headers }, response) => {
    asked.push(`${url} ${headers.authorization ?? ''}`);
    response.end(JSON.stringify(url.startsWith('/v4/') ? ofTheOddsApi : ofMySportsFeeds));
  });
  await new Promise<void>((resolve) => providers.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await gateway.close();
  providers.close();
});

const ofTheOddsApi = [
  {
    id: 'o1',
    sport_key: 'americanfootball_nfl',
    commence_time: '2026-12-01T01:20:00Z',
    home_team: 'Philadelphia Eagles',
    away_team: 'Detroit Lions',
    bookmakers: [
      {
        key: 'draftkings',
        last_update: '2026-11-24T12:00:00Z',
        markets: [{ key: 'h2h', outcomes: [{ name: 'Detroit Lions', price: 125 }] }],
      },
    ],
  },
];

const ofMySportsFeeds = {
  lastUpdatedOn: '2026-11-24T12:00:00.000Z',
  games: [
    {
      schedule: {
        id: 42070,
        startTime: '2026-12-01T01:20:00.000Z',
        awayTeam: { id: 61, abbreviation: 'DET' },
        homeTeam: { id: 54, abbreviation: 'PHI' },
        scheduleStatus: 'NORMAL',
        playedStatus: 'UNPLAYED',
      },
      score: {},
    },
  ],
  references: { teamReferences: [], venueReferences: [] },
};

const shownExample = (id: string): string => examplesOf(text).get(id) ?? '';

describe('an example of /docs', shell, () => {
  for (const { id } of gatewayExamples)
    it(`${id} runs as it stands, and the gateway takes all of it`, async () => {
      const { port } = providers.address() as AddressInfo;
      const at = `http://127.0.0.1:${port}`;
      const keys = { FEED_KEY: gateway.key, ODDS_API_KEY: 'odds', MSF_KEY: 'msf' };
      const env = { PATH: process.env.PATH ?? '', GATEWAY: gateway.url, ODDS_API: at, MSF: at, ...keys };
      const { stdout } = await run('bash', ['-c', shownExample(id)], { env });
      const { rejected, warnings = [], accepted } = JSON.parse(stdout) as Record<string, unknown>;
      assert.deepEqual([rejected, warnings], [[], []], stdout);
      assert.ok((accepted as number) > 0, stdout);
    });

  it('that reads from a provider asks it as it wants to be asked', () => {
    assert.equal(asked.length, 2);
    assert.match(asked.join('\n'), /^\/v4\/sports\/americanfootball_nfl\/odds\?.*apiKey=odds/m);
    const basic = Buffer.from('msf:MYSPORTSFEEDS').toString('base64');
    assert.match(asked.join('\n'), new RegExp(`^/v2.1/pull/nfl/.*/games.json Basic ${basic}`, 'm'));
  });

  it('of The Odds API is one line', () => assert.doesNotMatch(shownExample('the-odds-api'), /\n/));
});

describe('/docs', () => {
  it('is a page that loads and runs nothing else, without a key', () => {
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:;/);
    assert.doesNotMatch(withoutScript(text, policy), /<script|src=|undefined|\[object|NaN/);
    assert.doesNotMatch(text.replaceAll(baseUrl, ''), /https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  });

  it('has every route, every member of the event and every problem of theirs', () => {
    for (const { id, method, path } of routes) {
      assert.ok(text.includes(`<h3 id="${id}">`), id);
      assert.ok(text.includes(`<b>${method}</b>${path.replaceAll(/:([a-z_]+)/g, '{$1}')}`), path);
    }
    const { schemas } = gatewayDescription(baseUrl).components;
    for (const name of ['NativeEvent', 'NativeQuote'])
      for (const member of Object.keys((schemas[name] as Schema).properties as object))
        assert.ok(text.includes(`<code>${member}</code>`), `${name} ${member}`);
    const rows = [...text.matchAll(/<a id="problem-[^"]+" href="\/problems\/([^"]+)"/g)].map(([, code]) => code);
    assert.ok(rows.length > 10);
    assert.equal(new Set(rows).size, rows.length, `each once: ${rows}`);
    const anchors = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, target = ''] of text.matchAll(/href="#([^"]+)"/g)) assert.ok(anchors.has(target), target);
  });
});

describe('/v1/schemas/native-event', () => {
  it('is the JSON Schema of the event, on its own: it takes what the gateway takes, and refuses what that refuses', async () => {
    const served = (await (await fetch(`${gateway.url}/v1/schemas/native-event`)).json()) as Schema;
    const { $schema: dialect, ...schema } = served;
    assert.equal(dialect, 'https://json-schema.org/draft/2020-12/schema');
    assert.doesNotMatch(JSON.stringify(schema), /\$ref/);
    const faults = (value: unknown) => faultsOf(JSON.parse(JSON.stringify(value)), schema, gatewayDescription(baseUrl));
    assert.deepEqual(faults(event()), []);
    assert.notDeepEqual(faults(event({ kind: 'picture' })), []);
    assert.notDeepEqual(faults(event({ quotes: [quote({ price: { american: 50 } })] })), []);
  });
});
