// Links to a real Redis with a password, behind TLS: correct settings open them, and each wrong one is named within ten seconds
// (docs/operations.md#links). Redis' TLS is a proxy's in front of it: the server of the tests is built without.
import assert from 'node:assert/strict';
import { Redis as Client } from 'ioredis';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { SettingError } from '../../../platform/config/setting-error.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { checkRedis } from '../../../platform/redis/check-redis.ts';
import { openRedisMember } from '../../../platform/redis/redis-member.ts';
import { ownMs } from '../../support/processes/own-time.ts';
import { type Certificates, makeCertificates, opensslSkip } from '../../support/services/certificates.ts';
import type { Controls } from '../../support/services/process.ts';
import { services } from '../../support/services/services.ts';
import { openTlsFront } from '../../support/services/tls-front.ts';
import { unique } from '../../support/services/unique.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const shared = await services.redis();
const secret = 'redis-secret-of-no-worth';

describe('a link to Redis', skipFor(shared.skip || opensslSkip), () => {
  let made: Certificates;
  let server: Controls;
  const at = { open: '', plain: '', tls: '', mutual: '', misnamed: '' };
  const closing = new AsyncDisposableStack();

  beforeAll(async () => {
    made = await makeCertificates();
    const own = await services.own.redis();
    assert.equal(own.skip, false);
    server = closing.use(own);
    const client = new Client(own.url);
    await client.config('SET', 'requirepass', secret);
    client.disconnect();
    const { hostname: host, port } = new URL(own.url);
    const front = async (pair: { cert: string; key: string }, ca?: string): Promise<string> => {
      const opened = await openTlsFront({ host, port: Number(port) }, pair, ca);
      closing.defer(() => opened.close());
      return `127.0.0.1:${opened.port}`;
    };
    at.open = new URL(shared.url).host;
    at.plain = `${host}:${port}`;
    at.tls = await front(made.server);
    at.mutual = await front(made.server, made.ca);
    at.misnamed = await front(made.misnamed);
  });
  afterAll(async () => {
    await closing.disposeAsync();
    made?.[Symbol.dispose]();
  });

  const linkOf = (url: string, more: Record<string, string> = {}) => {
    const { redis } = readSettings({ REDIS_URL: url, ...more });
    assert.ok(redis);
    return redis;
  };
  const ca = () => ({ REDIS_TLS_CA_CERT_FILE: made.ca });
  const own = () => ({ REDIS_TLS_CERT_FILE: made.client.cert, REDIS_TLS_KEY_FILE: made.client.key });

  const right: readonly (readonly [string, () => string, () => Record<string, string>])[] = [
    ['without a password', () => `redis://${at.open}`, () => ({})],
    ['a password', () => `redis://:${secret}@${at.plain}`, () => ({})],
    ['a password over TLS', () => `REDISS://:${secret}@${at.tls}`, ca],
    ['a password over mutual TLS', () => `rediss://:${secret}@${at.mutual}`, () => ({ ...ca(), ...own() })],
  ];
  for (const [name, url, settings] of right)
    it(`opens with ${name}, and the shared count uses it`, async () => {
      const link = linkOf(url(), settings());
      assert.equal(await checkRedis(link), 'right');
      const named = { instanceId: 'a', prefix: unique('links'), counted: 'pushes', countInstances: async () => 1 };
      const member = openRedisMember({ ...link, ...named, log: silentLog });
      await until('the count is ready', () => member.ready());
      await member.close();
    });

  const wrong: readonly (readonly [string, () => string, () => Record<string, string>, RegExp])[] = [
    [
      'redis, where it speaks rediss',
      () => `redis://:${secret}@${at.tls}`,
      () => ({}),
      /^REDIS_URL asks for no TLS, and \S+ speaks TLS alone; .*=rediss:/,
    ],
    [
      'rediss, where it speaks redis',
      () => `rediss://:${secret}@${at.plain}`,
      ca,
      /^REDIS_URL asks for TLS, and \S+ speaks without; .*=redis:/,
    ],
    ['no authority', () => `rediss://:${secret}@${at.tls}`, () => ({}), /^REDIS_TLS_CA_CERT_FILE is not set/],
    [
      'another authority',
      () => `rediss://:${secret}@${at.tls}`,
      () => ({ REDIS_TLS_CA_CERT_FILE: made.otherCa }),
      /^REDIS_TLS_CA_CERT_FILE does not have/,
    ],
    [
      'no certificate, where one is asked for',
      () => `rediss://:${secret}@${at.mutual}`,
      ca,
      /^REDIS_TLS_CERT_FILE is not set, and \S+ asks for a certificate/,
    ],
    [
      'a host that the certificate does not name',
      () => `rediss://:${secret}@${at.misnamed}`,
      ca,
      /^REDIS_URL leads to \S+, whose certificate is for other names/,
    ],
    ['no password', () => `rediss://${at.tls}`, ca, /^REDIS_URL has no login, and Redis asks for one/],
    ['a wrong password', () => `redis://:guessed@${at.plain}`, () => ({}), /^REDIS_URL has a login that Redis refuses/],
  ];
  for (const [name, url, settings, message] of wrong)
    it(`names the setting of ${name}`, async () => {
      const begun = ownMs();
      const answer = await checkRedis(linkOf(url(), settings()));
      assert.ok(answer instanceof SettingError, `${answer}`);
      assert.match(answer.message, message);
      assert.doesNotMatch(answer.message, /of-no-worth|guessed/);
      assert.ok(ownMs() - begun < 10_000);
    });

  it('is away where nothing listens, or Redis stands still', async () => {
    assert.equal(await checkRedis(linkOf('redis://127.0.0.1:1')), 'away');
    await server.freeze();
    try {
      assert.equal(await checkRedis(linkOf(`redis://:${secret}@${at.plain}`)), 'away');
      assert.equal(await checkRedis(linkOf(`rediss://:${secret}@${at.plain}`, ca())), 'away');
    } finally {
      await server.resume();
    }
  });
});
