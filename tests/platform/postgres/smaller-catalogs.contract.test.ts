// The smaller catalogs: keys, pushes, operations.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, it } from 'vitest';
import { unrestricted } from '../../../core/access/feed-grant.ts';
import type { DeadLetter, DeadLettersCatalog } from '../../../core/ports/catalog/dead-letters.ts';
import { CatalogUnavailable } from '../../../core/ports/catalog/errors.ts';
import type { Account, KeysCatalog, Tier } from '../../../core/ports/catalog/keys.ts';
import { type FeedGrant, feedScopes } from '../../../core/ports/catalog/keys.ts';
import type { OperationsCatalog } from '../../../core/ports/catalog/operations.ts';
import type { PushCatalog, ReceiptEntry } from '../../../core/ports/catalog/pushes.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { openCheckpointsCatalog } from '../../../platform/postgres/checkpoints-catalog.ts';
import { openDeadLettersCatalog } from '../../../platform/postgres/dead-letters-catalog.ts';
import { openKeysCatalog } from '../../../platform/postgres/keys-catalog.ts';
import { openOperationsCatalog } from '../../../platform/postgres/operations-catalog.ts';
import { openPushCatalog } from '../../../platform/postgres/push-catalog.ts';
import { openPushCounts } from '../../../platform/postgres/push-counts.ts';
import type { Sql } from '../../../platform/postgres/sql.ts';
import { allTestServers, openDatabase } from '../../support/services/databases.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const received = 1_786_000_000_654_321;

function entry(change: Partial<ReceiptEntry> = {}): ReceiptEntry {
  return {
    receipt: randomUUID(),
    source: 'feed',
    receivedAt: received,
    accepted: 2,
    acceptedIndexes: [0, 1],
    duplicates: 0,
    rejected: [],
    rejectedMore: 0,
    ...change,
  };
}

function letter(change: Partial<DeadLetter> = {}): DeadLetter {
  return {
    topic: 'sds.quotes.v1',
    partition: null,
    offset: null,
    code: 'bad-price',
    detail: 'no price',
    pointer: '/quotes/0',
    source: 'feed',
    gameUuid: null,
    gameId: null,
    receipt: null,
    pushIndex: 0,
    payload: Buffer.from('{}'),
    ...change,
  };
}

const caps = { DEMO: null, BETA: 3, STARTER: 3, PRO: 10 };
const noCaps = { DEMO: null, BETA: null, STARTER: null, PRO: null };

const storedKey = () => ({
  id: randomUUID(),
  mac: randomBytes(32),
  pepperVersion: 1,
  prefix: 'svc_live_ab',
  last4: 'wxyz',
});

