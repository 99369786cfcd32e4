// Claim: the page has a key filled in only for a browser on the machine of the listener. Other programs can send any header field, so no
// request from another machine may count, whatever its fields.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { isBrowserHere } from '../../../api/http/browser-here.ts';

const asked = { host: 'localhost:8080', fetchDestination: 'document' };
const here = ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'];
const elsewhere = ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '::', '127.0.0.1.example', undefined];

describe('a browser on this machine', () => {
  for (const address of here) it(`may come from ${address}`, () => assert.ok(isBrowserHere(asked, address)));

  for (const address of elsewhere)
    it(`does not come from ${address ?? 'a connection that is gone'}`, () => assert.ok(!isBrowserHere(asked, address)));

  for (const head of [
    { host: 'sports.example:8080' },
    { host: 'localhost.example' },
    { host: null },
    { fetchDestination: 'empty' },
    { fetchDestination: 'document, document' },
    { fetchDestination: null },
  ])
    it(`does not say ${JSON.stringify(head)}`, () => assert.ok(!isBrowserHere({ ...asked, ...head }, '127.0.0.1')));
});
