// Replays of recordings: their times and pace, their interruptions, and how they continue. The gateway is a list of the pushes it got;
// sleeping advances the time.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Clock } from '../../../core/ports/clock.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { type Micros, microsPerSecond } from '../../../core/units.ts';
import {
  type GatewayClient,
  GatewayRefused,
  gatewayClient,
  Interrupted,
  type PushedReceipt,
} from '../../../ops/replay/gateway-client.ts';
import { openMark } from '../../../ops/replay/mark.ts';
import { msfRoute } from '../../../ops/replay/msf-route.ts';
import { BadLine, type RecordedLine, readRecording } from '../../../ops/replay/recording.ts';
import { replay, shiftToNow, sumReceipts } from '../../../ops/replay/replay.ts';

const start = parseRfc3339('2026-08-05T20:00:00Z') as Micros;
const today = parseRfc3339('2026-11-21T12:00:00Z') as Micros;
const second = microsPerSecond;

class Sleeper implements Clock {
  time = today;
  onSleep = (): void => {};
  now(): Micros {
    return this.time;
  }
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.onSleep();
    if (signal?.aborted !== true) this.time += Math.max(1, Math.round(ms * 1_000));
  }
}

type Received = { kind: 'push' | 'tick'; stamped: Micros; at: Micros; body: string; key?: string | undefined };

/** A gateway that accepts everything and records each push with its time. */
function listener(clock: Clock): GatewayClient & { received: Received[] } {
  const received: Received[] = [];
  return {
    received,
    async push(_route, body, times) {
      const stamped = parseRfc3339(times?.observedAt ?? '') ?? 0;
      received.push({ kind: 'push', stamped, at: clock.now(), body, key: times?.idempotencyKey });
      return { receipt: `r${received.length}`, accepted: 1, duplicates: 0, rejected: 0 };
    },
    async tick(at) {
      received.push({ kind: 'tick', stamped: parseRfc3339(at) ?? 0, at: clock.now(), body: '' });
    },
    async receipt() {
      return { state: 'applied', counts: { accepted: 1, applied: 1, duplicates: 0, refused: 0 } };
    },
  };
}

/** Recorded lines at these seconds of the recording. */
async function* linesAt(...seconds: number[]): AsyncGenerator<RecordedLine> {
  for (const [index, at] of seconds.entries()) {
    const body = [{ commence_time: '2026-08-05T23:00:00Z' }];
    yield { number: index + 1, at: start + at * second, body, members: {} };
  }
}

const whole = { id: 'one', pushed: 0, routeOf: () => 'the-odds-api-v4', select: (body: unknown) => body };
const span = { first: start, last: start + 100 * second, lines: 3 };

async function play(
  clock: Sleeper,
  gateway: GatewayClient,
  lines: AsyncIterable<RecordedLine>,
  options: { speed: number; shift: Micros; id?: string; pushed?: number; interrupted?: AbortSignal },
): Promise<PushedReceipt[]> {
  const { interrupted, ...pace } = options;
  const tools = { gateway, clock, ...(interrupted === undefined ? {} : { interrupted }) };
  const receipts: PushedReceipt[] = [];
  for await (const receipt of replay(tools, lines, { ...whole, ...pace })) receipts.push(receipt);
  return receipts;
}

describe('a replay at a pace', () => {
  it('keeps the recorded times, waits between lines and ticks each second with its own time', async () => {
    const clock = new Sleeper();
    const gateway = listener(clock);
    await play(clock, gateway, linesAt(0, 10, 100), { speed: 10, shift: 0 });
    const pushes = gateway.received.filter(({ kind }) => kind === 'push');
    assert.deepEqual(
      pushes.map(({ stamped }) => (stamped - start) / second),
      [0, 10, 100],
    );
    assert.deepEqual(
      pushes.map(({ at }) => Math.round((at - today) / second)),
      [0, 1, 10],
    );
    const ticks = gateway.received
      .filter(({ kind }) => kind === 'tick')
      .map(({ stamped }) => (stamped - start) / second);
    assert.deepEqual(
      ticks.map((at) => Math.round(at)),
      [20, 30, 40, 50, 60, 70, 80, 90],
    );
  });

  for (const speed of [0.25, 0.5, 1, 3, 600, Number.POSITIVE_INFINITY]) {
    it(`moved to now at speed ${speed} tells no time that has not come, and ends at now or in slow motion behind it`, async () => {
      const clock = new Sleeper();
      const gateway = listener(clock);
      const shift = shiftToNow(span, speed, clock.now());
      await play(clock, gateway, linesAt(0, 40, 100), { speed, shift });
      for (const { stamped, at } of gateway.received) assert.ok(stamped <= at, `${stamped - at} micros ahead`);
      if (speed >= 1) assert.ok(clock.now() - (gateway.received.at(-1)?.stamped ?? 0) < second, 'ends at now');
    });
  }

  it('moves every time in a body with it', async () => {
    const clock = new Sleeper();
    const gateway = listener(clock);
    await play(clock, gateway, linesAt(0), { speed: 1, shift: 3_600 * second });
    assert.equal(gateway.received[0]?.body, '[{"commence_time":"2026-08-06T00:00:00.000000Z"}]');
  });

  it('stops in the middle of a wait when it is interrupted', async () => {
    const clock = new Sleeper();
    const gateway = listener(clock);
    const stop = new AbortController();
    clock.onSleep = () => stop.abort();
    const playing = play(clock, gateway, linesAt(0, 50), { speed: 1, shift: 0, interrupted: stop.signal });
    await assert.rejects(playing, Interrupted);
    assert.equal(gateway.received.length, 1);
  });
});

