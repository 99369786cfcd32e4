// Which form a client would rather have, by RFC 9110, 12.5.1.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { prefersHtml } from '../../../api/http/accept.ts';

describe('a page is for who prefers it', () => {
  const browsers = [
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'text/html',
    'TEXT/HTML;q=0.5',
    'text/*, application/json;q=0.9',
    'application/json;q=0, */*',
    'text/html;level=1;q=0.4, application/*;q=0.3',
  ];
  for (const accept of browsers) it(`${accept} does`, () => assert.equal(prefersHtml(accept), true));

  const programs = [
    null,
    '',
    '*/*',
    'application/json',
    'application/problem+json',
    'application/json, text/html',
    'text/html;q=0.8, application/json;q=0.9',
    'text/html;q=0',
    'text/html;q=2',
    'text/html;q=nonsense',
    'text/*;q=0.1, */*',
    'text/htmlx',
    ',;,',
  ];
  for (const accept of programs) it(`${accept} does not`, () => assert.equal(prefersHtml(accept), false));
});
