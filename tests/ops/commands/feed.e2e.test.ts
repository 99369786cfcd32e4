// `sds feed replay` beside a running embedded instance: its pushes, its message for a refused line, and how it continues after an
// interruption; then the dead letters, and the bill of an account (docs/operations.md#the-sds-tool).
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { bodyOf, gameObject, play } from '../../support/builders/msf-bodies.ts';
import { EmbeddedTool } from '../../support/editions/embedded-tool.ts';
import { until } from '../../support/services/until.ts';

const tool = new EmbeddedTool('feed');

describe('replaying recordings', () => {
  beforeAll(() => tool.start());
  afterAll(() => tool.stop());

  const recording = join(tool.dir, 'recording.ndjson');
  const event = (seconds: number, price: number, sport = 'baseball_mlb') => ({
    committed_at: new Date(Date.UTC(2026, 7, 5, 20, 0, seconds)).toISOString(),
    data: [
      {
        id: 'e1',
        sport_key: sport,
        commence_time: '2026-08-05T23:00:00Z',
        home_team: 'New York Yankees',
        away_team: 'St. Louis Cardinals',
        bookmakers: [
          {
            key: 'acme',
            markets: [{ key: 'h2h', outcomes: [{ name: 'New York Yankees', price }] }],
          },
        ],
      },
    ],
  });
  const write = (lines: readonly unknown[]): void =>
    writeFileSync(recording, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const replayed = ['feed', 'replay', recording, '--format', 'the-odds-api-v4', '--source', 'recorded'];

  it('replays a recording past a line that is refused whole', async () => {
    write([event(0, -120), event(1, 100, 'cricket'), event(2, -125)]);
    const { pushes, accepted, applied, rejected } = await tool.json(...replayed);
    assert.deepEqual([pushes, accepted, applied, rejected], [3, 2, 2, 1]);
    const { duplicates } = await tool.json(...replayed);
    assert.equal(duplicates, 2);
    const shown = await tool.json('games', 'show', 'MLB_STL_NYY_20260805');
    assert.deepEqual([shown.status, shown.finals], ['SCHEDULED', []]);
    const letters = (await tool.json('dlq', 'list', '--source', 'recorded')).data as Record<string, unknown>[];
    const [letter] = letters;
    assert.equal(letters.length, 2);
    assert.deepEqual([letter?.code, letter?.source, letter?.partition], ['bad-event', 'recorded', null]);
    assert.match((await tool.sds('dlq', 'show', String(letter?.id))).out, /cricket/);
  });

  it('prints everything, into a pipe as well, and ends when the pipe has no reader', async () => {
    const body = `{"plays":[],"game":"${'x'.repeat(900_000)}"}`;
    assert.equal((await tool.push('large', 'msf/NBA/2025-2026-regular/playbyplay', body)).status, 400);
    const letters = (await tool.json('dlq', 'list', '--source', 'large')).data as { id: number }[];
    const show = ['dlq', 'show', String(letters[0]?.id)];
    assert.equal((await tool.json(...show)).payload, body);
    const unread = await tool.sdsWith({}, show, { begun: (child) => void child.stdout?.destroy() });
    assert.deepEqual([unread.code, unread.err], [0, '']);
  });

  it('counts dead letters, and discards the chosen ones once it is confirmed', async () => {
    type Count = { source: string; code: string; state: string; letters: number };
    const counts = async () =>
      ((await tool.json('dlq', 'summary')).data as Count[]).map(({ source, code, state, letters }) =>
        [source, code, state, letters].join(' '),
      );
    const before = await counts();
    assert.ok(before.includes('recorded bad-event open 2'), before.join('\n'));
    const { dead_letters: open } = await tool.json('status');
    await tool.endWith(2, [[['dlq', 'discard', '--yes'], /say which/]]);
    await tool.endWith(3, [
      [['dlq', 'discard', '--source', 'recorded'], /2 open dead letters \(source recorded\).*add --yes/],
    ]);
    assert.deepEqual(await counts(), before);
    const letters = (await tool.json('dlq', 'list', '--source', 'recorded')).data as { id: number }[];
    const one = ['dlq', 'discard', String(letters[0]?.id), '--yes'];
    assert.deepEqual(await tool.json(...one), { discarded: 1, open: 0 });
    assert.deepEqual(await tool.json(...one), { discarded: 0, open: 0 }, 'again');
    assert.deepEqual(await tool.json('dlq', 'discard', '--code', 'bad-event', '--source', 'recorded', '--yes'), {
      discarded: 1,
      open: 0,
    });
    const after = await counts();
    assert.deepEqual(
      after.filter((each) => each.startsWith('recorded')),
      ['recorded bad-event discarded 2'],
    );
    assert.equal((await tool.json('status')).dead_letters, (open as number) - 2);
    assert.match((await tool.sds('dlq', 'summary')).out, /^source +code +state +letters/);
    assert.deepEqual((await tool.json('dlq', 'summary')).dropped, []);
  });

  it('itemises what an account was billed', async () => {
    const account = (await tool.json('accounts', 'create', '--name', 'Bea', '--tier', 'PRO')).account_id as string;
    const key = (await tool.json('keys', 'mint', '--account', account)).key as string;
    const read = () => tool.read('/v1/games/MLB_STL_NYY_20260805/sportsbook-lines/segments/1', key);
    const rows = Number((await read()).headers.get('x-service-debited'));
    assert.ok(rows > 0);
    assert.equal((await read()).headers.get('x-service-debited'), '0');
    const month = new Date().toISOString().slice(0, 7);
    const item = { kind: 'live', game_id: 'MLB_STL_NYY_20260805', dataset: 'sportsbook-lines', reads: 1, rows };
    const expected = { account_id: account, month, used_rows: rows, items: [item] };
    assert.deepEqual(await tool.json('usage', '--account', account), expected);
    assert.deepEqual(await tool.json('usage', '--account', account, '--month', month), expected);
    const before = { account_id: account, month: '2026-01', used_rows: 0, items: [] };
    assert.deepEqual(await tool.json('usage', '--account', account, '--month', '2026-01'), before);
    assert.match(
      (await tool.sds('usage', '--account', account)).out,
      /^MLB_STL_NYY_20260805 +sportsbook-lines +live +1 /m,
    );
  });

  it('goes on where an interrupted replay was, leaving no key behind but its rows in the audit trail', async () => {
    write([event(10, -130), event(35, -131), event(100_000, -132)]);
    const marks = join(tool.environment.SDS_DATA_DIR, 'replays');
    const slow = [...replayed, '--speed', '10'];
    const ran = await tool.sdsWith({}, slow, {
      begun: (child) => {
        const pushed = () =>
          readdirSync(marks).some(
            (file) => file.endsWith('.ndjson') && readFileSync(join(marks, file), 'utf8').split('\n').length === 4,
          );
        void until('two lines are pushed', pushed).then(() => child.kill('SIGINT'));
      },
    });
    assert.deepEqual([ran.code, ran.signal], [1, null]);
    assert.match(ran.err, /^2 of 3 lines, [\d.]+ lines\/s, \d+ s left$/m);
    assert.match(ran.err, /interrupted after line 2 of 3; the same command continues there\n$/);
    const audited = (await tool.json('audit', 'list', '--limit', '2')).data as Record<string, unknown>[];
    const grant = { sources: ['recorded'], scopes: ['push', 'backfill'], leagues: null, operators: null };
    assert.deepEqual(
      audited.map(({ action, detail }) => [action, detail]),
      [
        ['feed-keys revoke', { for: 'feed replay' }],
        ['feed-keys mint', { ...grant, for: 'feed replay' }],
      ],
    );
    const keys = (await tool.json('feed-keys', 'list')).data as Record<string, unknown>[];
    const ofReplays = keys.filter(({ sources }) => String(sources) === 'recorded');
    assert.deepEqual([...new Set(ofReplays.map(({ state }) => state))], ['revoked']);
    assert.deepEqual([...new Set(audited.map(({ subject }) => subject))], [ofReplays.at(-1)?.feed_key_id]);
    const resumed = await tool.sds(...replayed, '--json');
    assert.match(resumed.err, /^continuing after line 2 of 3/);
    const { pushes, applied, duplicates } = JSON.parse(resumed.out) as Record<string, number>;
    assert.deepEqual([pushes, applied, duplicates], [3, 3, 0]);
    assert.deepEqual(
      readdirSync(marks).filter((name) => name.endsWith('.ndjson')),
      [],
    );
    const listed = (await tool.json('sources', 'list')).data as Record<string, unknown>[];
    assert.deepEqual(
      listed.filter(({ source }) => source === 'recorded').map(({ pushes: count }) => (count as number) > 0),
      [true],
    );
  });

  it('replays bodies of MySportsFeeds, as received and with what their lines say', async () => {
    const tape = join(tool.dir, 'msf.ndjson');
    const bodyAt = (minute: number) => {
      const plays = Array.from({ length: minute }, (_, second) => play({ quarter: 1, secondsElapsed: second }));
      const lastUpdatedOn = `2026-01-10T01:0${minute}:00.000Z`;
      return bodyOf({ lastUpdatedOn, game: gameObject(), plays });
    };
    const received = [1, 2].map((minute) => JSON.stringify(bodyAt(minute)));
    const members = { league: 'NBA', season: '2025-2026-regular', feed: 'playbyplay', game: 900001 };
    const line = JSON.stringify({ at: '2026-01-10T01:03:00Z', ...members, body: bodyAt(3) });
    writeFileSync(tape, [...received, line].join('\n'));
    const replay = ['feed', 'replay', tape, '--format', 'msf', '--source', 'msf-tape', '--season', members.season];
    await tool.endWith(1, [
      [[...replay, '--feed', 'playbyplay'], /line 1: its league is missing: .* or give --league$/m],
    ]);
    const where = ['--feed', 'playbyplay', '--league', 'nba'];
    const { pushes, accepted, applied, rejected } = await tool.json(...replay, ...where);
    assert.deepEqual([pushes, accepted, applied, rejected], [3, 3, 3, 0]);
    const snapshot = await tool.read('/v1/games/NBA_BOS_CLE_20260109/plays/snapshot');
    const { revision, snapshot_row_count: rows } = (await snapshot.json()) as Record<string, number>;
    assert.deepEqual([revision, rows], [3, 3]);
  });

  it('says how far behind the projectors are', async () => {
    let lag: Record<string, { behind: number; next_offset: number }> = {};
    // A tick written just now is folded a moment later.
    await until('everything is folded', async () => {
      const status = await tool.json('status');
      assert.equal(status.edition, 'embedded');
      assert.deepEqual(status.degraded, []);
      lag = status.lag as typeof lag;
      return Object.values(lag).every(({ behind }) => behind === 0);
    });
    assert.ok(Object.keys(lag).length > 0);
    assert.ok(Object.values(lag).some(({ next_offset: next }) => next > 0));
  });

  it('pushes nothing to what is not its own gateway', async () => {
    const asked: string[] = [];
    const stranger = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
      response.end('{"status":"ok","degraded":[],"instance":"another"}');
    });
    await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening));
    const folder = join(tool.environment.SDS_DATA_DIR, 'instances');
    const [name = ''] = readdirSync(folder);
    const whole = readFileSync(join(folder, name), 'utf8');
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    const line = join(tool.dir, 'line.ndjson');
    writeFileSync(line, '{"timestamp":"2026-01-01T00:00:00Z","body":{"events":[]}}\n');
    const replay = ['feed', 'replay', line, '--format', 'quotes', '--source', 'tape'];
    try {
      writeFileSync(join(folder, name), JSON.stringify({ ...JSON.parse(whole), ingest_url: url }));
      await tool.endWith(1, [[replay, /what answers at .* is not the gateway of .*: start it again, or give --url/]]);
      writeFileSync(join(folder, name), JSON.stringify({ ...JSON.parse(whole), started: '1' }));
      await tool.endWith(1, [[replay, /no instance with a gateway runs on .*: start it, or give --url/]]);
    } finally {
      writeFileSync(join(folder, name), whole);
      stranger.close();
    }
    assert.deepEqual(asked, ['GET /health ']);
  });

  it('refuses recordings that are none', async () => {
    const torn = join(tool.dir, 'torn.ndjson.gz');
    writeFileSync(torn, 'hello');
    const other = (...args: string[]) => ['feed', 'replay', ...args, '--format', 'quotes', '--source', 'recorded'];
    await tool.endWith(1, [
      [other(tool.dir), /no file/],
      [other(torn), /torn\.ndjson\.gz, after line 0: incorrect header check/],
    ]);
    await tool.endWith(2, [
      [[...replayed, '--speed', '0'], /--speed is 0/],
      [[...replayed, '--url', 'ftp://x'], /--url is ftp:\/\/x/],
    ]);
  });
});
