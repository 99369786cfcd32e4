// Claim: the follower of MSF holds each revision as it was published, in each epoch, and knows what it received; whatever an API answers that
// no client should get, it calls a violation.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'vitest';
import type { ParquetRow } from '../../../core/ports/parquet.ts';
import type { RevisionDocument } from '../../../schemas/http/msf.ts';
import { openPlaysStream, playOf } from '../../support/builders/plays-stream.ts';
import { type Following, type MsfFollower, startMsfFollower } from '../../support/campaigns/msf-follower.ts';
import { judgeMsfBill } from '../../support/campaigns/msf-verdict.ts';
import { allowedOutage } from '../../support/drill/allowed-outage.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { epochNamed, type FakeStream, gameScope } from '../../support/fakes/fake-msf.ts';
import { pepper, send, startApi, type TestApi } from '../../support/http/api-http.ts';
import { until } from '../../support/services/until.ts';

const game = 'NBA_BOS_LAL_20260805';
const name = `games/${game}/plays`;
const scope = gameScope(game);

type Answer = { status: number; body: Buffer };
/** What a front makes of an answer of the API; null: it breaks off. */
type Alter = (path: string, answer: Answer) => Answer | null;

let api: TestApi;
let plays: FakeStream<ParquetRow>;
let closing: AsyncDisposableStack;

beforeEach(async () => {
  closing = new AsyncDisposableStack();
  api = await startApi();
  closing.defer(() => api.close());
  api.catalog.addGame({ gameId: game, uuid: uuidOf(game) });
  plays = openPlaysStream(api, scope);
  await plays.publish([1, 2, 3].map((number) => playOf(scope, number)));
  await plays.publish([playOf(scope, 4)]);
  await plays.publish([playOf(scope, 5), playOf(scope, 2, 'corrected')], { deleted: [playOf(scope, 3)] });
});
afterEach(() => closing.disposeAsync());

