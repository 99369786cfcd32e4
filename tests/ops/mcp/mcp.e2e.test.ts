// `sds mcp` as a model's program meets it: the protocol's own client starts it, and what its tools answer is held to the API that it reads.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { jsonRow } from '../../../core/msf/canonical-row.ts';
import { mcpCommand } from '../../../ops/commands/mcp.ts';
import { marketResults } from '../../../schemas/datasets/market-results.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { examplesOf } from '../../support/book/document-examples.ts';
import { landFinals } from '../../support/builders/final-files.ts';
import { lineRows, resultRows } from '../../support/builders/final-rows.ts';
import { lineOf, parquetRows } from '../../support/builders/parquet-log.ts';
import { type FakeLog, uuidOf } from '../../support/fakes/api-fakes.ts';
import { startApi, type TestApi } from '../../support/http/api-http.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { runSds } from '../../support/processes/sds.ts';

const sds = fileURLToPath(new URL('../../../sds', import.meta.url));
/** The base URL of `startApi`, which the page prints. */
const printedUrl = 'https://api.example.test';
const live = 'MLB_STL_NYY_20260805';
const settled = { uuid: uuidOf('MLB_BOS_TOR_20260804'), gameId: 'MLB_BOS_TOR_20260804', league: 'MLB' };

type Answer = { isError: boolean; document: Record<string, unknown> };

