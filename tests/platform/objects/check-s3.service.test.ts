// Links to a real S3 service behind TLS: the bundle of authorities opens them, and each wrong setting is named within ten seconds
// (docs/operations.md#links). The service's own TLS is a proxy's in front of it; signatures and buckets are its own.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { SettingError } from '../../../platform/config/setting-error.ts';
import { readSettings } from '../../../platform/config/settings.ts';
import { checkS3 } from '../../../platform/objects/check-s3.ts';
import { openS3Store } from '../../../platform/objects/s3.ts';
import { ownMs } from '../../support/processes/own-time.ts';
import { type Certificates, makeCertificates, opensslSkip } from '../../support/services/certificates.ts';
import { services } from '../../support/services/services.ts';
import { openTlsFront } from '../../support/services/tls-front.ts';
import { unique } from '../../support/services/unique.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const s3 = await services.s3();

describe('a link to the object store', skipFor(s3.skip || opensslSkip), () => {
  let made: Certificates;
  let bucket = '';
  let secretFile = '';
  const at = { plain: '', tls: '', misnamed: '' };
  const closing = new AsyncDisposableStack();

  beforeAll(async () => {
    made = await makeCertificates();
    bucket = await s3.createBucket();
    secretFile = join(made.folder, 'secret');
    writeFileSync(secretFile, `${s3.secretAccessKey}\n`);
    const { hostname: host, port } = new URL(s3.endpoint);
    const front = async (pair: { cert: string; key: string }): Promise<string> => {
      const opened = await openTlsFront({ host, port: Number(port) }, pair);
      closing.defer(() => opened.close());
      return `https://127.0.0.1:${opened.port}`;
    };
    at.plain = s3.endpoint;
    at.tls = await front(made.server);
    at.misnamed = await front(made.misnamed);
  });
  afterAll(async () => {
    await closing.disposeAsync();
    made?.[Symbol.dispose]();
  });

  const linkOf = (endpoint: string, more: Record<string, string>) => {
    const given = {
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_REGION: s3.region,
    };
    const { s3: link } = readSettings({ ...given, AWS_SECRET_ACCESS_KEY_FILE: secretFile, ...more });
    assert.ok(link);
    return link;
  };

  for (const [name, endpoint, settings] of [
    ['without TLS', () => at.plain, () => ({})],
    ['TLS and a bundle of authorities', () => at.tls, () => ({ AWS_CA_BUNDLE: made.ca })],
  ] as const)
    it(`opens with ${name}, and keeps an object`, async () => {
      const link = linkOf(endpoint(), settings());
      assert.equal(await checkS3(link), 'right');
      const store = openS3Store(link);
      const key = `links/${unique('object')}`;
      await store.put(key, new Uint8Array([1, 2, 3]));
      assert.deepEqual([...((await store.get(key)) ?? [])], [1, 2, 3]);
      await store.close();
    });

  const wrong: readonly (readonly [string, () => string, () => Record<string, string>, RegExp])[] = [
    [
      'http, where it speaks https',
      () => at.tls.replace('https', 'http'),
      () => ({}),
      /^S3_ENDPOINT asks for no TLS, and \S+ speaks TLS alone; .*=https:/,
    ],
    [
      'https, where it speaks http',
      () => at.plain.replace('http', 'https'),
      () => ({ AWS_CA_BUNDLE: made.ca }),
      /^S3_ENDPOINT asks for TLS, and \S+ speaks without; .*=http:/,
    ],
    ['no authority', () => at.tls, () => ({}), /^AWS_CA_BUNDLE is not set, and Node does not trust/],
    [
      'another authority',
      () => at.tls,
      () => ({ AWS_CA_BUNDLE: made.otherCa }),
      /^AWS_CA_BUNDLE does not have the authority/,
    ],
    [
      'a host that the certificate does not name',
      () => at.misnamed,
      () => ({ AWS_CA_BUNDLE: made.ca }),
      /^S3_ENDPOINT leads to \S+, whose certificate is for other names/,
    ],
    [
      'a bucket that does not exist',
      () => at.plain,
      () => ({ S3_BUCKET: unique('none') }),
      /^S3_BUCKET is none-\w+, and the object store has no such bucket/,
    ],
    ['an unknown key', () => at.plain, () => ({ AWS_ACCESS_KEY_ID: 'stranger' }), /^AWS_ACCESS_KEY_ID is not known/],
    [
      'a wrong secret',
      () => at.plain,
      () => ({ AWS_SECRET_ACCESS_KEY_FILE: made.ca }),
      /^AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID/,
    ],
  ];
  for (const [name, endpoint, settings, message] of wrong)
    it(`names the setting of ${name}`, async () => {
      const begun = ownMs();
      const answer = await checkS3(linkOf(endpoint(), settings()));
      assert.ok(answer instanceof SettingError, `${answer}`);
      assert.match(answer.message, message);
      assert.doesNotMatch(answer.message, /of-no-worth|BEGIN/);
      assert.ok(ownMs() - begun < 10_000);
    });

  it('is away where nothing listens', async () => {
    for (const endpoint of ['http://127.0.0.1:1', 'https://127.0.0.1:1'])
      assert.equal(await checkS3(linkOf(endpoint, {})), 'away');
  });
});
