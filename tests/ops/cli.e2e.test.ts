// The administrator's tool beside a running embedded instance and without one: exit codes 0 done, 1 failed, 2 bad usage, 3 refused; one line that
// says why; JSON that scripts may rely on (docs/operations.md#the-sds-tool).
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { versionOfRelease } from '../../ops/service/version-of-release.ts';
import { EmbeddedTool } from '../support/editions/embedded-tool.ts';
import { freePort } from '../support/services/ports.ts';
import { until } from '../support/services/until.ts';

const tool = new EmbeddedTool('tool');
afterAll(() => tool.stop());

describe('the tool without an instance', () => {
  it('ends with 2 at bad usage on every level, before anything is opened', async () => {
    await tool.endWith(2, [
      [['accounts', 'create', '--name', 'x'], /required option '--tier/],
      [['games', 'show'], /missing required argument 'game'/],
      [['audit', 'list', '--from', '2026-01-10T00:00:00Z', '--to', '2026-01-09T00:00:00Z'], /--from is .* before --to/],
      [['feed', 'replay', 'x', '--format', 'quotes', '--source', 's', '--odds-format', 'roman'], /Allowed choices/],
      [['verify', 'NFL-1', '--archive'], /name no game/],
      [['dlq', 'show', 'newest'], /id is newest, and must be a number from 1/],
      [['dlq', 'show', '\u001b[2J'], /id is \\u001b\[2J, and must/],
      [['start', 'all', 'nonsense'], /nonsense is not a role; use api, ingest/],
    ]);
    assert.equal(existsSync(tool.environment.SDS_DATA_DIR), false);
  });

  it('is a program of the checkout, from any folder', () => {
    const help = execFileSync(fileURLToPath(new URL('../../sds', import.meta.url)), ['--help'], { cwd: tool.dir });
    assert.match(String(help), /^Usage: sds /);
  });

  it('tells its version', async () => {
    const { code, out } = await tool.sds('--version');
    assert.deepEqual({ code, out }, { code: 0, out: `${versionOfRelease()}\n` });
  });

  it('tells of each command how it is used', async () => {
    const top = await tool.sds('--help');
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
    const start = await tool.sds('start', '--help');
    assert.equal(start.code, 0);
    assert.match(start.out, /SDS_DATA_DIR/);
  });
});

describe('the tool beside a running instance', () => {
  const text = (value: unknown): string => value as string;

  beforeAll(() => tool.start());

  it('keeps accounts and keys; a revoked key is never active again', async () => {
    const account = await tool.json('accounts', 'create', '--name', 'Ann', '--tier', 'BETA');
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
    assert.equal((await tool.json('accounts', 'set', id, '--monthly-rows', '5')).monthly_rows, 5);
    const minted = await tool.json('keys', 'mint', '--account', id);
    assert.match(text(minted.key), /^svc_live_[0-9A-Za-z]{46}$/);
    const key = text(minted.key_id);
    assert.equal((await tool.json('keys', 'suspend', key, '--yes')).state, 'suspended');
    assert.equal((await tool.json('keys', 'restore', key, '--yes')).state, 'active');
    assert.equal((await tool.json('keys', 'revoke', key, '--yes')).state, 'revoked');
    await tool.endWith(1, [[['keys', 'restore', key, '--yes'], /it is already revoked/]]);
    const listed = (await tool.json('keys', 'list', '--account', id)).data as Record<string, unknown>[];
    assert.deepEqual(
      listed.map(({ state, pepper_version }) => [state, pepper_version]),
      [['revoked', 1]],
    );
    assert.match(
      (await tool.sds('keys', 'list', '--account', id)).out,
      /^key .* pepper .*\n\S+ +\S+ +svc_live_\S+ +1 +revoked /,
    );
    for (let count = 0; count < 3; count += 1) await tool.json('keys', 'mint', '--account', id);
    const suspended =
      ((await tool.json('keys', 'list', '--account', id)).data as { key_id: string }[]).at(-1)?.key_id ?? '';
    await tool.json('keys', 'suspend', suspended, '--yes');
    await tool.json('keys', 'mint', '--account', id);
    await tool.endWith(3, [
      [['keys', 'restore', suspended, '--yes'], /3 active keys, as many as its tier allows/],
      [['keys', 'mint', '--account', id], /3 active keys, as many as its tier allows/],
      [['keys', 'revoke', key], /nothing was done: add --yes/],
    ]);
  });

  it('mints a key of the only account without its name, and of several names them', async () => {
    const own = { SDS_DATA_DIR: join(tool.dir, 'only'), SDS_READY_FILE: '' };
    const ofOwn = (...args: string[]) => tool.sdsWith(own, args);
    assert.equal((await ofOwn('migrate')).code, 0);
    writeFileSync(
      join(own.SDS_DATA_DIR, 'key-peppers'),
      readFileSync(join(tool.environment.SDS_DATA_DIR, 'key-peppers')),
    );
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
    const account = text((await tool.json('accounts', 'create', '--name', 'Audited', '--tier', 'BETA')).account_id);
    const key = text((await tool.json('keys', 'mint', '--account', account)).key_id);
    await tool.json('keys', 'revoke', key, '--yes');
    type Row = { id: number; at: string; actor: string; action: string; subject: string; detail: object };
    const list = async (...args: string[]) => {
      const { data, next_cursor: next } = await tool.json('audit', 'list', ...args);
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
    assert.match((await tool.sds('audit', 'list', '--subject', key)).out, /^at +by +action +subject +detail\n/);
    await tool.endWith(2, [
      [['audit', 'list', '--from', 'yesterday'], /--from is yesterday, and must be a time such as/],
    ]);
  });

  it('is refused a copy of its data directory, and does nothing in the original', async () => {
    const copy = join(tool.dir, 'copy');
    // While PostgreSQL runs, one of its files may vanish; cp reports that and continues.
    spawnSync('cp', ['-a', tool.environment.SDS_DATA_DIR ?? '', copy]);
    const create = ['accounts', 'create', '--name', 'Copied', '--tier', 'BETA'];
    const ran = await tool.sdsWith({ SDS_DATA_DIR: copy }, create);
    assert.equal(ran.code, 3, JSON.stringify(ran));
    assert.match(ran.err, /^sds: data directory .*copy was copied while .* copy the directory again\n$/);
    const { data } = await tool.json('accounts', 'show');
    assert.ok(!(data as { name: string }[]).some(({ name }) => name === 'Copied'));
  });

  it('ends with 1 for what does not exist and with 2 for what makes no sense', async () => {
    await tool.endWith(1, [
      [['keys', 'mint', '--account', 'nobody'], /no account nobody/],
      [['keys', 'list', '--account', 'nobody'], /no account nobody/],
      [['usage', '--account', 'nobody'], /no account nobody/],
      [['games', 'show', 'none'], /no game none/],
      [['games', 'unbind', 'somebody', 'e1', '--yes'], /event e1 of somebody is not bound to a game/],
      [
        ['teams', 'alias', 'NFL', 'Birds', 'PHI', '--confirm', '--source', 's'],
        /s has not reported that NFL PHI is called Birds/,
      ],
      [['dlq', 'show', '99'], /no dead letter 99/],
    ]);
    await tool.endWith(2, [
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
    const minted = await tool.json('feed-keys', 'mint', '--source', 'a,b', ...asked);
    assert.match(text(minted.feed_key), /^svc_feed_/);
    const plain = await tool.json('feed-keys', 'mint', '--source', 'c');
    const { data, warnings } = (await tool.json('feed-keys', 'list')) as {
      data: Record<string, unknown>[];
      warnings: [];
    };
    assert.deepEqual(warnings, []);
    const listed = (id: unknown) => {
      const { shown: _, created_at: __, ...rest } = data.find((key) => key.feed_key_id === id) ?? {};
      return rest;
    };
    const today = { requests: 0, elements: 0, bytes: 0, letters: 0, games: 0, refused: {} };
    const rest = { pepper_version: 1, state: 'active', last_used_at: null, inherited_scopes: [], today };
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
    assert.match((await tool.sds('feed-keys', 'list')).out, /^feed key .* pepper .* scopes .* leagues .* last used$/m);
  });

  it('shows what each feed key used on this UTC day, and what was refused of it', async () => {
    const minted = await tool.json('feed-keys', 'mint', '--source', 'counted');
    const [id, key] = [text(minted.feed_key_id), text(minted.feed_key)];
    const push = async (source: string, body: string): Promise<number> =>
      (await tool.push(source, 'quotes', body, { authorization: `Bearer ${key}` })).status;
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
      ((await tool.json(...command))[command.length === 1 ? 'feed_keys' : 'data'] as Record<string, unknown>[]).find(
        (each) => each.feed_key_id === id,
      );
    // Counts are written once a second: those of the two pushes may come in two batches.
    const isWhole = (today: unknown): boolean =>
      isDeepStrictEqual(today, { ...used, refused: { 'bad-event': 2, forbidden: 1 } });
    await until('all of it is written', async () => isWhole((await shown('status'))?.today));
    const { today, sources } = (await shown('feed-keys', 'list')) as { today: object; sources: string[] };
    assert.deepEqual([sources, isWhole(today)], [['counted'], true]);
    const row = new RegExp(`^${id}.* 2 +3 +${good.length} +2 +1 +bad-event 2, forbidden 1$`, 'm');
    for (const command of [['status'], ['feed-keys', 'list']]) assert.match((await tool.sds(...command)).out, row);
  });

  it('is refused a start on a port that is taken, in one line, before anything is created', async () => {
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
    const { port } = taken.address() as AddressInfo;
    const elsewhere = join(tool.dir, 'elsewhere');
    const free = await freePort();
    for (const [variable, settings] of [
      ['SDS_API_PORT', { SDS_API_PORT: String(port) }],
      ['SDS_INGEST_PORT', { SDS_INGEST_PORT: String(port) }],
      ['SDS_INTERNAL_PORT', { SDS_INTERNAL_PORT: String(port) }],
      ['SDS_INGEST_PORT', { SDS_API_PORT: String(free), SDS_INGEST_PORT: String(free) }],
    ] as const) {
      const ran = await tool.sdsWith({ SDS_DATA_DIR: elsewhere, ...settings }, ['start']);
      assert.equal(ran.code, 2, ran.err);
      assert.match(
        ran.err,
        new RegExp(`^sds: ${variable} is \\d+, and that port is taken; for example ${variable}=0\n$`),
      );
      assert.equal(existsSync(elsewhere), false, variable);
    }
    taken.close();
  });
});
