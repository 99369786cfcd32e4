// The head of a request as both listeners read it: what stands once, and what may not.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { readHead } from '../../http/head.ts';

it('a repeated header field is seen as such', () => {
  const head = readHead([
    'AUTHORIZATION',
    'Bearer a',
    'host',
    'x',
    'Authorization',
    'Bearer b',
    'If-None-Match',
    '"a"',
    'if-none-match',
    '"b"',
    'Range',
    'bytes=0-1',
    'Content-Length',
    '0',
    'x-request-id',
    'me',
    'Accept',
    '*/*',
  ]);
  assert.deepEqual(head, {
    authorization: 'Bearer a',
    authorizationCount: 2,
    hostCount: 1,
    host: 'x',
    fetchDestination: null,
    range: 'bytes=0-1',
    ifRange: null,
    ifMatch: null,
    ifNoneMatch: '"a", "b"',
    requestId: 'me',
    accept: '*/*',
    prefer: null,
    body: false,
  });
});