describe('sds mcp', () => {
  const folder = makeDataFolder('mcp');
  const keyFile = join(folder, 'key');
  const client = new Client({ name: 'test', version: '1.0.0' });
  let api: TestApi;
  let log: FakeLog;

  beforeAll(async () => {
    api = await startApi();
    log = api.log(live, 5, parquetRows);
    await log.append(7);
    api.log(settled.gameId, 5, parquetRows);
    await landFinals({ objects: api.objects, artifacts: api.catalog }, settled);
    writeFileSync(keyFile, `${api.key}\n`);
    const { command, args } = await entryPrinted();
    const own = args.map((word) => (word === '/path/to/key' ? keyFile : word === printedUrl ? api.url : word));
    assert.equal(command, '/path/to/checkout/sds');
    await client.connect(new StdioClientTransport({ command: sds, args: own, stderr: 'inherit' }));
  });
  afterAll(async () => {
    await client.close();
    await api.close();
  });

  /** The server's entry in the configuration of a client, as /docs prints it. */
  async function entryPrinted(): Promise<{ command: string; args: string[] }> {
    const page = String((await api.get('/docs', { key: null })).body);
    const { mcpServers } = JSON.parse(examplesOf(page, 'data-tool').get('mcp') ?? '');
    return mcpServers['sports-data'];
  }

  async function call(name: string, input: Record<string, unknown> = {}): Promise<Answer> {
    const { content, isError = false } = await client.callTool({ name, arguments: input });
    const [first] = content as { type: string; text: string }[];
    return { isError: isError === true, document: JSON.parse(first?.text ?? '') as Record<string, unknown> };
  }

  const rowsOfLog = () => log.rows.map((text) => jsonRow(sportsbookLines.columns, lineOf(text)));

  it('has five tools that only read', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['list_games', 'odds', 'line_moves', 'results', 'explain_problem'],
    );
    for (const { annotations, description } of tools) {
      assert.equal(annotations?.readOnlyHint, true);
      assert.ok((description ?? '').length > 20);
    }
  });

  it('lists games as the API does, free of charge', async () => {
    const { document } = await call('list_games', { league: 'MLB', limit: 10 });
    const { data } = (await api.get('/v1/games?league=MLB&limit=10')).json() as { data: unknown[] };
    assert.deepEqual(document, { ...document, data, rows_charged: 0 });
    assert.equal(data.length, 2);
  });

  it('lists games by each of its filters', async () => {
    const filters = [
      { league: 'NBA' },
      { status: 'COMPLETED' },
      { team: 'Red Sox' },
      { date_from: '2026-08-05', date_to: '2026-08-05' },
    ];
    const all = (await api.get('/v1/games')).json() as { data: unknown[] };
    for (const filter of filters) {
      const { data } = (await api.get(`/v1/games?${new URLSearchParams(filter as never)}`)).json() as {
        data: unknown[];
      };
      assert.notDeepEqual(data, all.data, 'it leaves some out');
      assert.deepEqual((await call('list_games', filter)).document.data, data);
    }
  });

  it('tells the moves of the log once each, page by page, and what they cost', async () => {
    const first = (await call('line_moves', { game_id: live, most_rows: 6 })).document;
    assert.deepEqual([first.rows, first.more, first.rows_charged], [rowsOfLog().slice(0, 6), true, 6]);
    const rest = (await call('line_moves', { game_id: live, cursor: first.cursor })).document;
    assert.deepEqual([rest.rows, rest.more, rest.rows_charged], [rowsOfLog().slice(6), false, 1]);
    const again = (await call('line_moves', { game_id: live })).document;
    assert.deepEqual([again.rows, again.rows_charged], [rowsOfLog(), 0], 'a row is billed once a month');
  });

  it('leaves out what was not asked for, and says how much it read', async () => {
    const [row] = rowsOfLog();
    const { selection_id, operator } = row as { selection_id: string; operator: string };
    const { document } = await call('line_moves', { game_id: live, selection_id, operator: operator.toLowerCase() });
    const expected = rowsOfLog().filter((each) => each.selection_id === selection_id && each.operator === operator);
    assert.deepEqual([document.rows, document.rows_read], [expected, 7]);
    const none = await call('line_moves', { game_id: live, operator: 'NOBODY' });
    assert.deepEqual([none.document.rows, none.document.rows_read], [[], 7]);
  });

  it('reads the final file of a settled game, and its results, and is charged once for each', async () => {
    const dear = await call('line_moves', { game_id: settled.gameId, most_rows: 23 });
    assert.deepEqual([dear.isError, dear.document.code, dear.document.rows], [true, 'more-than-most-rows', 24]);
    const moves = (await call('line_moves', { game_id: settled.gameId })).document;
    const rows = lineRows(settled, 24).map((each) => jsonRow(sportsbookLines.columns, each));
    assert.deepEqual([moves.provisional, moves.rows, moves.rows_charged, moves.more], [false, rows, 24, false]);
    const part = (await call('line_moves', { game_id: settled.gameId, most_rows: 10 })).document;
    assert.deepEqual([part.rows, part.rows_charged, part.more], [rows.slice(0, 10), 0, true]);
    const rest = (await call('line_moves', { game_id: settled.gameId, cursor: part.cursor })).document;
    assert.deepEqual([rest.rows, rest.rows_charged, rest.more], [rows.slice(10), 0, false]);
    const graded = (await call('results', { game_id: settled.gameId })).document;
    assert.equal(graded.rows_charged, resultRows(settled).length);
    const results = resultRows(settled).map((each) => jsonRow(marketResults.columns, each));
    assert.deepEqual(graded.rows, results);
    const market = (await call('results', { game_id: settled.gameId, market: 'total' })).document;
    assert.deepEqual([market.rows, market.rows_charged], [results.filter((each) => each.market === 'total'), 0]);
  });

  it('shows odds as the API does: from a final file, as of an instant, and now', async () => {
    await api.clock.still(async () => {
      for (const [game_id, asked] of [
        [settled.gameId, { market: 'moneyline', best: 'true' }],
        [settled.gameId, { at: '2026-08-05T20:00:00Z' }],
        [live, {}],
      ] as const) {
        const { document } = await call('odds', { game_id, ...asked, ...('best' in asked ? { best: true } : {}) });
        const route = await api.get(`/v1/games/${game_id}/odds?${new URLSearchParams(asked)}`);
        const debited = Number(route.headers['x-service-debited']);
        assert.deepEqual(document, { ...(route.json() as object), rows_charged: debited });
      }
    });
  });

  it('hands on a refusal, which it explains', async () => {
    const { isError, document } = await call('results', { game_id: live });
    assert.equal(isError, true);
    const explained = await call('explain_problem', { type: String(document.type) });
    assert.equal(explained.isError, false);
    assert.match(String(explained.document.remedy), /\w/);
    const unknown = await call('explain_problem', { type: 'constructor' });
    assert.match(String(unknown.document.detail), /no problem type constructor; there are .*not-found/);
    const all = await call('explain_problem');
    assert.ok((all.document.types as unknown[]).length > 10);
  });

  it('reads the API of this machine by default', () => {
    const url = mcpCommand().options.find(({ long }) => long === '--url');
    assert.equal(url?.defaultValue, 'http://127.0.0.1:8080');
  });

  it('says when nothing answers, and takes no key that is none', async () => {
    const notAKey = join(folder, 'other');
    writeFileSync(notAKey, 'svc_live_secret');
    const { code, err, out } = await runSds({}, ['mcp', '--key-file', notAKey]);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /holds no API key/);
    assert.doesNotMatch(err, /svc_live_secret/);
    const absent = await runSds({}, ['mcp', '--key-file', join(folder, 'absent')]);
    assert.deepEqual([absent.code, /cannot be read: ENOENT/.test(absent.err)], [1, true]);
    // Its input has ended.
    assert.equal((await runSds({}, ['mcp', '--url', 'http://127.0.0.1:9', '--key-file', keyFile])).code, 0);
  });
});