for (const server of await allTestServers()) {
  describe(`catalogs on ${server.name}`, skipFor(server.skip), () => {
    let sql: Sql;
    let keys: KeysCatalog;
    let pushes: PushCatalog;
    let operations: OperationsCatalog;
    let deadLetters: DeadLettersCatalog;
    beforeAll(async () => {
      ({ sql } = await openDatabase(server));
      keys = openKeysCatalog(sql);
      pushes = openPushCatalog(sql);
      operations = openOperationsCatalog(sql);
      deadLetters = openDeadLettersCatalog(sql);
    });

    /** Opens every connection of the pool: callers that still have to connect would not race. */
    async function connectAll(): Promise<void> {
      await Promise.all(Array.from({ length: 20 }, () => sql.query('select pg_sleep(0.1)')));
    }

    async function newAccount(change: Partial<Account> = {}): Promise<Account> {
      const account: Account = {
        id: randomUUID(),
        name: 'Ann',
        tier: 'PRO',
        entitled: true,
        monthlyRows: null,
        ...change,
      };
      await keys.createAccount(account);
      return account;
    }

    describe('accounts', () => {
      it('are kept, changed and listed', async () => {
        const account = await newAccount({ tier: 'DEMO', monthlyRows: 5_000_000_000 });
        assert.deepEqual(await keys.account(account.id), account);
        const set = async (change: { tier?: Tier; entitled?: boolean; monthlyRows?: number | null }) => {
          const answer = await keys.setAccount(account.id, change, caps);
          return answer?.kind === 'set' ? answer.account : answer;
        };
        assert.deepEqual(await set({ tier: 'BETA' }), { ...account, tier: 'BETA' });
        assert.deepEqual(await set({ entitled: false, monthlyRows: null }), {
          ...account,
          tier: 'BETA',
          entitled: false,
          monthlyRows: null,
        });
        assert.deepEqual(await set({}), await keys.account(account.id));
        assert.ok((await keys.accounts()).some((each) => each.id === account.id));
      });

      it('that do not exist are null, whatever the id looks like', async () => {
        for (const id of [randomUUID(), 'no-uuid', '', "'; drop table accounts"]) {
          assert.equal(await keys.account(id), null);
          assert.equal(await keys.setAccount(id, { tier: 'PRO' }, caps), null);
          assert.equal(await keys.addApiKey(id, storedKey(), noCaps), null);
          assert.deepEqual(await keys.keys(id), []);
        }
      });
    });

    describe('keys', () => {
      it('are found by any of the MACs, with what the account may', async () => {
        const account = await newAccount({ tier: 'STARTER', entitled: false });
        const key = storedKey();
        assert.deepEqual(await keys.addApiKey(account.id, key, caps), { kind: 'added', tier: 'STARTER' });
        assert.deepEqual(await keys.apiKeyByMac([randomBytes(32), Uint8Array.from(key.mac)]), {
          id: key.id,
          accountId: account.id,
          state: 'active',
          tier: 'STARTER',
          entitled: false,
          monthlyRows: account.monthlyRows,
        });
        assert.equal(await keys.apiKeyByMac([randomBytes(32)]), null);
        assert.equal(await keys.apiKeyByMac([]), null);
      });

      it('never exceed the cap in a race of 50, revoked ones not counted', async () => {
        const account = await newAccount({ tier: 'BETA' });
        for (const state of ['revoked', 'suspended', 'throttled'] as const) {
          const key = storedKey();
          await keys.addApiKey(account.id, key, caps);
          await keys.setKeyState(key.id, state, 'test');
        }
        await connectAll();
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => keys.addApiKey(account.id, storedKey(), caps)),
        );
        assert.equal(answers.filter((answer) => answer?.kind === 'added').length, 3);
        assert.equal(answers.filter((answer) => answer?.kind === 'cap-reached').length, 47);
        assert.equal((await keys.keys(account.id)).filter((key) => key.state === 'active').length, 3);
        assert.equal((await keys.addApiKey(account.id, storedKey(), noCaps))?.kind, 'added');
      });

      it('change their state, with a line in the audit', async () => {
        const account = await newAccount();
        const key = { ...storedKey(), pepperVersion: 7 };
        await keys.addApiKey(account.id, key, caps);
        const suspended = await keys.setKeyState(key.id, 'suspended', 'ann');
        assert.deepEqual([suspended?.state, suspended?.prefix, suspended?.last4], ['suspended', 'svc_live_ab', 'wxyz']);
        assert.deepEqual(await keys.keys(account.id), [{ ...suspended, pepperVersion: 7 }]);
        assert.equal((await keys.restoreKey(key.id, caps, 'bob'))?.kind, 'restored');
        const { rows } = await sql.query('select actor, action, detail from audit where subject = $1 order by id', [
          key.id,
        ]);
        assert.deepEqual(rows, [
          { actor: 'ann', action: 'keys suspend', detail: { from: 'active', to: 'suspended' } },
          { actor: 'bob', action: 'keys restore', detail: { from: 'suspended', to: 'active' } },
        ]);
        assert.equal(await keys.setKeyState('no key', 'revoked', 'ann'), null);
        assert.equal(await keys.restoreKey('no key', caps, 'ann'), null);
        await keys.setKeyState(key.id, 'revoked', 'ann');
        assert.equal(await keys.restoreKey(key.id, caps, 'ann'), null);
      });

      it('that are restored count as those that are added, in a race of both', async () => {
        const account = await newAccount({ tier: 'BETA' });
        const suspended = Array.from({ length: 12 }, storedKey);
        for (const key of suspended) {
          await keys.addApiKey(account.id, key, noCaps);
          await keys.setKeyState(key.id, 'suspended', 'test');
        }
        await connectAll();
        const answers = await Promise.all(
          suspended.flatMap((key) => [
            keys.restoreKey(key.id, caps, 'test').then((answer) => answer?.kind),
            keys.addApiKey(account.id, storedKey(), caps).then((answer) => answer?.kind),
          ]),
        );
        assert.equal(answers.filter((answer) => answer === 'restored' || answer === 'added').length, 3);
        assert.equal(answers.filter((answer) => answer === 'cap-reached').length, 21);
        const active = (await keys.keys(account.id)).filter((key) => key.state === 'active');
        assert.equal(active.length, 3);
        const [again] = active;
        assert.equal(
          (await keys.restoreKey(again?.id ?? '', caps, 'test'))?.kind,
          'restored',
          'it is one of the three',
        );
        const demo = await newAccount({ tier: 'DEMO' });
        for (let count = 0; count < 5; count += 1) {
          const key = storedKey();
          await keys.addApiKey(demo.id, key, noCaps);
          await keys.setKeyState(key.id, 'throttled', 'test');
          assert.equal((await keys.restoreKey(key.id, caps, 'test'))?.kind, 'restored');
        }
      });

      it('never are more than the tier allows after a move to another, in a race of both', async () => {
        const account = await newAccount({ tier: 'PRO' });
        for (let count = 0; count < 4; count += 1) await keys.addApiKey(account.id, storedKey(), caps);
        const over = { kind: 'over-cap', cap: 3, active: 4 };
        assert.deepEqual(await keys.setAccount(account.id, { tier: 'STARTER' }, caps), over);
        assert.equal((await keys.account(account.id))?.tier, 'PRO', 'it was not moved');
        const [first] = await keys.keys(account.id);
        await keys.setKeyState(first?.id ?? '', 'revoked', 'test');
        await connectAll();
        await Promise.all([
          ...Array.from({ length: 10 }, () => keys.addApiKey(account.id, storedKey(), caps)),
          keys.setAccount(account.id, { tier: 'STARTER' }, caps),
        ]);
        const active = (await keys.keys(account.id)).filter((key) => key.state === 'active').length;
        const cap = caps[(await keys.account(account.id))?.tier ?? 'DEMO'] ?? 0;
        assert.ok(active <= cap, `${active} active keys, ${cap} allowed`);
      });

      it('of feeds hold what they may do until they are revoked', async () => {
        const key = { ...storedKey(), pepperVersion: 7 };
        const grant: FeedGrant = {
          sources: ['a', 'b,"c"'],
          scopes: ['push', 'backfill'],
          leagues: ['NBA', 'NFL'],
          operators: ['BOOK_1'],
        };
        await keys.addFeedKey(key, grant);
        assert.deepEqual(await keys.feedKeyByMac([key.mac]), { id: key.id, ...grant, state: 'active' });
        const other = storedKey();
        await keys.addFeedKey(other, unrestricted(['*'], feedScopes));
        assert.deepEqual((await keys.feedKeyByMac([other.mac]))?.leagues, null);
        const listed = async (id: string) => (await keys.feedKeys()).find((each) => each.id === id);
        const { createdAt, ...rest } = (await listed(key.id)) ?? assert.fail('it is listed');
        assert.ok(createdAt > 0);
        const noted = { last4: key.last4, pepperVersion: 7, lastUsedAt: null, inheritedScopes: [] };
        assert.deepEqual(rest, { id: key.id, ...grant, state: 'active', ...noted });
        await keys.noteFeedKeyUsed(key.id);
        const used = (await listed(key.id))?.lastUsedAt;
        await keys.noteFeedKeyUsed(key.id);
        assert.equal((await listed(key.id))?.lastUsedAt, used, 'noted once a minute');
        assert.ok((used ?? 0) >= createdAt);
        assert.equal(await keys.revokeFeedKey(key.id), true);
        assert.equal((await keys.feedKeyByMac([key.mac]))?.state, 'revoked');
        assert.equal(await keys.revokeFeedKey('none'), false);
      });
    });

    describe('pushes', () => {
      it('claim an idempotency key once, and tell a repetition from a conflict', async () => {
        assert.deepEqual(await pushes.useKey('feed', 'k1', 'body', 'r1'), { kind: 'new' });
        assert.deepEqual(await pushes.useKey('feed', 'k1', 'body', 'r2'), {
          kind: 'repeated',
          receipt: 'r1',
          logged: false,
        });
        assert.deepEqual(await pushes.useKey('feed', 'k1', 'other', 'r3'), { kind: 'conflict' });
        assert.deepEqual(
          await pushes.useKey('other', 'k1', 'other', 'r4'),
          { kind: 'new' },
          'a key belongs to its source',
        );
        await pushes.acknowledge(entry({ receipt: 'r1' }), 'k1', []);
        assert.deepEqual(await pushes.useKey('feed', 'k1', 'body', 'r5'), {
          kind: 'repeated',
          receipt: 'r1',
          logged: true,
        });
      });

      it('claim an idempotency key exactly once in a race of 32', async () => {
        await connectAll();
        const answers = await Promise.all(
          Array.from({ length: 32 }, (_, index) => pushes.useKey('feed', 'raced', 'body', `race-${index}`)),
        );
        assert.equal(answers.filter((answer) => answer.kind === 'new').length, 1);
        const winner = `race-${answers.findIndex((answer) => answer.kind === 'new')}`;
        for (const answer of answers)
          if (answer.kind !== 'new') assert.deepEqual(answer, { kind: 'repeated', receipt: winner, logged: false });
      });

      it('take a key again after 24 hours, and any text for one', async () => {
        await pushes.useKey('feed', 'old', 'body', 'old-1');
        await sql.query(
          `update idempotency_keys set created_at = now() - interval '25 hours' where key = 'sha256:' || encode(sha256('old'), 'hex')`,
        );
        assert.deepEqual(await pushes.useKey('feed', 'old', 'changed', 'old-2'), { kind: 'new' });
        assert.deepEqual(await pushes.useKey('feed', 'old', 'changed', 'old-3'), {
          kind: 'repeated',
          receipt: 'old-2',
          logged: false,
        });
        for (const key of ['nul\0', 'x'.repeat(8_000), 'x'.repeat(8_001)]) {
          assert.deepEqual(await pushes.useKey('feed', key, 'body', 'any'), { kind: 'new' });
          await pushes.acknowledge(entry({ receipt: 'any' }), key, []);
          assert.deepEqual(await pushes.useKey('feed', key, 'body', 'any'), {
            kind: 'repeated',
            receipt: 'any',
            logged: true,
          });
        }
      });

      it('are acknowledged with their dead letters, once', async () => {
        const rejected = [{ index: 1, pointer: '/quotes/0', code: 'bad-price', detail: 'half a pair \ud800' }];
        const acknowledged = entry({ rejected });
        const letters = [
          letter({ code: 'acknowledged', receipt: acknowledged.receipt }),
          letter({ code: 'acknowledged' }),
        ];
        await pushes.acknowledge(acknowledged, null, letters);
        await pushes.acknowledge(acknowledged, null, letters);
        const state = await pushes.receipt(acknowledged.receipt);
        const { acceptedIndexes: _, ...expected } = acknowledged;
        assert.deepEqual(state, {
          ...expected,
          rejected: [{ ...rejected[0], detail: 'half a pair \ufffd' }],
          applied: 0,
          foldedDuplicates: 0,
          refused: 0,
          refusedParts: 0,
          records: [],
        });
        const { rows } = await sql.query(`select count(*) as n from dead_letters where code = 'acknowledged'`);
        assert.equal(rows[0]?.n, 2);
        assert.equal(await pushes.receipt('never'), null);
        assert.equal(await pushes.receipt('nul\0'), null);
      });

      it('are counted by source', async () => {
        const from = Date.now() * 1000 - 60_000_000;
        for (let n = 0; n < 5; n += 1) await pushes.acknowledge(entry({ source: 'counted' }), null, []);
        const counted = (await pushes.sources()).find((each) => each.source === 'counted');
        assert.equal(counted?.pushes, 5);
        assert.ok(counted.firstSeen > from && counted.lastSeen >= counted.firstSeen);
      });

      it('have sources with a rank, 0 by default', async () => {
        const ranked = async () => (await pushes.sources()).find((each) => each.source === 'ranked')?.rank;
        assert.equal(await pushes.rankOf('ranked'), 0);
        assert.equal(await pushes.rankSource('ranked', -3), 0);
        assert.equal(await pushes.rankSource('ranked', 1_000), -3);
        assert.deepEqual([await pushes.rankOf('ranked'), await ranked()], [1_000, 1_000]);
        await pushes.acknowledge(entry({ source: 'ranked' }), null, []);
        await pushes.foundSource('ranked', -1);
        await pushes.foundSource('founded', -1);
        assert.deepEqual([await ranked(), await pushes.rankOf('founded')], [1_000, -1]);
        await assert.rejects(pushes.rankSource('ranked', 1_001));
      });

      it('are counted to the last one, also for others and when none comes after it', async () => {
        for (let n = 0; n < 5; n += 1) await pushes.acknowledge(entry({ source: 'paused' }), null, []);
        const elsewhere = openPushCatalog(sql);
        await until('all are counted', async () =>
          (await elsewhere.sources()).some((each) => each.source === 'paused' && each.pushes === 5),
        );
      });

      it('are acknowledged also while they cannot be counted, and counted when they can', async () => {
        let away = true;
        const blip: Sql = {
          ...sql,
          query: (text, values, name) => {
            if (away && text.includes('into sources')) return Promise.reject(new CatalogUnavailable('a blip'));
            return sql.query(text, values, name);
          },
        };
        const during = openPushCatalog(blip);
        const acknowledged = entry({ source: 'blip' });
        await during.acknowledge(acknowledged, null, []);
        assert.notEqual(await pushes.receipt(acknowledged.receipt), null);
        await during.flush();
        away = false;
        await during.flush();
        assert.equal((await pushes.sources()).find((each) => each.source === 'blip')?.pushes, 1);
      });

      it('are acknowledged also while the counts of a source are locked', async () => {
        await sql.query(`insert into sources (source, pushes) values ('locked', 1)`);
        const acknowledged = Promise.withResolvers<void>();
        const locking = sql.transaction(async (tx) => {
          await tx.query(`select 1 from sources where source = 'locked' for update`);
          await acknowledged.promise;
        });
        await openPushCatalog(sql).acknowledge(entry({ source: 'locked' }), null, []);
        acknowledged.resolve();
        await locking;
      });

      it('are counted by two gateways at once, in any order', async () => {
        const names = Array.from({ length: 100 }, (_, index) => `both-${String(index).padStart(2, '0')}`);
        const warned: unknown[] = [];
        const log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(line) };
        const gateways = [names, names.toReversed()].map((order) => ({ counts: openPushCounts(sql, log), order }));
        for (let round = 0; round < 20; round += 1) {
          for (const { counts, order } of gateways) for (const name of order) counts.count(name);
          await Promise.all(gateways.map(({ counts }) => counts.flush()));
        }
        assert.deepEqual(warned, []);
        const counted = (await pushes.sources()).filter(({ source }) => source.startsWith('both-'));
        assert.deepEqual(new Set(counted.map((each) => each.pushes)), new Set([40]));
        assert.equal(counted.length, names.length);
      });

      it('forget receipts, folds and keys after 24 hours, and nothing younger', async () => {
        const [old, young] = [entry(), entry()];
        await pushes.acknowledge(old, null, []);
        await pushes.acknowledge(young, null, []);
        await pushes.useKey('feed', 'expiring', 'body', old.receipt);
        await sql.query(`update receipts set created_at = now() - interval '25 hours' where receipt = $1`, [
          old.receipt,
        ]);
        await sql.query(
          `update idempotency_keys set created_at = now() - interval '25 hours' where key = 'sha256:' || encode(sha256('expiring'), 'hex')`,
        );
        await pushes.expire();
        assert.equal(await pushes.receipt(old.receipt), null);
        assert.notEqual(await pushes.receipt(young.receipt), null);
        const { rows } = await sql.query(
          `select count(*) as n from idempotency_keys where key = 'sha256:' || encode(sha256('expiring'), 'hex')`,
        );
        assert.equal(rows[0]?.n, 0);
      });
    });

    describe('operations', () => {
      it('list dead letters by page, code and source, the newest first, and show one whole', async () => {
        const payload = randomBytes(900_000);
        const letters = ['x', 'x', 'y', 'x'].map((code, index) =>
          letter({ code: `listed-${code}`, source: index === 3 ? 'other' : 'lister', payload }),
        );
        await deadLetters.store(letters);
        await deadLetters.store([]);
        const query = { before: null, limit: 100, code: null, source: null };
        const listed = (await deadLetters.list(query)).filter((each) => each.code.startsWith('listed'));
        assert.deepEqual(
          listed.map((each) => each.code),
          ['listed-x', 'listed-y', 'listed-x', 'listed-x'],
        );
        assert.deepEqual(
          (await deadLetters.list({ ...query, code: 'listed-x', source: 'lister' })).map((each) => each.id),
          [listed[2]?.id, listed[3]?.id],
        );
        assert.deepEqual(
          (await deadLetters.list({ ...query, before: listed[1]!.id, limit: 1 })).map((each) => each.id),
          [listed[2]?.id],
        );
        const whole = await deadLetters.one(listed[0]!.id);
        assert.ok(payload.equals(whole!.payload));
        // The four share one payload, and another dead letter has its own.
        await deadLetters.store([letter({ code: 'alone', payload: Buffer.from('alone') })]);
        const kept = await sql.query(
          `select count(distinct payload_id) as shared, count(payload) as own from dead_letters where code like 'listed-%' or code = 'alone'`,
        );
        assert.deepEqual(kept.rows, [{ shared: 1, own: 1 }]);
        const [alone] = await deadLetters.list({ ...query, code: 'alone' });
        assert.equal(Buffer.from((await deadLetters.one(alone!.id))!.payload).toString(), 'alone');
        assert.deepEqual(
          [whole?.topic, whole?.partition, whole?.offset, whole?.state, whole?.game_id],
          ['sds.quotes.v1', null, null, 'open', null],
        );
        assert.equal(await deadLetters.one(999_999), null);
        assert.ok((await deadLetters.count()) >= 4);
      });

      it('show streams and counts, and note who did what', async () => {
        await openCheckpointsCatalog(sql).claim({ projector: 'live', topic: 'sds.quotes.v1', partition: 1 }, 'a');
        await sql.query('update stream_state set next_offset = 5');
        const stream = (await operations.streams()).find((each) => each.partition === 1);
        assert.deepEqual([stream?.projector, stream?.ownerEpoch, stream?.nextOffset], ['live', 1, 5]);
        assert.deepEqual(await operations.gameCounts(), { games: 0, minted: 0, live: 0, to_settle: 0 });
        await sql.query(
          `insert into settlements (game_uuid, partition, ticked, closed) values (gen_random_uuid(), 0, false, '{}'), (gen_random_uuid(), 0, true, null)`,
        );
        assert.equal((await operations.gameCounts()).to_settle, 1);
        await sql.query('update settlements set built_orders = orders');
        assert.equal((await operations.gameCounts()).to_settle, 0);
        const id = (at: number): string => `00000000-0000-5000-8000-00000000000${at}`;
        const days = [1, 3, 5, 4, 6];
        for (const [at, ago] of days.entries())
          await sql.query(
            `insert into games (id, public_id, league, home_name, away_name, founder_source, first_start, scheduled_start)
             values ($1, $2, 'MLB', 'h', 'a', 'feed', now(), now() - make_interval(days => $3))`,
            [id(at), at === 1 ? 'MLB_A_H_20260101' : null, ago],
          );
        for (const at of [0, 1, 2, 3])
          await sql.query(
            `insert into live_logs (game_uuid, generation, version, partition, first_seq, rows, updated_at, owner_epoch, operators, open_offer,
               receive_timed)
             values ($1, 1, 1, 0, 1, 0, now(), 1, '{}', false, true)`,
            [id(at)],
          );
        await sql.query(
          `insert into settlements (game_uuid, partition, ticked, closed) values ($1, 0, true, null), ($2, 0, true, '{}')`,
          [id(2), id(3)],
        );
        assert.deepEqual(await operations.overdue(9), [id(2), 'MLB_A_H_20260101']);
        assert.deepEqual(await operations.overdue(1), [id(2)]);
        await operations.audit('ann', 'tried', 'something', { nul: '\0' });
        const { rows } = await sql.query(`select actor, subject, detail from audit where action = 'tried'`);
        assert.deepEqual(rows, [{ actor: 'ann', subject: 'something', detail: { nul: '\ufffd' } }]);
        const any = { before: null, limit: 9, action: null, subject: null, actor: null, from: null, to: null };
        const [noted] = await operations.audited({ ...any, subject: 'something' });
        assert.deepEqual([noted?.actor, noted?.action, noted?.detail], ['ann', 'tried', { nul: '\ufffd' }]);
        await operations.audit('ann', 'tried again', 'something', {});
        const actions = async (query: object) =>
          (await operations.audited({ ...any, ...query })).map(({ action }) => action);
        assert.deepEqual(await actions({ action: 'tried' }), ['tried again', 'tried']);
        assert.deepEqual(await actions({ action: 'tri' }), []);
        assert.deepEqual(await actions({ actor: 'ann', limit: 1 }), ['tried again']);
        assert.deepEqual(await actions({ action: 'tried again', to: noted?.at }), []);
        assert.deepEqual(await actions({ before: noted?.id, subject: 'something' }), []);
        assert.deepEqual(await actions({ action: 'tried', from: noted?.at, to: (noted?.at ?? 0) + 1 }), ['tried']);
      });
    });
  });
}
