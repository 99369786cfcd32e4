// The room for bodies under way at the gateway: however much of it one or several keys hold, other keys get in; a body that stalls is
// ended; and the gateway does not wait for the body of a request whose key it has refused.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, it } from 'vitest';
import { type Fields, type Log, silentLog } from '../../../core/ports/telemetry.ts';
import { answerIn, event, kindOf, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';
import { ownDelay, undisturbed } from '../../support/processes/own-time.ts';
import { until } from '../../support/services/until.ts';

const mebibyte = 1024 * 1024;
let gateway: TestGateway;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway?.close();
});

const headOf = (key: string, length: number): string =>
  `POST /v1/sources/feed/quotes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

type Upload = { socket: Socket; text: () => string };

/** Sends `sent` of `length` announced bytes and keeps the connection open. */
async function upload(key: string, length: number, sent: number): Promise<Upload> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(headOf(key, length));
  if (sent > 0) await new Promise<void>((done) => socket.write(Buffer.alloc(sent, 0x20), () => done()));
  return { socket, text: () => text };
}

const stall = (key: string): Promise<Upload> => upload(key, 8 * mebibyte, 8 * mebibyte - 1);

describe('the room for bodies under way', () => {
  for (const hostile of [1, 5])
    it(`${hostile} keys with four sockets, each with all but one byte of 8 MiB, keep no other key out`, async () => {
      // Stalled uploads are not ended here: other keys have room all the same.
      gateway = await startGateway({ timeouts: { stretchMs: 60_000, requestMs: 60_000 } });
      const keys = Array.from({ length: hostile }, () => gateway.mint(['*'], ['push']).plaintext);
      const stalled = await Promise.all(keys.flatMap((key) => [1, 2, 3, 4].map(() => stall(key))));
      const padded = JSON.stringify({ events: [event()] }) + ' '.repeat(3 * mebibyte);
      for (let round = 0; round < 10; round += 1) {
        const answers = await Promise.all([gateway.push({ events: [event()] }), gateway.push(padded)]);
        assert.deepEqual(
          answers.map(({ status }) => status),
          [202, 202],
        );
      }
      // The gateway keeps no more hostile bodies than fit, and each refusal says why.
      const refused = stalled.filter(({ text }) => text() !== '');
      assert.ok(refused.length >= 4 * hostile - 3, `${refused.length} refused`);
      for (const { text } of refused) assert.equal(answerIn(text()).status, 429);
    });

  it('is not held by one key with all the pushes that there is room for', async () => {
    gateway = await startGateway({ room: { pushes: 8, bytes: 32 * mebibyte } });
    const keys = [1, 2, 3].map(() => gateway.mint(['*'], ['push']).plaintext);
    const held = await Promise.all(keys.flatMap((key) => Array.from({ length: 8 }, () => upload(key, 1_000, 1))));
    for (let round = 0; round < 5; round += 1) assert.equal((await gateway.push({ events: [] })).status, 202);
    assert.ok(
      held.some(({ text }) => text() === ''),
      'what others have no need of is held',
    );
  });

  it('ends a body that comes too slowly, with 408, and takes its place back', async () => {
    gateway = await startGateway({ timeouts: { stretchMs: 200 }, room: { pushes: 2, bytes: 32 * mebibyte } });
    const { text, socket } = await upload(gateway.key, 8 * mebibyte, mebibyte);
    const drip = setInterval(() => socket.writable && socket.write(' '), 20);
    await until('it is answered', () => text() !== '');
    clearInterval(drip);
    const { status, body } = answerIn(text());
    assert.deepEqual([status, kindOf(body)], [408, 'malformed-request']);
    assert.match(String(body.detail), /more slowly than 16384 bytes a second/);
    assert.equal((await gateway.push({ events: [] })).status, 202);
  });

  it('ends no body that comes fast enough, however long it takes', async () => {
    gateway = await startGateway({ timeouts: { stretchMs: 200 } });
    const body = JSON.stringify({ events: [event()] });
    const answer = await undisturbed(async () => {
      const { text, socket } = await upload(gateway.key, 64 * 1024 + body.length, 0);
      for (let part = 0; part < 16; part += 1) {
        socket.write(' '.repeat(4_096));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      socket.write(body);
      await until('it is answered', () => text() !== '');
      return text();
    });
    assert.match(answer, /^HTTP\/1\.1 202 /);
  });
});

describe('what is left of a refused body', () => {
  it('behind a refused key is not read for long: the answer reaches who is still writing, and the connection ends', async () => {
    gateway = await startGateway();
    const { text, socket } = await upload('svc_feed_none', 8 * mebibyte, 0);
    let taken = 0;
    const more = (): void => {
      while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024), () => (taken += 64 * 1024)));
    };
    socket.on('drain', more);
    more();
    await new Promise((closed) => socket.once('close', closed));
    assert.equal(answerIn(text()).status, 401);
    // The gateway does not read what the kernel buffers at both ends.
    assert.ok(taken < 8 * mebibyte, `${taken} bytes`);
  });
});

describe('a sender that goes away', () => {
  it('is a line with a count, and no error', async () => {
    const lines: [message: string, fields: Fields | undefined][] = [];
    const log: Log = {
      ...silentLog,
      info: (message, fields) => void lines.push([message, fields]),
      error: (message) => void lines.push([message, undefined]),
    };
    gateway = await startGateway({ log });
    const { socket } = await upload(gateway.key, 100_000, 70_000);
    // In this time the gateway reads everything the kernel has.
    await ownDelay(100);
    socket.resetAndDestroy();
    await until('it is told', () => lines.length > 0);
    const [[message = null, { request_id, ...fields } = {}] = []] = lines;
    assert.deepEqual([lines.length, message, fields], [1, 'upload given up by its sender', { bytes: 70_000 }]);
    assert.equal(typeof request_id, 'string');
  });
});
