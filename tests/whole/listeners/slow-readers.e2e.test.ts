// Claim: a connection whose reader takes nothing of what it is sent is cut within 12 seconds by both listeners as they are set by default, whatever
// it asked for, and others are answered meanwhile; a reader on a slow line, which takes little but takes it, has its file to the last byte
// (SECURITY.md, S15). A violation would need an answer that waits without being watched, or a line that looks dead because the kernel
// holds what is on its way.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, it, onTestFinished } from 'vitest';
import type { ApiLimits } from '../../../api/compose/resource-limits.ts';
import type { ObjectKey } from '../../../core/ports/object-store.ts';
import { cutSlowReaders } from '../../../platform/process/slow-readers.ts';
import { uuidOf } from '../../support/fakes/api-fakes.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { startApi, type TestApi } from '../../support/http/api-http.ts';
import { openEvents } from '../../support/http/event-client.ts';
import { event, startGateway } from '../../support/http/gateway-http.ts';
import { ownMs } from '../../support/processes/own-time.ts';
import { needProgram } from '../../support/services/installed.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const slowReader = fileURLToPath(new URL('../../support/http/slow_reader.py', import.meta.url));
const mostMs = 12_000;
/** The default limits at a fifth of their times. Shorter still, a connection whose bytes are on the way would be closed. */
const pace = { nothingMs: 1_800, stretchMs: 6_000, stretchBytes: 256 * 1024, mostGapMs: 400 };
const game = { uuid: uuidOf('settled'), gameId: 'NFL_DET_PHI_20260805', league: 'NFL' };
const [large, kept] = ['sportsbook-lines', 'closing-lines'];
const pathOf = (dataset: string) => `/v1/games/${game.gameId}/${dataset}`;

type Watched = { cut: (server: Server) => void; waitedMs: Map<number, number> };

/**
 * Cuts slow readers as the service does. Records for each connection, by its client's port, how long it had waited for
 * its reader when it ended, in own time: while a busy machine keeps this process from running, neither the wait nor the
 * cut advances.
 */
function watched(watch: (server: Server) => void = cutSlowReaders): Watched {
  const waitedMs = new Map<number, number>();
  return {
    waitedMs,
    cut(server) {
      watch(server);
      server.on('connection', (socket: Socket) => {
        const port = socket.remotePort ?? 0;
        let [written, since] = [0, ownMs()];
        const look = setInterval(() => {
          if (socket.bytesWritten === written) return;
          [written, since] = [socket.bytesWritten, ownMs()];
        }, 50);
        socket.once('close', () => {
          clearInterval(look);
          // A later connection may have the same port.
          if (!waitedMs.has(port)) waitedMs.set(port, ownMs() - since);
        });
      });
    },
  };
}

/** An API with a file of these bytes. A file above 4 MiB is sent in pieces. */
async function startApiWith(
  files: Readonly<Record<string, Buffer>>,
  cut: (server: Server) => void,
  limits: Partial<ApiLimits> = {},
): Promise<TestApi> {
  const objects = openMemoryStore();
  const api = await startApi({ objects, cutSlowReaders: cut, limits });
  api.catalog.addGame(game);
  for (const [dataset, bytes] of Object.entries(files)) {
    const key = `finals/${dataset}` as ObjectKey;
    await objects.put(key, bytes);
    const file = { key, offset: 0, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    await api.catalog.land(game.uuid, [{ dataset, version: 1, rows: 1, file, reason: 'settled' } as never]);
  }
  return api;
}

function open(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on('error', () => {}).pause();
    socket.write(text);
  });
}

