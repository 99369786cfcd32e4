// Which requests have the console's secret: those with HTTP Basic and the secret as the password, whole and once.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { readHead } from '../../../http/head.ts';
import { hasSecret } from '../../../ops/console/console-secret.ts';

const secret = 'a:secret-of-24-letters-é';
const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
const isLetIn = (...values: readonly string[]) =>
  hasSecret(readHead(values.flatMap((value) => ['Authorization', value])), secret);

it('is asked for as the password of any name', () => {
  for (const name of ['', 'console', 'é']) assert.ok(isLetIn(basic(`${name}:${secret}`)), name);
  assert.ok(isLetIn(basic(`x:${secret}`).replace('Basic', 'bAsIc')));
});

it('is neither a part, nor more, nor in another place or form', () => {
  const wrong = [
    ...[basic(`x:${secret.slice(0, -1)}`), basic(`x:${secret} `), basic(`x:${secret.toUpperCase()}`)],
    ...[basic(secret), basic(`${secret}:`), basic('x:'), basic(''), basic(`x:y:${secret}`)],
    ...[secret, `Bearer ${secret}`, `Basic ${secret}`, `Basic  ${basic(`x:${secret}`).slice(6)}`, 'Basic', ''],
    `${basic(`x:${secret}`)}, ${basic(`x:${secret}`)}`,
  ];
  for (const value of wrong) assert.ok(!isLetIn(value), value);
  assert.ok(!isLetIn());
  assert.ok(!isLetIn(basic(`x:${secret}`), basic(`x:${secret}`)), 'twice');
});
