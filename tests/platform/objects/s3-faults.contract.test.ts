// The S3 driver against a service that misbehaves, one scripted answer after the other.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, it, type TestContext } from 'vitest';
import { ObjectConflict, ObjectDamaged, type ObjectStore, ObjectTruncated } from '../../../core/ports/object-store.ts';
import { openS3Store } from '../../../platform/objects/s3.ts';
import { ownMs } from '../../support/processes/own-time.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const bytes = Buffer.from('the bytes of an object');
const sha256 = createHash('sha256').update(bytes).digest('hex');

const refuse =
  (status: number, code: string): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>scripted</Message></Error>`);
  };
const serve =
  (body: Buffer, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-length': String(body.length), ...headers }).end(body);
const cutBody: Answer = (response) => {
  response.writeHead(200, { 'content-length': String(bytes.length) });
  response.write(bytes.subarray(0, 5), () => response.destroy());
};
const shortPart: Answer = (response) =>
  void response.writeHead(206, { 'content-length': '5' }).end(bytes.subarray(0, 5));
const hangUp: Answer = (response) => void response.destroy();
const accept: Answer = (response) => void response.writeHead(200, { etag: '"x"' }).end();

/** A store whose service gives these answers in turn and then refuses everything; and how many requests it made. */
async function scripted(
  test: TestContext,
  answers: readonly Answer[],
): Promise<{ store: ObjectStore; asked: () => number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const answer = answers[asked] ?? refuse(500, 'ScriptIsOver');
      asked += 1;
      answer(response, request);
    });
  });
  return { store: await storeOn(test, server), asked: () => asked };
}

async function storeOn(test: TestContext, server: Server): Promise<ObjectStore> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const store = openS3Store({
    bucket: 'b',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'k', secretAccessKey: 's' },
  });
  test.onTestFinished(async () => {
    await store.close();
    server.closeAllConnections();
    server.close();
  });
  return store;
}

describe('S3 that misbehaves', () => {
  it('a body that is cut off is never taken for the object', async (test) => {
    const { store } = await scripted(test, [cutBody, cutBody, cutBody]);
    await assert.rejects(store.get('a'), (error) => !(error instanceof ObjectTruncated), 'another attempt may succeed');
  });

  it('a part of an object that ends before it does is refused for good', async (test) => {
    const { store } = await scripted(test, [shortPart]);
    await assert.rejects(store.get('a', { offset: 0, length: 10 }), ObjectTruncated);
  });

  const named = { 'x-amz-meta-sha256': sha256 };

  it('other bytes than were put are refused for good, when they are the same each time', async (test) => {
    const other = serve(Buffer.from('other bytes, same size'), named);
    const { store, asked } = await scripted(test, [other, other, other]);
    await assert.rejects(store.get('a'), ObjectDamaged);
    assert.equal(asked(), 3);
  });

  it('other bytes may be an accident of the way: they are read again', async (test) => {
    const { store } = await scripted(test, [serve(Buffer.from('xhe bytes of an object'), named), serve(bytes, named)]);
    assert.deepEqual(Buffer.from((await store.get('a')) ?? []), bytes);
    const others = ['x', 'y', 'z'].map((text) => serve(Buffer.from(text), named));
    const { store: worse } = await scripted(test, others);
    await assert.rejects(worse.get('a'), (error) => !(error instanceof ObjectDamaged), 'another attempt may succeed');
  });

  it('a busy service is asked again', async (test) => {
    const { store, asked } = await scripted(test, [refuse(503, 'SlowDown'), hangUp, accept]);
    await store.put('a', bytes);
    assert.equal(asked(), 3);
  });

  it('a put that another writer disturbs is tried again', async (test) => {
    const { store, asked } = await scripted(test, [refuse(409, 'ConditionalRequestConflict'), accept]);
    await store.put('a', bytes);
    assert.equal(asked(), 2);
  });

  it('a put whose answer was lost finds its own bytes', async (test) => {
    const taken = refuse(412, 'PreconditionFailed');
    const { store } = await scripted(test, [hangUp, taken, serve(bytes, { 'x-amz-meta-sha256': sha256 })]);
    await store.put('a', bytes);
  });

  it('a taken key with other bytes is a conflict', async (test) => {
    const { store } = await scripted(test, [refuse(412, 'PreconditionFailed'), serve(Buffer.from('other'))]);
    await assert.rejects(store.put('a', bytes), ObjectConflict);
  });

  it('a service that is down is given up on, and is no absent object', async (test) => {
    const { store, asked } = await scripted(test, []);
    await assert.rejects(store.get('a'));
    await assert.rejects(store.put('b', bytes), (error) => !(error instanceof ObjectConflict));
    assert.ok(asked() <= 6, `${asked()} calls`);
  });

  const answering =
    (status: number, type: string, body: string): Answer =>
    (response) =>
      void response.writeHead(status, { 'content-type': type }).end(body);
  const page = '<html><body>default backend</body></html>';

  // A proxy in front that has lost its way to the service: callers end what misses a committed object.
  for (const [what, answer] of [
    ['without a body', answering(404, 'text/plain', '')],
    ['with a page', answering(404, 'text/html', page)],
    ['with a text', answering(404, 'text/plain', 'default backend - 404')],
    ['of another code', refuse(404, 'NoSuchHost')],
    ['of a missing bucket', refuse(404, 'NoSuchBucket')],
  ] as const)
    it(`a 404 ${what} is no absent object`, async (test) => {
      const { store } = await scripted(test, [answer, answer, answer]);
      await assert.rejects(store.get('a'));
    });

  it('only the service can say that an object is absent, by its code', async (test) => {
    const { store } = await scripted(test, [refuse(404, 'NoSuchKey'), answering(404, 'text/plain', '')]);
    assert.equal(await store.get('a'), null);
    assert.equal(await store.head('a'), null, 'an answer without a body has no code');
  });

  const listing = (members: string): Answer =>
    answering(200, 'application/xml', `<?xml version="1.0"?><ListBucketResult>${members}</ListBucketResult>`);
  const listed = (store: ObjectStore) => Array.fromAsync(store.list('p/'), ({ key }) => key);

  for (const [what, answer] of [
    ['without a body', answering(200, 'application/xml', '')],
    ['with a page', answering(200, 'text/html', page)],
  ] as const) {
    it(`a 200 ${what} is no empty listing`, async (test) => {
      const { store } = await scripted(test, [answer]);
      await assert.rejects(listed(store), /not a listing/);
    });

    it(`a 200 ${what} is no later page of a listing`, async (test) => {
      const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>';
      const { store } = await scripted(test, [
        listing(`<Name>b</Name>${more}<Contents><Key>p/1</Key></Contents>`),
        answer,
      ]);
      await assert.rejects(listed(store), /not a listing/);
    });

    it(`a 200 ${what} deletes nothing`, async (test) => {
      const { store } = await scripted(test, [answer]);
      await assert.rejects(store.delete(['p/1']), /p\/1 was not deleted/);
    });
  }

  it('an empty listing says that it is one', async (test) => {
    const { store } = await scripted(test, [listing('<Name>b</Name><IsTruncated>false</IsTruncated>')]);
    assert.deepEqual(await listed(store), []);
  });

  it('each key must be deleted, or have been absent', async (test) => {
    const results = (members: string): Answer =>
      answering(200, 'application/xml', `<?xml version="1.0"?><DeleteResult>${members}</DeleteResult>`);
    const deleted = '<Deleted><Key>p/1</Key></Deleted>';
    const error = (code: string) => `<Error><Key>p/2</Key><Code>${code}</Code><Message>scripted</Message></Error>`;
    const { store } = await scripted(
      test,
      [deleted + error('NoSuchKey'), deleted + error('AccessDenied'), deleted].map(results),
    );
    await store.delete(['p/1', 'p/2']);
    await assert.rejects(store.delete(['p/1', 'p/2']), /p\/2 was not deleted: AccessDenied/);
    await assert.rejects(store.delete(['p/1', 'p/2']), /p\/2 was not deleted/);
  });

  it('every put is conditional and carries its digest', async (test) => {
    const seen: IncomingMessage['headers'][] = [];
    const { store } = await scripted(test, [
      (response, request) => {
        seen.push(request.headers);
        accept(response, request);
      },
    ]);
    await store.put('a', bytes);
    assert.equal(seen[0]?.['if-none-match'], '*');
    assert.equal(seen[0]?.['x-amz-meta-sha256'], sha256);
    assert.equal(seen[0]?.['x-amz-checksum-sha256'], Buffer.from(sha256, 'hex').toString('base64'));
  });

  it('a service that takes a large body slowly is waited for', async (test) => {
    let puts = 0;
    const server = createServer(async (request, response) => {
      puts += 1;
      for await (const chunk of request) await delay((chunk as Buffer).length / 4_000);
      response.writeHead(200, { etag: '"x"' }).end();
    });
    const store = await storeOn(test, server);
    await store.put('a', new Uint8Array(26_000_000));
    assert.equal(puts, 1);
  });

  it('a service that stops talking in the middle of a body is left after five seconds', async (test) => {
    const stall: Answer = (response) => {
      response.writeHead(200, { 'content-length': String(bytes.length) });
      response.write(bytes.subarray(0, 5));
    };
    const { store } = await scripted(test, [stall]);
    const from = ownMs();
    await assert.rejects(store.get('a'));
    assert.ok(ownMs() - from < 8_000);
  });
});