describe('a reader that takes nothing', () => {
  it('is cut within 12 seconds, whatever it asked for, and others are answered meanwhile', async () => {
    const [ofApi, ofGateway] = [watched(), watched()];
    const files = { [large]: Buffer.alloc(24 * 1024 * 1024, 7), [kept]: Buffer.alloc(3 * 1024 * 1024, 7) };
    const api = await startApiWith(files, ofApi.cut);
    const gateway = await startGateway({ cutSlowReaders: ofGateway.cut });
    onTestFinished(async () => {
      await Promise.all([api.close(), gateway.close()]);
    });
    const ask = (method: string, path: string) =>
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n\r\n`;
    const kinds: readonly (readonly [string, string, string, number])[] = [
      ['a large file', api.url, ask('GET', pathOf(large)), 12],
      ['a file that is kept, many times', api.url, ask('GET', pathOf(kept)).repeat(4), 6],
      ['a document, many times', api.url, ask('GET', '/v1/openapi.json').repeat(40), 3],
      ['heads alone, many times', api.url, ask('HEAD', '/v1/openapi.json').repeat(10_000), 1],
      ['a document of the gateway, many times', gateway.url, ask('GET', '/v1/openapi.json').repeat(100), 3],
    ];
    assert.equal((await api.get(pathOf(large), { headers: { range: 'bytes=0-0' } })).status, 206);
    ofApi.waitedMs.clear();
    const readers: { what: string; port: number; waitedMs: Watched['waitedMs']; socket: Socket }[] = [];
    for (const [what, url, text, count] of kinds)
      for (let one = 0; one < count; one += 1) {
        const { waitedMs } = url === api.url ? ofApi : ofGateway;
        const socket = await open(url, text);
        readers.push({ what, port: socket.localPort ?? 0, waitedMs, socket });
      }
    let served = 0;
    const giveUpAt = ownMs() + 60_000;
    while (readers.some(({ port, waitedMs }) => !waitedMs.has(port)) && ownMs() < giveUpAt) {
      assert.equal((await api.get('/v1/leagues')).status, 200);
      assert.equal((await gateway.push({ events: [event()] })).status, 202);
      served += 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const { what, port, waitedMs, socket } of readers) {
      socket.destroy();
      const ms = waitedMs.get(port) ?? Number.POSITIVE_INFINITY;
      assert.ok(ms <= mostMs, `${what}: ${ms.toFixed(0)} ms`);
    }
    assert.ok(served > 50, `${served} served`);
  });
});

describe('a reader of events that takes nothing', () => {
  it('is cut, and holds few texts until then, while another has every head', async () => {
    const held = new Map<number, number>();
    const cut = new Set<number>();
    const watch = (server: Server) => {
      cutSlowReaders(server, pace, 200);
      server.on('connection', (socket: Socket) => {
        const port = socket.remotePort ?? 0;
        const look = setInterval(() => held.set(port, Math.max(held.get(port) ?? 0, socket.writableLength)), 20);
        socket.once('close', () => {
          clearInterval(look);
          cut.add(port);
        });
      });
    };
    const api = await startApi({ cutSlowReaders: watch });
    const games = Array.from({ length: 400 }, (_, number) => `MLB_STL_NYY_20260805_${number + 2}`);
    const logs = games.map((gameId) => api.log(gameId));
    const events = '/v1/events?league=MLB';
    const reader = await openEvents(api.url, events, api.key);
    const socket = await open(api.url, `GET ${events} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n\r\n`);
    const port = socket.localPort ?? 0;
    try {
      let rounds = 0;
      for (const giveUpAt = ownMs() + 60_000; !cut.has(port) && ownMs() < giveUpAt; rounds += 1) {
        await Promise.all(logs.map((log) => log.append(0)));
        await reader.until(() => reader.events.length >= games.length);
        const heads = reader.events.splice(0).map(({ data }) => data.game_id);
        assert.deepEqual(heads.toSorted(), games.toSorted());
      }
      assert.deepEqual([...cut], [port], `after ${rounds} rounds`);
      assert.ok(rounds > 10, `${rounds} rounds`);
      const texts = held.get(port) ?? 0;
      // What Node takes before it asks the writer to wait, and one text more.
      assert.ok(texts > 0 && texts < 128 * 1024, `${texts} bytes`);
    } finally {
      socket.destroy();
      reader.close();
      await api.close();
    }
  });
});

describe(
  'a reader on a slow line',
  skipFor(process.platform !== 'linux' && 'only Linux tells what a reader took'),
  () => {
    const bytes = Buffer.alloc(16 * 1024 * 1024);
    for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32LE(at, at);

    /** What a reader receives that takes `perSecond` bytes a second for `seconds`, and then everything that is left. */
    async function readSlowly(perSecond: number, seconds: number): Promise<Buffer> {
      const { cut } = watched((server) => cutSlowReaders(server, pace, 200));
      const api = await startApiWith({ [large]: bytes }, cut, { connectionTimeoutMs: 1_000 });
      try {
        const { hostname, port } = new URL(api.url);
        const reader = spawn(needProgram('python3'), [slowReader, hostname, port, String(perSecond), String(seconds)], {
          stdio: ['pipe', 'pipe', 'inherit'],
        });
        reader.stdin.end(
          `GET ${pathOf(large)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\nConnection: close\r\n\r\n`,
        );
        return await buffer(reader.stdout);
      } finally {
        await api.close();
      }
    }

    it('that takes little, but takes it, has its file to the last byte', async () => {
      const came = await readSlowly(160_000, 7);
      const body = came.subarray(came.indexOf('\r\n\r\n') + 4);
      assert.equal(body.length, bytes.length);
      assert.ok(body.equals(bytes));
    });

    it('that takes too little of it is cut, and its answer is no whole one', async () => {
      const came = await readSlowly(1_000, 10);
      assert.ok(came.length < bytes.length, `${came.length} bytes`);
    });
  },
);
