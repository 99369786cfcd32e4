// Claim: what the proxy keeps is decided by header fields alone: for good only what never changes, and a file only under a digest (docs/proxy.md).
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { describe, it } from 'vitest';
import { keptKindOf, secondsFresh } from '../../../ops/proxy/kept-kind.ts';

const digest = 'a'.repeat(64);
const parquet = 'application/vnd.apache.parquet';
const json = 'application/json';
const forEver = 'private, max-age=86400, immutable';

type Row = [what: string, kind: string | null, fields: IncomingHttpHeaders, target?: string, status?: number];

const file = {
  'content-type': parquet,
  etag: `"${digest}"`,
  'cache-control': 'private, max-age=5',
  vary: 'Authorization',
};
const document = { 'content-type': json, etag: '"x"', 'cache-control': 'private, max-age=0', vary: 'Authorization' };

const rows: Row[] = [
  ['a closed segment', 'immutable', { ...file, 'cache-control': forEver }],
  ['rows of a revision', 'immutable', { ...document, etag: `"${digest}"`, 'cache-control': forEver }],
  ['what never changes, under no digest', null, { ...document, 'cache-control': forEver }],
  ['a final file', 'file', { ...file, 'x-service-artifact-version': '2' }],
  ['a final file by its version', 'immutable', { ...file, 'x-service-artifact-version': '2' }, '/x?version=2'],
  ['the same, written otherwise', 'immutable', { ...file, 'x-service-artifact-version': '2' }, '/x?a=1&version=02'],
  ['another version than was asked for', 'file', { ...file, 'x-service-artifact-version': '2' }, '/x?version=21'],
  ['a board', 'file', file],
  ['a file under a weak tag', null, { ...file, etag: `W/"${digest}"` }],
  ['a file under another tag', null, { ...file, etag: '"v2"' }],
  ['a listing', 'document', document],
  ['a document without a tag', 'document', { ...document, etag: undefined }],
  ['a page', null, { ...document, 'content-type': 'text/html; charset=utf-8' }],
  ['a document by Accept', null, { ...document, vary: 'Accept' }],
  ['an encoded file', null, { ...file, 'content-encoding': 'gzip' }],
  ['what is not to be stored', null, { ...document, 'cache-control': 'no-store' }],
  ['a part of a file', null, file, '/x', 206],
  ['a refusal', null, document, '/x', 404],
];

describe('what is kept', () => {
  for (const [what, kind, fields, target = '/x', status = 200] of rows)
    it(`${what}: ${kind ?? 'nothing'}`, () => assert.equal(keptKindOf(target, status, fields), kind));

  it('is fresh for as long as it says', () => {
    const policies = [
      'private, max-age=5',
      'max-age=7,private',
      'private',
      'no-store',
      'private, x-max-age=9',
      undefined,
    ];
    assert.deepEqual(policies.map(secondsFresh), [5, 7, 0, 0, 0, 0]);
  });
});
