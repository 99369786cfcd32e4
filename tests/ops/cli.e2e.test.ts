// The operator's tool beside a running embedded instance and without one: exit codes 0 done, 1 failed, 2 bad usage, 3 refused; one line that
// says why; JSON that scripts may rely on (docs/operations.md#the-sds-tool).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { bodyOf, gameObject, play } from '../support/builders/msf-bodies.ts';
import { Program } from '../support/campaigns/program.ts';
import { makeDataFolder } from '../support/processes/data-folder.ts';
import { type Ran, runSds } from '../support/processes/sds.ts';
import { until } from '../support/services/until.ts';

const dir = makeDataFolder('tool');
const environment = {
  SDS_EDITION: 'embedded',
  SDS_DATA_DIR: join(dir, 'data'),
  SDS_API_PORT: '0',
  SDS_INGEST_PORT: '0',
  SDS_READY_FILE: join(dir, 'ready.json'),
  SDS_DEMO: 'off',
  DATABASE_URL: '',
  LOG_LEVEL: 'error',
};
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const sds = (...args: string[]): Promise<Ran> => runSds(environment, args);

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const ran = await sds(...args, '--json');
  assert.equal(ran.code, 0, `${args.join(' ')}: ${ran.err}`);
  return JSON.parse(ran.out) as Record<string, unknown>;
}

/** Each of these command lines ends with `code` and one line that matches. */
async function endWith(code: number, lines: readonly (readonly [readonly string[], RegExp])[]): Promise<void> {
  for (const [args, why] of lines) {
    const ran = await sds(...args);
    const shown = `sds ${args.join(' ')}: ${JSON.stringify(ran)}`;
    assert.equal(ran.code, code, shown);
    assert.match(ran.err, why, shown);
    assert.equal(ran.err.trim().split('\n').length, 1, shown);
  }
}