describe('the Idempotency-Key of a replayed line', () => {
  const keysOf = async (lines: AsyncIterable<RecordedLine>, options: { id?: string; pushed?: number } = {}) => {
    const gateway = listener(new Sleeper());
    await play(new Sleeper(), gateway, lines, { speed: Number.POSITIVE_INFINITY, shift: 0, ...options });
    return gateway.received.map(({ key }) => key);
  };

  it('is its own, also where two lines say the same', async () => {
    const keys = await keysOf(linesAt(0, 0, 0));
    assert.equal(new Set(keys).size, 3);
    for (const key of keys) assert.match(key ?? '', /^[\x21-\x7e]{1,255}$/);
  });

  it('is the same where an interrupted replay pushes the line again, and not where another one does', async () => {
    const [, second] = await keysOf(linesAt(0, 10));
    assert.deepEqual(await keysOf(linesAt(10), { pushed: 1 }), [second]);
    assert.notDeepEqual(await keysOf(linesAt(10), { pushed: 1, id: 'two' }), [second]);
  });

  it('is another one where the line was changed meanwhile', async () => {
    async function* changed(): AsyncGenerator<RecordedLine> {
      for await (const line of linesAt(10)) yield { ...line, body: [] };
    }
    const [, second] = await keysOf(linesAt(0, 10));
    assert.notDeepEqual(await keysOf(changed(), { pushed: 1 }), [second]);
  });
});

describe('the mark of an interrupted replay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sds-mark-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const answer = (receipt: string | null): PushedReceipt => ({ receipt, accepted: 1, duplicates: 0, rejected: 0 });

  it('keeps the answers and what the replay is called, and moves times by what they were moved by at first', () => {
    const file = join(folder, 'a', 'mark.ndjson');
    let id = '';
    {
      using first = openMark(file, () => 7);
      first.add(answer('r1'));
      first.add(answer(null));
      id = first.id;
    }
    {
      using again = openMark(file, () => 1_000_000);
      assert.equal(again.shift, 7);
      assert.equal(again.id, id);
      assert.deepEqual(again.receipts, [answer('r1'), answer(null)]);
      again.remove();
    }
    assert.ok(!existsSync(file));
    using third = openMark(file, () => 9);
    assert.equal(third.shift, 9);
    assert.notEqual(third.id, id);
  });

  it('is that of one replay at a time', () => {
    const file = join(folder, 'one.ndjson');
    {
      using first = openMark(file, () => 7);
      first.add(answer('r1'));
      assert.throws(() => openMark(file, () => 7), {
        exitCode: 3,
        message: /^another feed replay .*nothing was done$/,
      });
      first.add(answer('r2'));
    }
    using again = openMark(file, () => 7);
    assert.deepEqual(again.receipts, [answer('r1'), answer('r2')]);
  });

  it('takes a torn last line for one that was not pushed', () => {
    const file = join(folder, 'torn.ndjson');
    {
      using mark = openMark(file, () => 0);
      mark.add(answer('r1'));
    }
    appendFileSync(file, '{"receipt":"r2","acc');
    {
      using again = openMark(file, () => 0);
      assert.deepEqual(again.receipts, [answer('r1')]);
      again.add(answer('r2'));
    }
    using last = openMark(file, () => 0);
    assert.equal(last.receipts.length, 2);
  });
});

describe('receipts at the end', () => {
  it('are waited for and added up; of an expired one only what its push said is known', async () => {
    const clock = new Sleeper();
    let asked = 0;
    const gateway: GatewayClient = {
      ...listener(clock),
      async receipt(id) {
        if (id === 'expired') return null;
        asked += 1;
        const state = asked < 3 ? 'logged' : 'applied';
        return { state, counts: { accepted: 4, applied: 3, duplicates: 0, refused: 1 } };
      },
    };
    const receipts = [
      { receipt: 'r1', accepted: 4, duplicates: 0, rejected: 2 },
      { receipt: null, accepted: 0, duplicates: 0, rejected: 5 },
      { receipt: 'expired', accepted: 6, duplicates: 0, rejected: 0 },
    ];
    const summary = await sumReceipts({ gateway, clock }, receipts, () => {});
    assert.deepEqual(summary, { pushes: 3, accepted: 10, applied: 3, duplicates: 0, refused: 1, rejected: 7 });
  });
});

