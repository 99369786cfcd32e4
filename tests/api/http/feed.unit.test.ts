// Bodies that are written as news comes up, on a real connection.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { it } from 'vitest';
import { writeFeed } from '../../../api/http/feed.ts';
import { until } from '../../support/services/until.ts';

/** A feed of given texts, and what happens to it. */
class Texts {
  readonly left: (string | null)[] = [];
  taken = 0;
  released = 0;
  readonly failures: unknown[] = [];
  #wake = () => {};

  push(...texts: (string | null)[]): void {
    this.left.push(...texts);
    this.#wake();
  }

  take(): string | null {
    const text = this.left.shift();
    if (text === 'fault') throw new Error('planned');
    if (text === undefined) return '';
    this.taken += 1;
    return text;
  }

  whenNews(wake: () => void): void {
    this.#wake = wake;
  }

  release(): void {
    this.released += 1;
  }
}

type Scene = { texts: Texts; response: ServerResponse; socket: Socket; said(): string };

/** `whenGone`: the feed is written only once its reader is gone. */
async function served(scene: (served: Scene) => Promise<void>, whenGone = false): Promise<void> {
  const texts = new Texts();
  const asked = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => {
    const write = () => writeFeed(response, texts, (error) => texts.failures.push(error));
    response.writeHead(200, ['X-Long', 'x'.repeat(1_000), 'Content-Type', 'text/plain']);
    if (whenGone) response.on('close', () => setImmediate(write));
    else write();
    asked.resolve(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let said = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  try {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await scene({ texts, response: await asked.promise, socket, said: () => said });
  } finally {
    socket.destroy();
    server.close();
  }
}

it('a feed is written as it comes up, to its end; its head is freed once it was sent', () =>
  served(async ({ texts, response, said }) => {
    await until('the head is there', () => said().includes('X-Long'), { everyMs: 5 });
    texts.push('first ');
    await until('the first text is there', () => said().includes('first'), { everyMs: 5 });
    const kept = (response as unknown as { _header: string })._header;
    assert.ok(kept.length < 10, `${kept.length} characters of the head are kept`);
    assert.equal(texts.released, 0);
    texts.push('second', null);
    await until('the end is there', () => said().endsWith('0\r\n\r\n'), { everyMs: 5 });
    assert.match(said(), /transfer-encoding: chunked.*first .*second/is);
    assert.ok(texts.released > 0);
  }));

it('a reader that takes nothing holds few texts, and gets them all once it reads', () =>
  served(async ({ texts, socket, said }) => {
    socket.pause();
    const all = Array.from({ length: 400 }, (_, nth) => `<${nth}>`.padEnd(65_536, '.'));
    texts.push(...all);
    // The kernel and Node take a few megabytes; without a limit all 26 MB would be taken at once.
    assert.ok(texts.taken < 10, `${texts.taken} at once`);
    socket.resume();
    await until('all are there', () => said().includes('<399>'), { everyMs: 5 });
    const numbers = [...said().matchAll(/<(\d+)>/g)].map(([, nth]) => Number(nth));
    assert.deepEqual(
      numbers,
      all.map((_, nth) => nth),
    );
  }));

it('a feed is released when its reader goes, and takes nothing more', () =>
  served(async ({ texts, socket }) => {
    texts.push('first');
    socket.destroy();
    await until('it is released', () => texts.released > 0, { everyMs: 5 });
    texts.push('second');
    assert.equal(texts.taken, 1);
  }));

it('a feed is released when its reader went before it began', () =>
  served(async ({ texts, socket }) => {
    texts.push('first');
    socket.destroy();
    await until('it is released', () => texts.released > 0, { everyMs: 5 });
    assert.equal(texts.taken, 0);
  }, true));

it('what a feed throws is reported', () =>
  served(async ({ texts }) => {
    texts.push('fault');
    assert.match(String(texts.failures), /planned/);
  }));
