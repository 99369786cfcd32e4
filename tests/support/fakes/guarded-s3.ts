// A listener with the interface of S3 that only decides whether a request is allowed. It derives action, resource and
// condition keys from the request as AWS documents them, and a judge decides. Nothing is stored.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { AwsRequest } from '../services/iam-simulator.ts';

export type Judge = (user: string, request: AwsRequest) => Promise<boolean>;

export async function startGuardedS3(judge: Judge): Promise<AsyncDisposable & { endpoint: string }> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await buffer(request)).toString();
      const wanted = wantedBy(request, body);
      const user = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '')?.[1] ?? '';
      const judged = await Promise.all(wanted.map((one) => judge(user, one)));
      if (judged.every((allowed) => allowed)) response.writeHead(200).end(answerTo(request, body));
      else response.writeHead(403).end('<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>');
    })().catch((error: unknown) => response.writeHead(501).end(`<Error><Code>${String(error)}</Code></Error>`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The permission that each kind of request needs. */
const byAction: Readonly<Record<string, string>> = {
  'GET key': 'GetObject',
  'HEAD key': 'GetObject',
  'GET key versionId': 'GetObjectVersion',
  'PUT key': 'PutObject',
  'POST key uploads': 'PutObject',
  'PUT key acl': 'PutObjectAcl',
  'DELETE key': 'DeleteObject',
  'DELETE key versionId': 'DeleteObjectVersion',
  'GET bucket list-type': 'ListBucket',
  'PUT bucket versioning': 'PutBucketVersioning',
  'PUT bucket policy': 'PutBucketPolicy',
  'GET bucket policy': 'GetBucketPolicy',
  'DELETE bucket policy': 'DeleteBucketPolicy',
};

function wantedBy({ method = '', url = '', headers }: IncomingMessage, body: string): AwsRequest[] {
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const [bucket = '', ...rest] = decodeURIComponent(pathname).split('/').filter(Boolean);
  const key = rest.join('/');
  const of = (name: string, context: AwsRequest['context'] = {}, object = key): AwsRequest => ({
    action: `s3:${name}`,
    resource: `arn:aws:s3:::${bucket}${object === '' ? '' : `/${object}`}`,
    context,
  });
  if (method === 'POST' && searchParams.has('delete')) return keysIn(body).map((each) => of('DeleteObject', {}, each));
  const asks = ['versionId', 'uploads', 'acl', 'list-type', 'versioning', 'policy'].find((one) =>
    searchParams.has(one),
  );
  const kind = [method, key === '' ? 'bucket' : 'key', ...(asks === undefined ? [] : [asks])].join(' ');
  const action = byAction[kind];
  if (action === undefined) throw new Error(`no action is known for ${kind}`);
  const condition = headers['if-none-match'];
  const written = of(action, kind === 'PUT key' && condition !== undefined ? { 's3:if-none-match': condition } : {});
  const source = headers['x-amz-copy-source'];
  if (typeof source !== 'string') return [written];
  return [written, { ...of('GetObject'), resource: `arn:aws:s3:::${decodeURIComponent(source).replace(/^\//, '')}` }];
}

/** The keys that a request to delete names. */
function keysIn(body: string): string[] {
  return [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
}

/** As a store that holds nothing answers. */
function answerTo({ method, url = '', headers }: IncomingMessage, body: string): string {
  if ('x-amz-copy-source' in headers) return '<CopyObjectResult/>';
  if (method === 'POST' && url.includes('delete')) {
    const deleted = keysIn(body).map((key) => `<Deleted><Key>${key}</Key></Deleted>`);
    return `<DeleteResult>${deleted.join('')}</DeleteResult>`;
  }
  if (method === 'POST') return '<InitiateMultipartUploadResult/>';
  if (url.includes('list-type')) return '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>';
  return '';
}