/** A server before the API that alters its answers, and asks with the API's key whatever key it is given. */
async function openFront(alter: Alter): Promise<string> {
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const reply = await send(api.url, path, { headers: { authorization: `Bearer ${api.key}` } });
    const answer = alter(path, reply);
    if (answer === null) return void response.destroy();
    const counted = reply.headers['x-service-rowcount'];
    response.writeHead(answer.status, counted === undefined ? {} : { 'x-service-rowcount': counted });
    response.end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closing.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function follow(alter: Alter = (_, answer) => answer): Promise<MsfFollower> {
  const keys = { createAccount: async () => {}, addApiKey: async () => ({ kind: 'added', tier: 'PRO' }) };
  const follower = await startMsfFollower({
    drivers: { catalogs: { keys }, peppers: [pepper] } as unknown as Following['drivers'],
    apis: [await openFront(alter)],
    seed: 1,
    pauseMs: 1,
    listGames: async () => [game],
    isOutage: allowedOutage({ damagedAt: () => null }),
  });
  closing.defer(() => follower.stop());
  return follower;
}

describe('a follower of MSF', () => {
  it('holds each revision of each epoch, and was billed for what it received', async () => {
    const follower = await follow();
    await follower.catchUp();
    plays.reset(epochNamed('B'));
    await plays.publish([1, 2].map((number) => playOf(scope, number)));
    await plays.publish([playOf(scope, 6)]);
    await follower.catchUp();
    assert.deepEqual(follower.violations, []);
    const had = [...follower.ended, ...follower.streams.values()].map((stream) => {
      return { name: stream.name, epoch: stream.epoch, revisions: stream.records.map(({ revision }) => revision) };
    });
    assert.deepEqual(had, [
      { name, epoch: epochNamed('A'), revisions: [1, 2, 3] },
      { name, epoch: epochNamed('B'), revisions: [1, 2] },
    ]);
    const bill = { ...follower, account: 'account' };
    assert.equal(await judgeMsfBill(api.ledger, bill), 3 + 1 + 3 + 2 + 1);
    await assert.rejects(judgeMsfBill(api.ledger, { ...bill, rows: bill.rows + 1 }), /10 rows billed, 11 received/);
    await assert.rejects(judgeMsfBill(api.ledger, { ...bill, rows: bill.rows - 1 }), /10 rows billed, 9 received/);
  });

  it('asks again for what broke off, and adds up what that may have cost', async () => {
    let left = 2;
    const follower = await follow((path, answer) => {
      const breaksOff = path.endsWith('/change/0') && answer.status === 200 && left > 0;
      if (breaksOff) left -= 1;
      return breaksOff ? null : answer;
    });
    await follower.catchUp();
    assert.deepEqual(follower.violations, []);
    assert.equal(follower.streams.get(name)?.records.length, 3);
    assert.equal(follower.unanswered, 2);
    const spent = await judgeMsfBill(api.ledger, { ...follower, account: 'account' });
    assert.equal(spent, follower.rows + follower.lostRows);
    assert.ok(follower.lostRows > 0);
  });

  const change = (edit: (revisions: RevisionDocument[]) => RevisionDocument[]): Alter => {
    return (path, answer) => {
      if (!path.includes('/changes?') || answer.status !== 200) return answer;
      const page = JSON.parse(answer.body.toString()) as { revisions: RevisionDocument[] };
      return { ...answer, body: Buffer.from(JSON.stringify({ ...page, revisions: edit(page.revisions) })) };
    };
  };
  const failed = (of: string, status: number, text = '{}'): Alter => {
    return (path, answer) => (path.includes(of) ? { status, body: Buffer.from(text) } : answer);
  };
  const digest = '0'.repeat(64);

  it.each<[string, RegExp, Alter]>([
    [
      'another digest',
      /its digest is .*, and 0{64} was published/,
      change((all) => all.map((one) => ({ ...one, snapshot_digest: digest }))),
    ],
    [
      'another number of rows',
      /and 99 were published/,
      change((all) => all.map((one) => ({ ...one, snapshot_row_count: 99 }))),
    ],
    [
      'a revision left out',
      /revision 3 came as number 2|a page ends at/,
      change((all) => all.filter(({ revision }) => revision !== 2)),
    ],
    ['a revision twice', /revision 2 came as number 3/, change((all) => all.flatMap((one) => [one, one]))],
    [
      'other bytes of a file',
      /other bytes than were named/,
      (path, answer) =>
        path.endsWith('/change/0') ? { ...answer, body: Buffer.from(answer.body.map((byte) => byte ^ 1)) } : answer,
    ],
    [
      'a page of another epoch',
      /: epoch X after /,
      (path, answer) => ({
        ...answer,
        body: path.includes('/changes?')
          ? Buffer.from(answer.body.toString().replace(/^(.*?"stream_epoch":")[^"]*/, '$1X'))
          : answer.body,
      }),
    ],
    ['a page that failed', /changes.*: 500/, failed('/changes?', 500)],
    ['a file that failed', /change\/0: 500/, failed('/change/0', 500)],
    ['a 503 that is no problem', /change\/0: 503/, failed('/change/0', 503)],
    ['a refusal', /snapshot: 403/, failed('/snapshot', 403)],
  ])('calls %s a violation', async (_, expected, alter) => {
    const follower = await follow(alter);
    await until('a violation is met', () => follower.violations.length > 0);
    await follower.stop();
    assert.match(follower.violations.join('\n'), expected);
  });

  it('takes a 503 that says what it is for an outage', async () => {
    let left = 3;
    const problem = JSON.stringify({ type: 'https://api.example.test/problems/temporarily-unavailable' });
    const follower = await follow((path, answer) => {
      if (!path.includes('/plays/') || left === 0) return answer;
      left -= 1;
      return { status: 503, body: Buffer.from(problem) };
    });
    await follower.catchUp();
    assert.deepEqual(follower.violations, []);
    assert.equal(follower.unanswered, 3);
    assert.equal(follower.streams.get(name)?.records.length, 3);
  });
});