describe('the client of the gateway', () => {
  const answers: { status: number; body: string; after?: string }[] = [];
  const keys: (string | string[] | undefined)[] = [];
  const server = createServer((request, response) => {
    request.resume();
    keys.push(request.headers['idempotency-key']);
    const { status, body, after } = answers.shift() ?? { status: 503, body: '{}' };
    const wait = after === undefined ? {} : { 'retry-after': after };
    response.writeHead(status, { 'content-type': 'application/json', ...wait }).end(body);
  });
  let gateway: GatewayClient;
  let clock: Sleeper;
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    clock = new Sleeper();
    gateway = gatewayClient({ url, key: 'k', source: 's' }, clock);
  });
  afterAll(() => server.close());

  it('tries again what cannot be accepted now', async () => {
    answers.push({ status: 503, body: '{}' }, { status: 429, body: 'busy' });
    answers.push({ status: 202, body: '{"receipt":"r","accepted":2,"duplicates":0,"rejected":[{}]}' });
    assert.deepEqual(await gateway.push('quotes', '[]'), {
      receipt: 'r',
      accepted: 2,
      duplicates: 0,
      rejected: 1,
    });
  });

  it('tries again under the same key', async () => {
    keys.length = 0;
    answers.push({ status: 503, body: '{}' });
    answers.push({ status: 202, body: '{"receipt":"r","accepted":2,"duplicates":0,"rejected":[]}' });
    await gateway.push('quotes', '[]', { idempotencyKey: 'k-1' });
    assert.deepEqual(keys, ['k-1', 'k-1']);
  });

  it('waits as long as the gateway says, any number of times, and loses nothing', async () => {
    const began = clock.now();
    for (const after of ['7', '45', '30']) answers.push({ status: 429, body: '{}', after });
    answers.push({ status: 202, body: '{"receipt":"r","accepted":2,"duplicates":0,"rejected":[]}' });
    assert.equal((await gateway.push('quotes', '[]')).accepted, 2);
    assert.ok(clock.now() - began >= 82 * second, `${(clock.now() - began) / second} s`);
  });

  it('gives up, and says why, where it would have to wait for the next day', async () => {
    answers.push({ status: 429, body: '{"title":"Too many","detail":"the quota of the day is used"}', after: '40000' });
    await assert.rejects(
      gateway.push('quotes', '[]'),
      /429 Too many: the quota of the day is used; not before 40000 s$/,
    );
  });

  it('counts a body whose records are all refused, and goes on', async () => {
    answers.push({ status: 400, body: '{"title":"no","status":400,"rejected":[{},{}]}' });
    assert.deepEqual(await gateway.push('quotes', '[]'), {
      receipt: null,
      accepted: 0,
      duplicates: 0,
      rejected: 2,
    });
  });

  it('gives up at any other refusal, with its title and detail', async () => {
    answers.push({ status: 403, body: '{"title":"Forbidden","detail":"not yours"}' });
    await assert.rejects(gateway.push('quotes', '[]'), (error: unknown) => {
      assert.ok(error instanceof GatewayRefused);
      assert.match(error.message, /403 Forbidden: not yours$/);
      return true;
    });
  });

  it('knows no expired receipt', async () => {
    answers.push({ status: 404, body: '{}' });
    assert.equal(await gateway.receipt('r'), null);
  });

  it('gives up after a minute without an answer, and at once when it is interrupted', async () => {
    const began = clock.now();
    await assert.rejects(gateway.tick('2026-01-01T00:00:00Z'), /does not answer: 503/);
    assert.ok(clock.now() - began >= 60 * second);
    const stop = new AbortController();
    clock.onSleep = () => stop.abort();
    const impatient = gatewayClient({ url, key: 'k', source: 's' }, clock, stop.signal);
    await assert.rejects(impatient.tick('2026-01-01T00:00:00Z'), Interrupted);
  });
});