describe('the tool without an instance', () => {
  it('ends with 2 at bad usage on every level, before anything is opened', async () => {
    await endWith(2, [
      [['accounts', 'create', '--name', 'x'], /required option '--tier/],
      [['games', 'show'], /missing required argument 'game'/],
      [['feed', 'replay', 'x', '--format', 'quotes', '--source', 's', '--odds-format', 'roman'], /Allowed choices/],
      [['start', 'all', 'nonsense'], /nonsense is not a role; use api, ingest/],
    ]);
    assert.equal(existsSync(environment.SDS_DATA_DIR), false);
  });

  it('is a program of the checkout, from any folder', () => {
    const help = execFileSync(fileURLToPath(new URL('../../sds', import.meta.url)), ['--help'], { cwd: dir });
    assert.match(String(help), /^Usage: sds /);
  });

  it('tells of each command how it is used', async () => {
    const top = await sds('--help');
    assert.equal(top.code, 0);
    for (const name of [
      'start',
      'migrate',
      'feed',
      'accounts',
      'keys',
      'feed-keys',
      'sources',
      'teams',
      'games',
      'dlq',
      'usage',
      'audit',
    ])
      assert.match(top.out, new RegExp(`^  ${name} `, 'm'));
    const start = await sds('start', '--help');
    assert.equal(start.code, 0);
    assert.match(start.out, /SDS_DATA_DIR/);
  });
});

describe('the tool beside a running instance', () => {
  const instance = new Program('instance', environment, { roles: ['all'] });
  const text = (value: unknown): string => value as string;

  beforeAll(async () => {
    instance.start();
    await instance.untilReady();
    assert.ok(instance.ready, JSON.stringify(instance.ends));
  });
  afterAll(() => instance.kill());

  it('keeps accounts and keys; a revoked key is never active again', async () => {
    const account = await json('accounts', 'create', '--name', 'Ann', '--tier', 'BETA');
    assert.deepEqual(
      { ...account, account_id: '' },
      {
        account_id: '',
        name: 'Ann',
        tier: 'BETA',
        entitled: true,
        monthly_rows: null,
      },
    );
    const id = text(account.account_id);
    assert.equal((await json('accounts', 'set', id, '--monthly-rows', '5')).monthly_rows, 5);
    const minted = await json('keys', 'mint', '--account', id);
    assert.match(text(minted.key), /^svc_live_[0-9A-Za-z]{46}$/);
    const key = text(minted.key_id);
    assert.equal((await json('keys', 'suspend', key, '--yes')).state, 'suspended');
    assert.equal((await json('keys', 'restore', key, '--yes')).state, 'active');
    assert.equal((await json('keys', 'revoke', key, '--yes')).state, 'revoked');
    await endWith(1, [[['keys', 'restore', key, '--yes'], /it is already revoked/]]);
    const listed = (await json('keys', 'list', '--account', id)).data as { state: string }[];
    assert.deepEqual(
      listed.map(({ state }) => state),
      ['revoked'],
    );
    for (let count = 0; count < 3; count += 1) await json('keys', 'mint', '--account', id);
    const suspended = ((await json('keys', 'list', '--account', id)).data as { key_id: string }[]).at(-1)?.key_id ?? '';
    await json('keys', 'suspend', suspended, '--yes');
    await json('keys', 'mint', '--account', id);
    await endWith(3, [
      [['keys', 'restore', suspended, '--yes'], /3 active keys, as many as its tier allows/],
      [['keys', 'mint', '--account', id], /3 active keys, as many as its tier allows/],
      [['keys', 'revoke', key], /nothing was done: add --yes/],
    ]);
  });

  it('mints a key of the only account without its name, and of several names them', async () => {
    const own = { ...environment, SDS_DATA_DIR: join(dir, 'only'), SDS_READY_FILE: '' };
    const ofOwn = (...args: string[]) => runSds(own, args);
    assert.equal((await ofOwn('migrate')).code, 0);
    writeFileSync(join(own.SDS_DATA_DIR, 'key-peppers'), readFileSync(join(environment.SDS_DATA_DIR, 'key-peppers')));
    const none = await ofOwn('keys', 'mint');
    assert.equal(none.code, 1, JSON.stringify(none));
    assert.match(none.err, /^sds: there is no account: `\.\/sds accounts create` makes one\n$/);
    await ofOwn('accounts', 'create', '--name', 'Only', '--tier', 'BETA');
    const { data } = JSON.parse((await ofOwn('accounts', 'list', '--json')).out) as { data: { account_id: string }[] };
    const minted = JSON.parse((await ofOwn('keys', 'mint', '--json')).out) as Record<string, unknown>;
    assert.deepEqual([data.length, minted.account_id, minted.tier], [1, data[0]?.account_id, 'BETA']);
    await ofOwn('accounts', 'create', '--name', 'Another', '--tier', 'PRO');
    const several = await ofOwn('keys', 'mint');
    assert.equal(several.code, 2, JSON.stringify(several));
    assert.match(several.err, /^sds: give --account, one of [-0-9a-f]+ \((Only|Another)\), [-0-9a-f]+ \(/);
  });

  it('lists what commands have changed, the newest first, by what is asked', async () => {
    const account = text((await json('accounts', 'create', '--name', 'Audited', '--tier', 'BETA')).account_id);
    const key = text((await json('keys', 'mint', '--account', account)).key_id);
    await json('keys', 'revoke', key, '--yes');
    type Row = { id: number; at: string; actor: string; action: string; subject: string; detail: object };
    const list = async (...args: string[]) => {
      const { data, next_cursor: next } = await json('audit', 'list', ...args);
      return { rows: data as Row[], next: next as string | null };
    };
    const ofKey = (await list('--subject', key)).rows;
    assert.deepEqual(ofKey.map(({ action }) => action).slice(-1), ['keys mint']);
    assert.deepEqual(ofKey.at(-1)?.detail, { account });
    assert.deepEqual(
      [...ofKey].sort((a, b) => b.id - a.id),
      ofKey,
    );
    const minted = (await list('--action', 'keys mint')).rows;
    assert.deepEqual([minted[0]?.subject, new Set(minted.map(({ action }) => action)).size], [key, 1]);
    const ofKeys = (await list('--action', 'keys')).rows;
    assert.ok(ofKeys.length > minted.length);
    assert.ok(
      ofKeys.every(({ action }) => action.startsWith('keys ')),
      'not those of feed-keys',
    );
    const first = await list('--limit', '1');
    const second = await list('--limit', '1', '--cursor', first.next ?? '');
    assert.deepEqual([...first.rows, ...second.rows], (await list('--limit', '2')).rows);
    const [newest] = first.rows;
    assert.deepEqual((await list('--to', newest?.at ?? '', '--limit', '1')).rows, second.rows);
    assert.deepEqual((await list('--from', newest?.at ?? '')).rows, first.rows);
    assert.deepEqual(await list('--actor', 'another'), { rows: [], next: null });
    assert.match((await sds('audit', 'list', '--subject', key)).out, /^at +by +action +subject +detail\n/);
    await endWith(2, [[['audit', 'list', '--from', 'yesterday'], /--from is yesterday, and must be a time such as/]]);
  });

  it('is refused a copy of its data directory, and does nothing in the original', async () => {
    const copy = join(dir, 'copy');
    execFileSync('cp', ['-a', environment.SDS_DATA_DIR, copy]);
    const create = ['accounts', 'create', '--name', 'Copied', '--tier', 'BETA'];
    const ran = await runSds({ ...environment, SDS_DATA_DIR: copy }, create);
    assert.equal(ran.code, 3, JSON.stringify(ran));
    assert.match(ran.err, /^sds: data directory .*copy was copied while .* copy the directory again\n$/);
    const { data } = await json('accounts', 'show');
    assert.ok(!(data as { name: string }[]).some(({ name }) => name === 'Copied'));
  });

  it('takes a name from a team only when that is asked for', async () => {
    const alias = (team: string, ...more: string[]) => ['teams', 'alias', 'MLB', 'The Bombers', team, ...more];
    assert.equal((await json(...alias('nyy'))).taken_from, null);
    assert.equal((await json(...alias('NYY'))).taken_from, null, 'said twice');
    await endWith(3, [
      [alias('BOS'), /The Bombers means MLB NYY now, and will mean MLB BOS; nothing was done: add --yes/],
    ]);
    const { abbreviation, taken_from: from } = await json(...alias('BOS', '--yes'));
    assert.deepEqual([abbreviation, from], ['BOS', 'NYY']);
  });

  it('ranks a source only when that is asked for', async () => {
    const rank = (to: string, ...more: string[]) => ['sources', 'rank', 'ranked', to, ...more];
    await endWith(3, [[rank('-1'), /ranked has rank 0, and will have rank -1 .*nothing was done: add --yes/]]);
    assert.deepEqual(await json(...rank('-1', '--yes')), { source: 'ranked', rank: -1, before: 0 });
    assert.deepEqual(await json(...rank('7', '--yes')), { source: 'ranked', rank: 7, before: -1 });
    const listed = (await json('sources', 'list')).data as Record<string, unknown>[];
    assert.equal(listed.find(({ source }) => source === 'ranked')?.rank, 7);
  });

  it('takes an event from its game, and lets a name hold for all that a source has told', async () => {
    const { ingest_url: url, feed_key: key } = JSON.parse(readFileSync(environment.SDS_READY_FILE, 'utf8')) as Record<
      string,
      string
    >;
    const push = async (source: string, route: string, body: unknown): Promise<Record<string, unknown>> => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const target = `${url}/v1/sources/${source}/${route}`;
      const response = await fetch(target, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as Record<string, unknown>;
    };
    const quotes = (eventId: string, home_team: string, away_team: string) => {
      const game = { league: 'NFL', event_id: eventId, home_team, away_team, commence_time: '2031-12-01T01:20:00Z' };
      const quote = { market: 'moneyline', selection: 'home', price: { american: -145 } };
      return { events: [{ kind: 'image', operator: 'somebook', game, quotes: [quote] }] };
    };
    const codeOf = (answer: Record<string, unknown>) => (answer.rejected as { code: string }[])[0]?.code ?? null;

    assert.equal(codeOf(await push('wrong', 'quotes', quotes('w 1', 'DET', 'PHI'))), null);
    const right = quotes('r1', 'PHI', 'DET');
    assert.equal(codeOf(await push('right', 'quotes', right)), 'game-conflict');
    await endWith(3, [
      [['games', 'unbind', 'wrong', 'w 1'], /is unbound from NFL_PHI_DET_20311130.*has no events left/],
    ]);
    const unbound = await json('games', 'unbind', 'wrong', 'w 1', '--yes');
    assert.deepEqual([unbound.game_id, unbound.events_left], ['NFL_PHI_DET_20311130', 0]);
    assert.equal(codeOf(await push('right', 'quotes', right)), null);
    const shown = await json('games', 'show', 'NFL_DET_PHI_20311130');
    assert.deepEqual(shown.events, [{ source: 'right', event_id: 'r1', commence_time: '2031-12-01T01:20:00.000000Z' }]);

    assert.equal(codeOf(await push('odd', 'quotes', quotes('o1', 'The Pack', 'CHI'))), null);
    const unresolved = async () =>
      ((await json('games', 'unresolved')).data as { home_team: string }[]).map((game) => game.home_team);
    assert.deepEqual(await unresolved(), ['The Pack']);
    await push('other', 'reference', {
      teams: [{ id: 1, league: 'NFL', name: 'Green Bay Packers', aliases: ['The Pack'] }],
    });
    const told = { league: 'NFL', name: 'The Pack', source: 'other', abbreviation: 'GB', for_all: null };
    const waiting = async () => (await json('teams', 'aliases', '--unconfirmed')).data;
    await until('the names are folded', async () => ((await waiting()) as unknown[]).length > 0);
    assert.deepEqual([await waiting(), await unresolved()], [[told], ['The Pack']]);
    const alias = ['teams', 'alias', 'nfl', 'the pack', 'gb', '--confirm', '--source'];
    await endWith(1, [[[...alias, 'odd'], /odd has not told that NFL GB is called the pack/]]);
    const confirmed = await json(...alias, 'other');
    assert.deepEqual([confirmed.confirmed, confirmed.minted], [['other'], ['NFL_CHI_GB_20311130']]);
    assert.deepEqual([await waiting(), await unresolved()], [[], []]);

    const assign = ['sources', 'assign', 'NFL_DET_PHI_20311130', 'somebook'];
    await endWith(1, [[[...assign, 'wrongg', '--yes'], /source wrongg has pushed nothing: did you mean wrong\?/]]);
    await until('the quotes are folded', async () => /its owner is right/.test((await sds(...assign, 'wrong')).err));
    assert.equal((await json(...assign, 'wrong', '--yes')).before, 'right');
    await endWith(1, [
      [
        ['sources', 'assign', 'NFL_DET_PHI_20311130', 'some_book', 'wrong', '--yes'],
        /no source has quoted SOME_BOOK in any live game: did you mean SOMEBOOK\?/,
      ],
    ]);
    // Known from another game: the plan names who owns it, though this game's log does not.
    const elsewhere = quotes('e1', 'DAL', 'NYG').events.map((event) => ({ ...event, operator: 'otherbook' }));
    assert.equal(codeOf(await push('right', 'quotes', { events: elsewhere })), null);
    const early = ['sources', 'assign', 'NFL_NYG_DAL_20311130', 'somebook'];
    await endWith(3, [[[...early, 'wrong'], /wrong owns SOMEBOOK in .*; no source owns it there yet; nothing/]]);
    assert.equal((await json(...early, 'wrong', '--yes')).before, null);
    await endWith(3, [[[...early, 'right'], /right owns SOMEBOOK in .*; its owner is wrong; nothing was done/]]);

    const status = ['games', 'status', 'NFL_DET_PHI_20311130'];
    await endWith(3, [
      [
        [...status, 'cancelled'],
        /NFL_DET_PHI_20311130 is SCHEDULED and becomes CANCELLED; it closes after ten minutes/,
      ],
      [[...status, 'SUSPENDED', '--yes'], /is SCHEDULED and does not become SUSPENDED: it may become DELAYED, STARTED/],
    ]);
    await endWith(2, [[[...status, 'OVER', '--yes'], /OVER is not a status; use one of SCHEDULED, DELAYED/]]);
    const moved = await json(...status, 'cancelled', '--yes');
    assert.deepEqual([moved.from, moved.status], ['SCHEDULED', 'CANCELLED']);
    assert.equal((await json('games', 'show', 'NFL_DET_PHI_20311130')).status, 'CANCELLED');
    await endWith(3, [[[...status, 'STARTED', '--yes'], /is CANCELLED and does not become STARTED: it stays so/]]);
  });

  it('ends with 1 for what does not exist and with 2 for what makes no sense', async () => {
    await endWith(1, [
      [['keys', 'mint', '--account', 'nobody'], /no account nobody/],
      [['keys', 'list', '--account', 'nobody'], /no account nobody/],
      [['usage', '--account', 'nobody'], /no account nobody/],
      [['games', 'show', 'none'], /no game none/],
      [['games', 'unbind', 'somebody', 'e1', '--yes'], /event e1 of somebody is not bound to a game/],
      [
        ['teams', 'alias', 'NFL', 'Birds', 'PHI', '--confirm', '--source', 's'],
        /s has not told that NFL PHI is called Birds/,
      ],
      [['dlq', 'show', '99'], /no dead letter 99/],
    ]);
    await endWith(2, [
      [['accounts', 'create', '--name', ' ', '--tier', 'PRO'], /--name is empty/],
      [['accounts', 'set', 'nobody'], /nothing to set/],
      [['usage', '--account', 'nobody', '--month', '2026-13'], /--month is 2026-13/],
      [['feed-keys', 'mint', '--source', 'Bad Source'], /Bad Source is not a source name/],
      [
        ['feed-keys', 'mint', '--source', 's', '--scope', 'push,all'],
        /--scope has all, and knows push, reference, msf/,
      ],
      [['feed-keys', 'mint', '--source', 's', '--leagues', 'NBA,XFL'], /no league XFL/],
      [['feed-keys', 'mint', '--source', 's', '--operators', ''], /--operators has an empty name/],
      [['games', 'list', '--league', 'XFL'], /no league XFL/],
      [['teams', 'alias', 'NFL', 'Birds', 'PHI', '--source', 's'], /--source requires --confirm/],
      [['dlq', 'list', '--limit', '0'], /--limit is 0/],
      [['sources', 'assign', 'none', 'DK', 'Bad Source', '--yes'], /Bad Source is not a source name/],
      [['sources', 'rank', 'feed', '1001', '--yes'], /rank is 1001, and must be a whole number from -1000 to 1000/],
      [['sources', 'rank', 'feed', '0.5', '--yes'], /rank is 0\.5/],
    ]);
  });

  it('mints feed keys that may do what was asked for, and lists what each may', async () => {
    const asked = ['--scope', 'push,msf', '--leagues', 'nba,NFL,NBA', '--operators', 'DraftKings,fanduel'];
    const minted = await json('feed-keys', 'mint', '--source', 'a,b', ...asked);
    assert.match(text(minted.feed_key), /^svc_feed_/);
    const plain = await json('feed-keys', 'mint', '--source', 'c');
    const { data, warnings } = (await json('feed-keys', 'list')) as { data: Record<string, unknown>[]; warnings: [] };
    assert.deepEqual(warnings, []);
    const listed = (id: unknown) => {
      const { shown: _, created_at: __, ...rest } = data.find((key) => key.feed_key_id === id) ?? {};
      return rest;
    };
    const today = { requests: 0, elements: 0, bytes: 0, letters: 0, games: 0, refused: {} };
    const rest = { state: 'active', last_used_at: null, inherited_scopes: [], today };
    assert.deepEqual(listed(minted.feed_key_id), {
      feed_key_id: minted.feed_key_id,
      sources: ['a', 'b'],
      scopes: ['push', 'msf'],
      leagues: ['NBA', 'NFL'],
      operators: ['DRAFTKINGS', 'FANDUEL'],
      ...rest,
    });
    const limits = { leagues: null, operators: null };
    const granted = { sources: ['c'], scopes: ['push'], ...limits };
    assert.deepEqual(listed(plain.feed_key_id), { feed_key_id: plain.feed_key_id, ...granted, ...rest });
    const ofReadyFile = data.find(({ sources }) => (sources as string[]).includes('*'));
    assert.deepEqual(ofReadyFile?.scopes, ['push', 'reference', 'msf', 'backfill']);
    assert.match((await sds('feed-keys', 'list')).out, /^feed key .* scopes .* leagues .* last used$/m);
  });

  const recording = join(dir, 'recording.ndjson');
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
    const { pushes, accepted, applied, rejected } = await json(...replayed);
    assert.deepEqual([pushes, accepted, applied, rejected], [3, 2, 2, 1]);
    const { duplicates } = await json(...replayed);
    assert.equal(duplicates, 2);
    const shown = await json('games', 'show', 'MLB_STL_NYY_20260805');
    assert.deepEqual([shown.status, shown.finals], ['SCHEDULED', []]);
    const letters = (await json('dlq', 'list', '--source', 'recorded')).data as Record<string, unknown>[];
    const [letter] = letters;
    assert.equal(letters.length, 2);
    assert.deepEqual([letter?.code, letter?.source, letter?.partition], ['bad-event', 'recorded', null]);
    assert.match((await sds('dlq', 'show', String(letter?.id))).out, /cricket/);
  });

  it('prints all that it has to, into a pipe as well, and ends where nobody reads it', async () => {
    const { feed_key: key, ingest_url: gateway } = JSON.parse(readFileSync(environment.SDS_READY_FILE, 'utf8'));
    const body = `{"plays":[],"game":"${'x'.repeat(900_000)}"}`;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const path = '/v1/sources/large/msf/NBA/2025-2026-regular/playbyplay';
    assert.equal((await fetch(gateway + path, { method: 'POST', headers, body })).status, 400);
    const letters = (await json('dlq', 'list', '--source', 'large')).data as { id: number }[];
    const show = ['dlq', 'show', String(letters[0]?.id)];
    assert.equal((await json(...show)).payload, body);
    const unread = await runSds(environment, show, { begun: (child) => void child.stdout?.destroy() });
    assert.deepEqual([unread.code, unread.err], [0, '']);
  });

  it('counts dead letters, and discards those that it is told, once it is confirmed', async () => {
    type Count = { source: string; code: string; state: string; letters: number };
    const counts = async () =>
      ((await json('dlq', 'summary')).data as Count[]).map(({ source, code, state, letters }) =>
        [source, code, state, letters].join(' '),
      );
    const before = await counts();
    assert.ok(before.includes('recorded bad-event open 2'), before.join('\n'));
    const { dead_letters: open } = await json('status');
    await endWith(2, [[['dlq', 'discard', '--yes'], /say which/]]);
    await endWith(3, [
      [['dlq', 'discard', '--source', 'recorded'], /2 open dead letters \(source recorded\).*add --yes/],
    ]);
    assert.deepEqual(await counts(), before);
    const letters = (await json('dlq', 'list', '--source', 'recorded')).data as { id: number }[];
    const one = ['dlq', 'discard', String(letters[0]?.id), '--yes'];
    assert.deepEqual(await json(...one), { discarded: 1, open: 0 });
    assert.deepEqual(await json(...one), { discarded: 0, open: 0 }, 'again');
    assert.deepEqual(await json('dlq', 'discard', '--code', 'bad-event', '--source', 'recorded', '--yes'), {
      discarded: 1,
      open: 0,
    });
    const after = await counts();
    assert.deepEqual(
      after.filter((each) => each.startsWith('recorded')),
      ['recorded bad-event discarded 2'],
    );
    assert.equal((await json('status')).dead_letters, (open as number) - 2);
    assert.match((await sds('dlq', 'summary')).out, /^source +code +state +letters/);
    assert.deepEqual((await json('dlq', 'summary')).dropped, []);
  });

  it('itemises what an account was billed', async () => {
    const account = text((await json('accounts', 'create', '--name', 'Bea', '--tier', 'PRO')).account_id);
    const key = text((await json('keys', 'mint', '--account', account)).key);
    const { api_url: url } = JSON.parse(readFileSync(environment.SDS_READY_FILE, 'utf8')) as { api_url: string };
    const path = '/v1/games/MLB_STL_NYY_20260805/sportsbook-lines/segments/1';
    const read = () => fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
    const rows = Number((await read()).headers.get('x-service-debited'));
    assert.ok(rows > 0);
    assert.equal((await read()).headers.get('x-service-debited'), '0');
    const month = new Date().toISOString().slice(0, 7);
    const item = { kind: 'live', game_id: 'MLB_STL_NYY_20260805', dataset: 'sportsbook-lines', reads: 1, rows };
    const expected = { account_id: account, month, used_rows: rows, items: [item] };
    assert.deepEqual(await json('usage', '--account', account), expected);
    assert.deepEqual(await json('usage', '--account', account, '--month', month), expected);
    const before = { account_id: account, month: '2026-01', used_rows: 0, items: [] };
    assert.deepEqual(await json('usage', '--account', account, '--month', '2026-01'), before);
    assert.match((await sds('usage', '--account', account)).out, /^MLB_STL_NYY_20260805 +sportsbook-lines +live +1 /m);
  });

  it('goes on where an interrupted replay was, leaving no key behind', async () => {
    write([event(10, -130), event(11, -131), event(100_000, -132)]);
    const marks = join(environment.SDS_DATA_DIR, 'replays');
    const slow = [...replayed, '--speed', '10'];
    const ran = await runSds(environment, slow, {
      begun: (child) => {
        const pushed = () =>
          readdirSync(marks).some((file) => readFileSync(join(marks, file), 'utf8').split('\n').length === 4);
        void until('two lines are pushed', pushed).then(() => child.kill('SIGINT'));
      },
    });
    assert.deepEqual([ran.code, ran.signal], [1, null]);
    assert.match(ran.err, /interrupted after line 2 of 3; the same command continues there\n$/);
    const resumed = await sds(...replayed, '--json');
    assert.match(resumed.err, /^continuing after line 2 of 3/);
    const { pushes, applied, duplicates } = JSON.parse(resumed.out) as Record<string, number>;
    assert.deepEqual([pushes, applied, duplicates], [3, 3, 0]);
    assert.deepEqual(readdirSync(marks), []);
    const listed = (await json('sources', 'list')).data as Record<string, unknown>[];
    assert.deepEqual(
      listed.filter(({ source }) => source === 'recorded').map(({ pushes: count }) => (count as number) > 0),
      [true],
    );
  });

  it('replays bodies of MySportsFeeds, as received and with what their lines say', async () => {
    const tape = join(dir, 'msf.ndjson');
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
    await endWith(1, [[[...replay, '--feed', 'playbyplay'], /line 1: its league is missing: .* or give --league$/m]]);
    const where = ['--feed', 'playbyplay', '--league', 'nba'];
    const { pushes, accepted, applied, rejected } = await json(...replay, ...where);
    assert.deepEqual([pushes, accepted, applied, rejected], [3, 3, 3, 0]);
    const { api_url: url, api_key: key } = JSON.parse(readFileSync(environment.SDS_READY_FILE, 'utf8'));
    const path = '/v1/games/NBA_BOS_CLE_20260109/plays/snapshot';
    const snapshot = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
    const { revision, snapshot_row_count: rows } = (await snapshot.json()) as Record<string, number>;
    assert.deepEqual([revision, rows], [3, 3]);
  });

  it('pushes nothing to what is not its own gateway', async () => {
    const asked: string[] = [];
    const stranger = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
      response.end('{"status":"ok","degraded":[],"instance":"another"}');
    });
    await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening));
    const folder = join(environment.SDS_DATA_DIR, 'instances');
    const [name = ''] = readdirSync(folder);
    const whole = readFileSync(join(folder, name), 'utf8');
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    const line = join(dir, 'line.ndjson');
    writeFileSync(line, '{"timestamp":"2026-01-01T00:00:00Z","body":{"events":[]}}\n');
    const replay = ['feed', 'replay', line, '--format', 'quotes', '--source', 'tape'];
    try {
      writeFileSync(join(folder, name), JSON.stringify({ ...JSON.parse(whole), ingest_url: url }));
      await endWith(1, [[replay, /what answers at .* is not the gateway of .*: start it again, or give --url/]]);
      writeFileSync(join(folder, name), JSON.stringify({ ...JSON.parse(whole), started: '1' }));
      await endWith(1, [[replay, /no instance with a gateway runs on .*: start it, or give --url/]]);
    } finally {
      writeFileSync(join(folder, name), whole);
      stranger.close();
    }
    assert.deepEqual(asked, ['GET /health ']);
  });

  it('refuses recordings that are none', async () => {
    const torn = join(dir, 'torn.ndjson.gz');
    writeFileSync(torn, 'hello');
    const other = (...args: string[]) => ['feed', 'replay', ...args, '--format', 'quotes', '--source', 'recorded'];
    await endWith(1, [
      [other(dir), /no file/],
      [other(torn), /torn\.ndjson\.gz, after line 0: incorrect header check/],
    ]);
    await endWith(2, [
      [[...replayed, '--speed', '0'], /--speed is 0/],
      [[...replayed, '--url', 'ftp://x'], /--url is ftp:\/\/x/],
    ]);
  });

  it('says how far behind the projectors are', async () => {
    let lag: Record<string, { behind: number; next_offset: number }> = {};
    // A tick that was written this moment is folded the next.
    await until('everything is folded', async () => {
      const status = await json('status');
      assert.equal(status.edition, 'embedded');
      assert.deepEqual(status.degraded, []);
      lag = status.lag as typeof lag;
      return Object.values(lag).every(({ behind }) => behind === 0);
    });
    assert.ok(Object.keys(lag).length > 0);
    assert.ok(Object.values(lag).some(({ next_offset: next }) => next > 0));
  });

  it('shows what each feed key used on this UTC day, and what was refused of it', async () => {
    const minted = await json('feed-keys', 'mint', '--source', 'counted');
    const [id, key] = [text(minted.feed_key_id), text(minted.feed_key)];
    const { ingest_url: gateway } = JSON.parse(readFileSync(environment.SDS_READY_FILE, 'utf8'));
    const push = async (source: string, body: string): Promise<number> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      return (await fetch(`${gateway}/v1/sources/${source}/quotes`, { method: 'POST', headers, body })).status;
    };
    const game = {
      league: 'NFL',
      event_id: 'counted',
      home_team: 'SEA',
      away_team: 'ARI',
      commence_time: '2031-11-02T18:00:00Z',
    };
    const good = JSON.stringify({ events: [{ kind: 'heartbeat', operator: 'book', game }, {}, {}] });
    assert.deepEqual([await push('counted', good), await push('other', good)], [202, 403]);
    const used = { requests: 2, elements: 3, bytes: good.length, letters: 2, games: 1 };
    const shown = async (...command: string[]) =>
      ((await json(...command))[command.length === 1 ? 'feed_keys' : 'data'] as Record<string, unknown>[]).find(
        (each) => each.feed_key_id === id,
      );
    // Counts are written once a second: those of the two pushes may come in two batches.
    const isWhole = (today: unknown): boolean =>
      isDeepStrictEqual(today, { ...used, refused: { 'bad-event': 2, forbidden: 1 } });
    await until('all of it is written', async () => isWhole((await shown('status'))?.today));
    const { today, sources } = (await shown('feed-keys', 'list')) as { today: object; sources: string[] };
    assert.deepEqual([sources, isWhole(today)], [['counted'], true]);
    const row = new RegExp(`^${id}.* 2 +3 +${good.length} +2 +1 +bad-event 2, forbidden 1$`, 'm');
    for (const command of [['status'], ['feed-keys', 'list']]) assert.match((await sds(...command)).out, row);
  });

  it('is refused a start on a port that is taken, in one line, and leaves nothing running', async () => {
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
    const { port } = taken.address() as AddressInfo;
    const elsewhere = { ...environment, SDS_DATA_DIR: join(dir, 'elsewhere'), SDS_API_PORT: String(port) };
    const ran = await runSds(elsewhere, ['start']);
    taken.close();
    assert.equal(ran.code, 2, ran.err);
    assert.match(
      ran.err,
      new RegExp(`^sds: SDS_API_PORT is ${port}, and that port is taken; for example SDS_API_PORT=0\n$`),
    );
    const again = await runSds(elsewhere, ['status', '--json']);
    assert.equal(again.code, 0, again.err);
  });
});
