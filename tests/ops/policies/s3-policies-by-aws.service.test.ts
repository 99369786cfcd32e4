// ops/policies/s3-*.json as AWS reads them (SECURITY.md, S22), whose condition `s3:if-none-match` no S3 service here enforces: what the service's
// own driver and a careless client send is judged by a simulator of AWS's authorization, as a user with the policy of one role, in a bucket
// with the bucket's policy. Each statement of the bucket's policy is seen to be what refuses. What services do is ops/policies/s3-policies.service.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type ObjectStore, probeKey } from '../../../core/ports/object-store.ts';
import { openS3Store } from '../../../platform/objects/s3.ts';
import { startGuardedS3 } from '../../support/fakes/guarded-s3.ts';
import { openIamSimulator } from '../../support/services/iam-simulator.ts';
import { ServiceMissing } from '../../support/services/missing.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Statement = { Sid: string };
type Policy = { Version: string; Statement: readonly Statement[] };

const Bucket = 'sds-objects';
const policy = (name: string): Policy =>
  JSON.parse(
    readFileSync(new URL(`../../../ops/policies/s3-${name}.json`, import.meta.url), 'utf8').replaceAll(
      'BUCKET',
      Bucket,
    ),
  );
const everything: Policy = {
  Version: '2012-10-17',
  Statement: [{ Sid: 'All', Effect: 'Allow', Action: 's3:*', Resource: '*' } as Statement],
};
const policies: Readonly<Record<string, Policy>> = {
  ...{ api: policy('api'), ingest: policy('ingest'), projectors: policy('projectors') },
  administrator: everything,
};

const simulate = await openIamSimulator().catch((error: unknown) => {
  if (error instanceof ServiceMissing && process.env.SDS_REQUIRE_SERVICES !== '1') return error;
  throw error;
});
const skip = simulate instanceof Error && `iam-simulate is not here: ${simulate.message}`;

