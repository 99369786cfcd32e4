// Links to a real schema registry behind TLS and a login, as a proxy beside it gives them: correct settings open them, and each wrong one
// is named within ten seconds (docs/operations.md#links).
import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { SettingError } from '../../../platform/config/setting-error.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { checkRegistry } from '../../../platform/kafka/check-registry.ts';
import { openRegistry } from '../../../platform/kafka/registry.ts';
import { ownMs } from '../../support/processes/own-time.ts';
import { type Certificates, makeCertificates, opensslSkip } from '../../support/services/certificates.ts';
import { openLoginFront } from '../../support/services/login-front.ts';
import { services } from '../../support/services/services.ts';
import { openTlsFront } from '../../support/services/tls-front.ts';
import { unique } from '../../support/services/unique.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const registry = await services.registry();
const login = 'sds:registry-secret-of-no-worth';

describe('a link to the schema registry', skipFor(registry.skip || opensslSkip), () => {
  let made: Certificates;
  const at = { plain: '', login: '', tls: '', mutual: '', misnamed: '', expired: '' };
  const closing = new AsyncDisposableStack();

  beforeAll(async () => {
    made = await makeCertificates();
    const inner = new URL(registry.url);
    const asking = await openLoginFront(inner, login);
    closing.defer(() => asking.close());
    const behind = { host: '127.0.0.1', port: asking.port };
    const front = async (pair: { cert: string; key: string }, ca?: string): Promise<string> => {
      const opened = await openTlsFront(behind, pair, ca);
      closing.defer(() => opened.close());
      return `https://127.0.0.1:${opened.port}${inner.pathname}`;
    };
    at.plain = registry.url;
    at.login = `http://127.0.0.1:${asking.port}${inner.pathname}`;
    at.tls = await front(made.server);
    at.mutual = await front(made.server, made.ca);
    at.misnamed = await front(made.misnamed);
    at.expired = await front(made.expired);
  });
  afterAll(async () => {
    await closing.disposeAsync();
    made?.[Symbol.dispose]();
  });

  const linkOf = (url: string, more: Record<string, string>) => {
    const { kafka } = readSettings({ KAFKA_BROKERS: '127.0.0.1:1', SCHEMA_REGISTRY_URL: url, ...more });
    assert.ok(kafka);
    return kafka.registry;
  };
  const ca = () => ({ SCHEMA_REGISTRY_SSL_CA_LOCATION: made.ca });
  const known = { SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO: login };
  const own = () => ({
    SCHEMA_REGISTRY_SSL_CERTIFICATE_LOCATION: made.client.cert,
    SCHEMA_REGISTRY_SSL_KEY_LOCATION: made.client.key,
  });

  const right: readonly (readonly [string, keyof typeof at, () => Record<string, string>])[] = [
    ['without TLS', 'plain', () => ({})],
    ['a login', 'login', () => known],
    ['a login over TLS', 'tls', () => ({ ...known, ...ca() })],
    ['a login over mutual TLS', 'mutual', () => ({ ...known, ...ca(), ...own() })],
  ];
  for (const [name, front, settings] of right)
    it(`opens with ${name}, registers a schema and finds it`, async () => {
      const link = linkOf(at[front], settings());
      assert.equal(await checkRegistry(link), 'right');
      const client = openRegistry(link, 'tests');
      const subject = `${unique('links')}-value`;
      const schema = JSON.stringify({ type: 'record', name: subject.replace(/\W/g, '_'), fields: [] });
      const id = await client.register(subject, schema);
      assert.notEqual(await client.lookup(id), null);
      assert.equal(await client.answers(subject), true);
    });

  const wrong: readonly (readonly [string, () => string, () => Record<string, string>, RegExp])[] = [
    [
      'http, where it speaks https',
      () => at.tls.replace('https', 'http'),
      () => known,
      /^SCHEMA_REGISTRY_URL asks for no TLS, and \S+ speaks TLS alone; .*=https:/,
    ],
    [
      'https, where it speaks http',
      () => at.login.replace('http', 'https'),
      () => ({ ...known, ...ca() }),
      /^SCHEMA_REGISTRY_URL asks for TLS, and \S+ speaks without; .*=http:/,
    ],
    ['no authority', () => at.tls, () => known, /^SCHEMA_REGISTRY_SSL_CA_LOCATION is not set/],
    [
      'another authority',
      () => at.tls,
      () => ({ ...known, SCHEMA_REGISTRY_SSL_CA_LOCATION: made.otherCa }),
      /^SCHEMA_REGISTRY_SSL_CA_LOCATION does not have/,
    ],
    [
      'no certificate, where one is asked for',
      () => at.mutual,
      () => ({ ...known, ...ca() }),
      /^SCHEMA_REGISTRY_SSL_CERTIFICATE_LOCATION is not set, and \S+ asks for a certificate/,
    ],
    [
      'a host that the certificate does not name',
      () => at.misnamed,
      () => ({ ...known, ...ca() }),
      /^SCHEMA_REGISTRY_URL leads to \S+, whose certificate is for other names/,
    ],
    [
      'a certificate that has expired',
      () => at.expired,
      () => ({ ...known, ...ca() }),
      /^SCHEMA_REGISTRY_URL leads to \S+, whose certificate is not valid now/,
    ],
    ['no login', () => at.tls, ca, /^SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO is not set, and \S+ asks for a login/],
    [
      'a wrong password',
      () => at.tls,
      () => ({ ...ca(), SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO: 'sds:guessed' }),
      /^SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO is refused by \S+ \(401\)/,
    ],
    [
      'a path where no registry is',
      () => new URL('/apis/nothing', at.plain).href,
      () => ({}),
      /^SCHEMA_REGISTRY_URL leads to \S+, and no registry is at that path/,
    ],
  ];
  for (const [name, url, settings, message] of wrong)
    it(`names the setting of ${name}`, async () => {
      const begun = ownMs();
      const answer = await checkRegistry(linkOf(url(), settings()));
      assert.ok(answer instanceof SettingError, `${answer}`);
      assert.match(answer.message, message);
      assert.doesNotMatch(answer.message, /of-no-worth|guessed/);
      assert.ok(ownMs() - begun < 10_000);
    });

  it('is away where nothing listens', async () => {
    for (const url of ['http://127.0.0.1:1', 'https://127.0.0.1:1'])
      assert.equal(await checkRegistry(linkOf(url, {})), 'away');
  });
});
