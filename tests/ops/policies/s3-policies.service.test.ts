// ops/policies/s3-*.json on an S3 service that enforces them (SECURITY.md, S22): each role does what it needs through the service's own driver,
// and nothing else. versitygw takes policies of a bucket alone, so the statements of a role stand there with the role as their principal. It does
// not know `s3:if-none-match`: that statement it refuses, and writing once is held by the driver and by core/ports/object-store.contract.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  DeleteBucketPolicyCommand,
  DeleteObjectCommand,
  GetBucketPolicyCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type ObjectStore, probeKey } from '../../../core/ports/object-store.ts';
import { openS3Store } from '../../../platform/objects/s3.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Statement = { Sid: string; Principal?: unknown; Condition?: unknown };
type Role = 'api' | 'ingest' | 'projectors';
const roles = ['api', 'ingest', 'projectors'] as const;

const s3 = await services.own.s3();
const skip = s3.skip || (s3.createUser === undefined && 'the S3 service here has no users: versitygw has');

describe('the policies of the object store', skipFor(skip), () => {
  const text = new TextEncoder();
  const [held, other, letter] = ['observations/a.json', 'live/a.parquet', 'letters/a.zst'];
  const large = text.encode('{}');
  const root = new S3Client({ ...s3, credentials: s3, forcePathStyle: true });
  const stores = {} as Record<Role, ObjectStore>;
  const clients = {} as Record<Role, S3Client>;
  let Bucket = '';

  const read = (name: string): Statement[] => {
    const file = readFileSync(new URL(`../../../ops/policies/s3-${name}.json`, import.meta.url), 'utf8');
    return (JSON.parse(file.replaceAll('BUCKET', Bucket)) as { Statement: Statement[] }).Statement;
  };
  const put = (statements: readonly Statement[]) =>
    root.send(
      new PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify({ Version: '2012-10-17', Statement: statements }) }),
    );
  const ofRoles = () =>
    roles.flatMap((role) =>
      read(role).map((one) => ({ ...one, Sid: `${role}${one.Sid}`, Principal: { AWS: [role] } })),
    );

  beforeAll(async () => {
    Bucket = await s3.createBucket();
    for (const role of roles) {
      const credentials = await s3.createUser?.(role);
      assert.ok(credentials !== undefined);
      const { endpoint, region } = s3;
      stores[role] = openS3Store({ endpoint, region, bucket: Bucket, credentials });
      clients[role] = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    }
    const keeper = openS3Store({ endpoint: s3.endpoint, region: s3.region, bucket: Bucket, credentials: s3 });
    for (const key of [held, other, letter]) await keeper.put(key, large);
    await keeper.close();
  });
  afterAll(async () => {
    for (const client of [root, ...Object.values(clients)]) client.destroy();
    await Promise.all(Object.values(stores).map((store) => store.close()));
    await s3[Symbol.asyncDispose]();
  });

  const list = async (store: ObjectStore) => {
    for await (const { key } of store.list('live/')) return key;
    return null;
  };
  const deeds: Readonly<Record<string, (role: Role) => Promise<unknown>>> = {
    'read a held element': (role) => stores[role].get(held),
    'read a file': (role) => stores[role].get(other),
    'tell that there is no file': (role) => stores[role].get('live/none.parquet'),
    'look at the health of the store': (role) => stores[role].get(probeKey),
    list: (role) => list(stores[role]),
    'hold an element': (role) => stores[role].put(`observations/${role}.json`, large),
    'read a payload of dead letters': (role) => stores[role].get(letter),
    'hold a payload of dead letters': (role) => stores[role].put(`letters/${role}.zst`, large),
    'write a file': (role) => stores[role].put(`live/${role}.parquet`, large),
    'delete a file': (role) => clients[role].send(new DeleteObjectCommand({ Bucket, Key: 'live/projectors.parquet' })),
    'delete a held element': (role) => clients[role].send(new DeleteObjectCommand({ Bucket, Key: held })),
    'change the policy': (role) => clients[role].send(new PutBucketPolicyCommand({ Bucket, Policy: '{}' })),
    'read the policy': (role) => clients[role].send(new GetBucketPolicyCommand({ Bucket })),
    'drop the policy': (role) => clients[role].send(new DeleteBucketPolicyCommand({ Bucket })),
  };
  const may: Readonly<Record<Role, readonly string[]>> = {
    api: [
      'read a held element',
      'read a file',
      'tell that there is no file',
      'look at the health of the store',
      'list',
    ],
    ingest: [
      'read a held element',
      'look at the health of the store',
      'list',
      'hold an element',
      'read a payload of dead letters',
      'hold a payload of dead letters',
    ],
    projectors: [
      'read a held element',
      'read a file',
      'tell that there is no file',
      'look at the health of the store',
      'list',
      'hold an element',
      'read a payload of dead letters',
      'hold a payload of dead letters',
      'write a file',
      'delete a file',
    ],
  };

  const done = async (role: Role): Promise<string[]> => {
    const found: string[] = [];
    for (const [name, deed] of Object.entries(deeds)) {
      const status = await statusOf(deed(role));
      if (status === 200) found.push(name);
      else assert.equal(status, 403, `${role}: ${name}`);
    }
    return found;
  };

  it('without them no role reads or writes anything', async () => {
    for (const role of roles) assert.deepEqual(await done(role), [], role);
  });

  for (const role of roles)
    it(`${role} does what it needs, and nothing else`, async () => {
      await put(ofRoles());
      assert.deepEqual(await done(role), may[role]);
    });

  it('over plain HTTP nothing is allowed', async () => {
    const [tlsOnly] = read('bucket').filter(({ Sid }) => Sid === 'TlsOnly');
    assert.ok(tlsOnly);
    await put([...ofRoles(), tlsOnly]);
    for (const role of roles) assert.deepEqual(await done(role), [], role);
  });

  it('even a user with all rights can neither delete a version nor suspend versioning', async () => {
    const everything = {
      Sid: 'Everything',
      Effect: 'Allow',
      Principal: { AWS: ['projectors'] },
      Action: 's3:*',
      Resource: [`arn:aws:s3:::${Bucket}`, `arn:aws:s3:::${Bucket}/*`],
    };
    const client = clients.projectors;
    const deedsOnVersions = () =>
      Promise.all([
        statusOf(client.send(new DeleteObjectCommand({ Bucket, Key: 'live/none', VersionId: 'null' }))),
        statusOf(
          client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Suspended' } })),
        ),
      ]);
    await put([everything]);
    assert.ok((await deedsOnVersions()).every((status) => status !== 403));
    await put([everything, ...read('bucket').filter(({ Sid }) => Sid === 'KeepVersions')]);
    assert.deepEqual(await deedsOnVersions(), [403, 403]);
  });

  it('what is written is written once, whatever the policy says', async () => {
    await put(ofRoles());
    const again = new PutObjectCommand({ Bucket, Key: other, Body: text.encode('x'), IfNoneMatch: '*' });
    await assert.rejects(clients.projectors.send(again), { name: 'PreconditionFailed' });
  });

  it('the statement that demands it is not for this service, which says so', async () => {
    const [once] = read('bucket').filter(({ Sid }) => Sid === 'WriteOnce');
    assert.ok(once);
    await assert.rejects(put([once]), { name: 'MalformedPolicy' });
  });
});

/** The status of the service's answer; 200 if it complies. */
function statusOf(asked: Promise<unknown>): Promise<number | undefined> {
  return asked.then(
    () => 200,
    (error: { $metadata?: { httpStatusCode?: number } }) => error.$metadata?.httpStatusCode,
  );
}
