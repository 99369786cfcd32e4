// Large bodies that are refused or empty: compression bombs, endless texts, lists of nothing.
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { largestBodyBytes } from '../../../ingest/gateway/receive-body.ts';
import { filled, type LargeBody, listed, msf, ndjson, oddsApi, quotes, reference } from './large-bodies.ts';
import { gameObject } from './msf-bodies.ts';

const mebibyte = 1024 * 1024;

export const hostileBodies: readonly LargeBody[] = [
  {
    name: 'one text, in no list',
    path: quotes,
    make: () => filled('{"x":"', 'a', '","events":[]}'),
    statuses: [202, 400, 413],
  },
  {
    name: 'one text of escapes',
    path: quotes,
    make: () => filled('{"x":"', '\\u20ac', '","events":[]}'),
    statuses: [202, 400, 413],
  },
  {
    name: 'one text, as an element',
    path: quotes,
    make: () => filled('{"events":["', 'a', '"]}'),
    statuses: [400, 413],
  },
  {
    name: 'one text of escapes, as an element',
    path: oddsApi,
    make: () => filled('["', '\\u20ac', '"]'),
    statuses: [400, 413],
  },
  { name: 'one number', path: quotes, make: () => filled('{"events":[', '1', ']}'), statuses: [400, 413] },
  {
    name: 'one number in no list',
    path: quotes,
    make: () => filled('{"x":', '1', ',"events":[]}'),
    statuses: [202, 400, 413],
  },
  { name: 'one name', path: quotes, make: () => filled('{"', 'a', '":1,"events":[]}'), statuses: [202, 400, 413] },
  {
    name: 'one text that does not end',
    path: quotes,
    make: () => filled('{"events":["', 'a', ''),
    statuses: [400, 413],
  },
  {
    name: 'one text of letters beyond Latin',
    path: quotes,
    make: () => new Uint8Array(Buffer.from(`{"x":"${'€'.repeat(2.7e6)}","events":[]}`)),
    statuses: [202, 400, 413],
  },
  {
    name: 'texts of 60,000 bytes, in no list',
    path: quotes,
    make: () => filled('{"events":[]', `,"x":"${'a'.repeat(60_000)}"`, '}'),
    statuses: [202, 400, 413],
  },
  {
    name: 'one text of MSF',
    path: msf('players'),
    make: () => filled('{"x":"', 'a', '","players":[]}'),
    statuses: [202, 400, 413],
  },
  {
    name: 'one text beside games of MSF',
    path: msf('games'),
    make: () => {
      const game = (id: number) => JSON.stringify({ schedule: gameObject({ id }), score: {} });
      const games = Array.from({ length: 5_000 }, (_, id) => game(id)).join();
      return filled('{"x":"', 'a', `","games":[${games}]}`);
    },
    statuses: [400],
  },
  {
    name: 'lists of no form in lines of MSF',
    path: msf('odds_gamelines'),
    make: () => {
      const game = {
        id: 7,
        startTime: '2025-11-17T01:20:00Z',
        awayTeamAbbreviation: 'DET',
        homeTeamAbbreviation: 'PHI',
      };
      const before = `{"gameLines":[{"game":${JSON.stringify(game)},"lines":[{"source":{"name":"A"}`;
      const lists = Array.from({ length: 900 }, (_, at) => `,"a${at}":[${'0,'.repeat(500)}0]`).join('');
      return Buffer.from(`${before}${lists}}]}]}`);
    },
    statuses: [400],
  },
  {
    name: 'half a million objects in a body of MSF',
    path: msf('playbyplay'),
    make: () => besidePlays(`{"y":[${'{"a":0},'.repeat(5e5)}0]}`),
    statuses: [202],
  },
  {
    name: 'half a million lists in a body of MSF',
    path: msf('playbyplay'),
    make: () => besidePlays(`{"y":[${'[0],'.repeat(5e5)}0]}`),
    statuses: [202],
  },
  {
    name: 'half a million names in a body of MSF',
    path: msf('boxscore'),
    make: () => {
      const names = Array.from({ length: 500_000 }, (_, at) => `"${at.toString(36)}":0`);
      const stats = `{"away":{"players":[]},"home":{"players":[]},"x":{${names.join()}}}`;
      return Buffer.from(`{"game":${JSON.stringify(gameObject())},"stats":${stats}}`);
    },
    statuses: [202],
  },
  {
    name: '50,000 lines of a game that does not exist',
    path: quotes,
    headers: ndjson,
    make: () =>
      Buffer.from(
        Array.from({ length: 50_000 }, (_, at) =>
          JSON.stringify({ kind: 'heartbeat', operator: `b${at % 300}`, game: { game_id: 'g' } }),
        ).join('\n'),
      ),
    statuses: [413],
  },
  {
    name: 'one text of a reference',
    path: reference,
    make: () => filled('{"teams":[{"x":"', 'a', '"}]}'),
    statuses: [202, 400, 413],
  },
  {
    name: 'one text in a line',
    path: quotes,
    headers: ndjson,
    make: () => filled('{"x":"', 'a', '"}'),
    statuses: [400, 413],
  },
  {
    name: 'one text in a tick',
    path: '/v1/sources/feed/ticks',
    make: () => filled('{"x":"', 'a', '"}'),
    statuses: [400, 413],
  },
  {
    name: 'one text under a key',
    path: quotes,
    headers: { 'idempotency-key': 'k' },
    make: () => filled('{"x":"', 'a', '","events":[]}'),
    statuses: [202, 400, 413],
  },
  {
    name: 'depth 100,000',
    path: quotes,
    make: () => listed(`{"events":[${'['.repeat(1e5)}${']'.repeat(1e5)}`, () => '', ']}', 3e5, 1),
    statuses: [400, 413],
  },
  {
    name: 'depth 500,000, in no list',
    path: quotes,
    make: () => Buffer.from(`{"x":${'['.repeat(5e5)}${']'.repeat(5e5)},"events":[]}`),
    statuses: [202],
  },
  {
    name: 'a million nothings',
    path: quotes,
    make: () => Buffer.from(`{"events":[${'0,'.repeat(1e6)}0]}`),
    statuses: [413],
  },
  {
    name: 'a million nothings, in no list',
    path: quotes,
    make: () => Buffer.from(`{"events":[],"x":{"y":[${'0,'.repeat(1e6)}0]}}`),
    statuses: [400],
  },
  {
    name: 'half a million objects, in no list',
    path: quotes,
    make: () => Buffer.from(`{"events":[],"x":{"y":[${'{"a":0},'.repeat(5e5)}0]}}`),
    statuses: [400],
  },
  {
    name: 'half a million long numbers',
    path: quotes,
    make: () => Buffer.from(`{"events":[],"x":{"y":[${'1.50000000000,'.repeat(5e5)}0]}}`),
    statuses: [400],
  },
  {
    name: 'a million nothings in an element',
    path: quotes,
    make: () => listed('{"events":[', () => `[${'0,'.repeat(400_000)}0]`, ']}', largestBodyBytes, 2),
    statuses: [400, 413],
  },
  {
    name: '149,000 elements',
    path: oddsApi,
    make: () => Buffer.from(`[${'0,'.repeat(149_000)}0]`),
    statuses: [400, 413],
  },
  {
    name: '1 GiB in gzip',
    path: quotes,
    headers: { 'content-encoding': 'gzip' },
    make: () => bomb((zeros) => gzipSync(zeros)),
    statuses: [413],
  },
  {
    name: '1 GiB in zstd',
    path: quotes,
    headers: { 'content-encoding': 'zstd' },
    make: () => bomb((zeros) => zstdCompressSync(zeros)),
    statuses: [413],
  },
  {
    name: '64 MiB in a window of 128 MiB',
    path: quotes,
    headers: { 'content-encoding': 'zstd' },
    make: () => zstdCompressSync(Buffer.alloc(64 * mebibyte, 0x20), { params: { [constants.ZSTD_c_windowLog]: 27 } }),
    statuses: [400, 413],
  },
  {
    name: 'a million nothings in zstd',
    path: quotes,
    headers: { 'content-encoding': 'zstd' },
    make: () => zstdCompressSync(Buffer.from(`{"events":[${'0,'.repeat(1e6)}0]}`)),
    statuses: [413],
  },
];

function besidePlays(value: string): Uint8Array<ArrayBuffer> {
  return Buffer.from(`{"game":${JSON.stringify(gameObject())},"plays":[],"x":${value}}`);
}

function bomb(compress: (zeros: Uint8Array) => Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const member = compress(Buffer.alloc(64 * mebibyte, 0x20));
  return Buffer.concat(Array.from({ length: 16 }, () => member));
}