describe('the policies of the object store, as AWS reads them', skipFor(skip), () => {
  if (simulate instanceof Error) return;
  /** The bucket's policy, and how the bucket is reached. */
  let bucket: Policy | null;
  let secure: boolean;
  let s3: Awaited<ReturnType<typeof startGuardedS3>>;
  let stores: Readonly<Record<string, ObjectStore>>;
  let clients: Readonly<Record<string, S3Client>>;

  beforeAll(async () => {
    s3 = await startGuardedS3((user, request) => {
      const context = { ...request.context, 'aws:SecureTransport': String(secure) };
      return simulate(user, { ...request, context }, { identity: policies[user] ?? null, resource: bucket });
    });
    const region = 'us-east-1';
    const of = (user: string) => ({
      ...{ endpoint: s3.endpoint, region },
      credentials: { accessKeyId: user, secretAccessKey: 'of no worth' },
    });
    const users = [...Object.keys(policies), 'stranger'];
    stores = Object.fromEntries(users.map((user) => [user, openS3Store({ ...of(user), bucket: Bucket })]));
    clients = Object.fromEntries(users.map((user) => [user, new S3Client({ ...of(user), forcePathStyle: true })]));
  });
  afterAll(async () => {
    for (const client of Object.values(clients)) client.destroy();
    await Promise.all(Object.values(stores).map((store) => store.close()));
    await s3[Symbol.asyncDispose]();
  });

  const bytes = new TextEncoder().encode('{}');
  const [held, file] = ['observations/a.json', 'live/a.parquet'];
  const careless = { Bucket, Key: file, Body: bytes };
  const first = async (store: ObjectStore) => {
    for await (const { key } of store.list('live/')) return key;
    return null;
  };
  /** What the product does, through its own driver. */
  const byDriver: Readonly<Record<string, (store: ObjectStore) => Promise<unknown>>> = {
    'read a file': (store) => store.get(file),
    'read a held element': (store) => store.get(held),
    'look at the health of the store': (store) => store.get(probeKey),
    list: first,
    'hold an element': (store) => store.put(held, bytes),
    'write a file': (store) => store.put(file, bytes),
    'delete a file': (store) => store.delete([file]),
    'delete a held element': (store) => store.delete([held]),
  };
  /** What the product never does. */
  const byHand: Readonly<Record<string, (client: S3Client) => Promise<unknown>>> = {
    'write without a condition': (client) => client.send(new PutObjectCommand(careless)),
    'hold without a condition': (client) => client.send(new PutObjectCommand({ ...careless, Key: held })),
    'write in parts': (client) => client.send(new CreateMultipartUploadCommand({ Bucket, Key: file })),
    'write a copy': (client) =>
      client.send(new CopyObjectCommand({ Bucket, Key: file, CopySource: `${Bucket}/${held}` })),
    'open a file to all': (client) => client.send(new PutObjectAclCommand({ Bucket, Key: file, ACL: 'public-read' })),
    'read a version': (client) => client.send(new GetObjectCommand({ Bucket, Key: file, VersionId: 'v' })),
    'delete a version': (client) => client.send(new DeleteObjectCommand({ Bucket, Key: file, VersionId: 'v' })),
    'keep versions no more': (client) =>
      client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Suspended' } })),
    'change the policy': (client) => client.send(new PutBucketPolicyCommand({ Bucket, Policy: '{}' })),
    'drop the policy': (client) => client.send(new DeleteBucketPolicyCommand({ Bucket })),
  };

  async function may(user: string, given: { bucket: Policy | null; secure?: boolean }): Promise<string[]> {
    bucket = given.bucket;
    secure = given.secure ?? true;
    const asked = [
      ...Object.entries(byDriver).map(([name, deed]) => [name, () => deed(stores[user] as ObjectStore)] as const),
      ...Object.entries(byHand).map(([name, deed]) => [name, () => deed(clients[user] as S3Client)] as const),
    ];
    const found: string[] = [];
    for (const [name, deed] of asked)
      await deed().then(
        () => found.push(name),
        (error: { $metadata?: { httpStatusCode?: number } }) =>
          assert.equal(error.$metadata?.httpStatusCode, 403, `${user}: ${name}: ${error}`),
      );
    return found;
  }
  const without = (sid: string): Policy => {
    const whole = policy('bucket');
    const rest = whole.Statement.filter(({ Sid }) => Sid !== sid);
    assert.equal(rest.length, whole.Statement.length - 1);
    return { ...whole, Statement: rest };
  };

  const reads = ['read a file', 'read a held element', 'look at the health of the store', 'list'];
  const writes = ['write without a condition', 'write in parts', 'write a copy'];
  for (const [user, allowed] of [
    ['stranger', []],
    ['api', reads],
    ['ingest', ['read a held element', 'look at the health of the store', 'list', 'hold an element']],
    ['projectors', [...reads, 'hold an element', 'write a file', 'delete a file']],
  ] as const)
    it(`${user} does what it needs, and nothing else`, async () => {
      assert.deepEqual(await may(user, { bucket: policy('bucket') }), allowed);
    });

  it('a write that does not say that the key must be new is refused by the statement of the bucket, and by it alone', async () => {
    assert.deepEqual(
      (await may('projectors', { bucket: without('WriteOnce') })).filter((deed) => deed in byHand),
      ['write without a condition', 'hold without a condition', 'write in parts', 'write a copy'],
    );
    assert.deepEqual(
      (await may('ingest', { bucket: without('WriteOnce') })).filter((deed) => deed in byHand),
      ['hold without a condition'],
    );
  });

  it('even who may do everything writes under a new key alone, deletes no version, and has versions kept', async () => {
    const all = [...Object.keys(byDriver), ...Object.keys(byHand)];
    const refused = [...writes, 'hold without a condition', 'delete a version', 'keep versions no more'];
    assert.deepEqual(await may('administrator', { bucket: null }), all);
    assert.deepEqual(
      await may('administrator', { bucket: policy('bucket') }),
      all.filter((deed) => !refused.includes(deed)),
    );
    assert.deepEqual(
      await may('administrator', { bucket: without('KeepVersions') }),
      all.filter((deed) => !refused.includes(deed) || deed.includes('version')),
    );
  });

  it('over plain HTTP nothing is allowed', async () => {
    for (const user of Object.keys(policies))
      assert.deepEqual(await may(user, { bucket: policy('bucket'), secure: false }), [], user);
    assert.deepEqual(await may('api', { bucket: without('TlsOnly'), secure: false }), reads);
  });

  it('a condition key that AWS does not have for a write is no policy', async () => {
    const request = {
      action: 's3:GetObject',
      resource: `arn:aws:s3:::${Bucket}/a`,
      context: { 's3:if-none-match': '*' },
    };
    await assert.rejects(simulate('api', request, { identity: policy('api'), resource: null }), /if-none-match/);
  });
});