describe('a recording', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sds-recording-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const text = [
    '{"committed_at":"2026-08-05T20:00:00Z","data":[{"price":1.10}]}',
    '',
    '{"at":"2026-08-05T20:00:01Z","events":[]}',
  ].join('\n');

  async function read(name: string, bytes: string | Uint8Array): Promise<RecordedLine[]> {
    const file = join(folder, name);
    writeFileSync(file, bytes);
    return Array.fromAsync(readRecording(file));
  }

  it('reads alike plain and compressed, with line numbers of the file', async () => {
    const plain = await read('a.ndjson', text);
    assert.deepEqual(
      plain.map(({ number }) => number),
      [1, 3],
    );
    assert.deepEqual(await read('a.ndjson.gz', gzipSync(text)), plain);
    assert.deepEqual(await read('a.ndjson.zst', zstdCompressSync(text)), plain);
  });

  it('reads to the last frame and the last member, wherever they begin', async () => {
    const lines = Array.from({ length: 5_000 }, (_, n) => `{"at":"2026-08-05T20:00:00Z","body":${n}}\n`);
    const bodies = async (name: string, bytes: Uint8Array) =>
      (await read(name, bytes)).map(({ body }) => Number(body)).join();
    const plain = lines.map((_, n) => n).join();
    for (const size of [1, 7, 5_000]) {
      const pieces = lines.flatMap((_, n) => (n % size === 0 ? [lines.slice(n, n + size).join('')] : []));
      if (size > 1)
        assert.ok((await bodies('b.ndjson.gz', Buffer.concat(pieces.map((each) => gzipSync(each))))) === plain);
      const frames = pieces.map((each) => zstdCompressSync(each));
      const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9]);
      assert.ok((await bodies('b.ndjson.zst', Buffer.concat([skippable, ...frames, skippable]))) === plain);
    }
  });

  it('with bytes behind its last frame or member is refused, as is one whose last frame is incomplete', async () => {
    const [zstd, gzip] = [zstdCompressSync(`${text}\n`), gzipSync(`${text}\n`)];
    const garbage = Buffer.from('garbage');
    const refusals: [string, Uint8Array, RegExp][] = [
      ['d.zst', Buffer.concat([zstd, garbage]), new RegExp(`no zstd frame begins at byte ${zstd.length}$`)],
      ['e.zst', Buffer.concat([zstd, zstd.subarray(0, -1)]), /the last zstd frame is incomplete/],
      ['f.zst', Buffer.concat([zstd, zstd.subarray(0, 2)]), /the last zstd frame is incomplete/],
      ['d.gz', Buffer.concat([gzip, garbage]), /incorrect header check$/],
      ['e.gz', Buffer.concat([gzip, Buffer.alloc(100_000)]), new RegExp(`gzip member, from byte ${gzip.length}$`)],
    ];
    for (const [name, bytes, said] of refusals)
      await assert.rejects(read(name, bytes), (error) => error instanceof BadLine && said.test(error.message), name);
  });

  it('of MySportsFeeds is bodies as received, or lines that say where theirs go', async () => {
    const lines = [
      '{"lastUpdatedOn":"2026-08-05T20:00:00.500Z","plays":[]}',
      '{"at":"2026-08-05T20:00:01Z","league":"nfl","season":"2024-2025-regular","feed":"lineup","game":134312,"body":{}}',
    ];
    const [received, stamped] = (await read('m.ndjson', lines.join('\n'))) as [RecordedLine, RecordedLine];
    assert.deepEqual(
      [received.at - start, Object.keys(received.body as object)],
      [500_000, ['lastUpdatedOn', 'plays']],
    );
    const defaults = { league: 'NBA', season: '2017-2018-regular', feed: 'playbyplay' };
    assert.equal(msfRoute(defaults, received), 'msf/NBA/2017-2018-regular/playbyplay');
    assert.equal(msfRoute(defaults, stamped), 'msf/NFL/2024-2025-regular/lineup?game=134312');
    const refusals: [Partial<typeof defaults>, RegExp][] = [
      [{ season: undefined as never }, /line 1: its season is missing: .* or give --season$/],
      [{ league: 'XFL' }, /line 1: no league XFL; use one of/],
      [{ feed: 'weather' }, /line 1: no feed weather; use one of/],
    ];
    for (const [change, said] of refusals) assert.throws(() => msfRoute({ ...defaults, ...change }, received), said);
  });

  it('that is torn or no recording says which file and where', async () => {
    const whole = gzipSync(Buffer.from(`${text}\n`.repeat(5_000)), { level: 0 });
    await assert.rejects(read('torn.gz', whole.subarray(0, whole.length / 2)), (error: unknown) => {
      assert.ok(error instanceof BadLine);
      assert.match(error.message, /torn\.gz, after line \d+: unexpected end of file$/);
      return true;
    });
    await assert.rejects(read('no.gz', 'hello'), /no\.gz, after line 0: incorrect header check/);
    await assert.rejects(read('b.ndjson', '{"data":[]}'), /b\.ndjson, line 1: no RFC 3339 time/);
    await assert.rejects(read('c.ndjson', `${text}\n{"at":"2026-08-05T20:00:00Z"}`), /c\.ndjson, line 4: no body/);
  });
});
