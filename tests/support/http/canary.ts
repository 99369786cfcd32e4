// Sends a key, and texts that look like SQL, paths and stacks, through every route, wherever a request has room for
// them; then searches all answers for what must never be revealed.
import assert from 'node:assert/strict';
import type { RequestOptions } from './api-http.ts';

export type HostileRequest = { path: string; options: RequestOptions };

/**
 * Requests with `key` in places where it does not belong, and with texts that a careless server would execute, open or
 * repeat.
 */
export function hostileRequests(path: string, key: string): HostileRequest[] {
  const [plain = '', query = ''] = path.split('?');
  const texts = [key, `Bearer ${key}`, ...provocations];
  const encoded = texts.map(encodeURIComponent);
  const asked: HostileRequest[] = [
    { path, options: { key } },
    { path, options: { key, method: 'HEAD' } },
    { path, options: { key, method: 'POST' } },
    { path, options: { key: null, headers: { authorization: `Bearer  ${key}` } } },
    { path, options: { key: null, headers: { authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` } } },
    { path, options: { key: null, headers: { authorization: `Bearer ${key}x` } } },
    { path, options: { key: null, headers: { authorization: `Bearer ${key.slice(0, -1)}!` } } },
    { path, options: { key: null, headers: { authorization: [`Bearer ${key}`, `Bearer ${key}`] } } },
    { path, options: { key, headers: { cookie: `key=${key}`, referer: `https://x.test/?key=${key}` } } },
    { path, options: { key, headers: { 'x-request-id': key, 'user-agent': key, 'x-api-key': key } } },
  ];
  for (const [at, text] of encoded.entries()) {
    for (const turn of [0, 1]) {
      const name = parameters[(2 * at + turn) % parameters.length];
      asked.push({ path: `${plain}?${name}=${text}`, options: { key } });
    }
    asked.push({ path: `${plain}?${text}=1`, options: { key } });
    asked.push({ path: `${path}${query === '' ? '?' : '&'}key=${text}`, options: { key: null } });
    asked.push({ path: `${plain}/${text}`, options: { key } });
    const above = plain.slice(0, plain.lastIndexOf('/'));
    asked.push({ path: `${above}/${text}`, options: { key } });
  }
  for (const [at, text] of texts.filter((one) => /^[ -~]*$/.test(one)).entries()) {
    const name = ['range', 'if-none-match', 'if-match', 'if-range'][at % 4] as string;
    asked.push({ path, options: { key, headers: { [name]: text } } });
  }
  return asked;
}

const parameters = ['cursor', 'key', 'rows', 'limit', 'league', 'team', 'status', 'date_from', 'team_id'];

const provocations = [
  `' or 1=1; drop table api_keys; --`,
  '1; select pg_sleep(9)',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '/proc/self/environ',
  '\u0000',
  '\ud7ff'.repeat(20),
  '{{7*7}}<script>alert(1)</script>',
  '1e309',
  '__proto__',
];

/** What a failure must not reveal: SQL, file paths, stacks, names of internals. */
const inside =
  /\b(select|insert into|update|delete from)\b.*\b(from|values|set|where)\b|\bat [\w.<>]+ \(|\bat (async )?(file|node):|node:internal|node_modules|file:\/\/|\.(ts|mjs|sql):\d|\/(srv|home|root|usr|tmp|var|work|proc|etc)\/|pg_|relation "|syntax error at|ECONN|ENOENT|EPIPE|SQLSTATE|FST_ERR|ZodError|ioredis|kafkajs/i;

/** Asserts that the answer at `where` does not reveal the key nor, for a `failure`, internals. */
export function assertSilent(where: string, text: string, key: string, failure: boolean): void {
  // Any ten characters of the secret are too many.
  const secret = key.replace(/^svc_(live|feed)_/, '');
  for (let at = 0; at + 10 <= secret.length; at += 5) {
    assert.ok(!text.includes(secret.slice(at, at + 10)), `${where} reveals part of the key: ${text.slice(0, 300)}`);
  }
  const basic = Buffer.from(`x:${key}`).toString('base64').slice(12, 40);
  assert.ok(!text.includes(basic), `${where} reveals the encoded key`);
  if (failure) assert.doesNotMatch(text, inside, where);
}

/** The text of an answer, its head included. */
export function textOf({ headers, body }: { headers: object; body: Buffer }): string {
  return `${JSON.stringify(headers)}\n${body.toString('latin1')}`;
}
