// S3 as an ObjectStore. Write-once is `If-None-Match: *`: 412 means that the key is taken, and the bytes there show whether we put them;
// 409 means that another writer is active, so the put is retried. A put whose answer was lost ends as 412 with our own bytes. The ETag of a
// put is an MD5 and proves nothing; each put carries its SHA-256, which S3 keeps as metadata. Independent of what keys mean.
import { createHash } from 'node:crypto';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { ObjectConflict, ObjectDamaged, type ObjectStore, ObjectTruncated } from '../../core/ports/object-store.ts';
import type { Millis } from '../../core/units.ts';
import { sleep } from '../process/clock.ts';
import { randomFraction } from '../process/ids.ts';
import { checkKey, checkPart, checkPrefix } from './keys.ts';

export type S3Config = {
  bucket: string;
  region?: string;
  /** For S3-compatible services; left out: AWS itself. */
  endpoint?: string | null;
  /** PEM of the service's certificate authorities; left out: those that Node trusts. */
  ca?: string | null;
  /** Left out: found as the AWS tools find them. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | null;
};

const connectTimeoutMs: Millis = 2_000;
const socketTimeoutMs: Millis = 5_000;
/** A put also gets time for its bytes, because a file of 40 MB takes longer than a board. This is a megabyte a second. */
const slowestBytesPerMs = 1_000;
/** Attempts of one call inside the client, and of a put that meets another writer or a busy service. */
const clientTries = 3;
const putTries = 6;
/** If this many reads return the same wrong bytes, it is no transmission error. */
const mostReads = 3;
const firstPauseMs: Millis = 20;
const maxKeysPerDelete = 1_000;

/** Opens the store on an existing bucket. */
export function openS3Store(config: S3Config): ObjectStore {
  const client = openS3Client(config);
  const Bucket = config.bucket;

  async function get(key: string, part?: { offset: number; length: number }): Promise<Uint8Array | null> {
    const found = new Set<string>();
    for (let reads = 0; reads < mostReads; reads += 1) {
      const answer = await read(key, part);
      if (answer === null) return null;
      // The digest covers the whole object only.
      const expected = part === undefined ? answer.sha256 : undefined;
      if (expected === undefined) return answer.bytes;
      const sha256 = createHash('sha256').update(answer.bytes).digest('hex');
      if (sha256 === expected) return answer.bytes;
      found.add(sha256);
    }
    if (found.size === 1) throw new ObjectDamaged(key);
    throw new Error(`object ${key} has other bytes on each read`);
  }

  /** One read: the bytes, and the digest stored with the object. */
  async function read(
    key: string,
    part: { offset: number; length: number } | undefined,
  ): Promise<{ bytes: Uint8Array; sha256: string | undefined } | null> {
    checkKey(key);
    if (part !== undefined) checkPart(part);
    const range = part === undefined ? {} : { Range: `bytes=${part.offset}-${part.offset + part.length - 1}` };
    try {
      const answer = await client.send(new GetObjectCommand({ Bucket, Key: key, ...range }));
      const bytes = (await answer.Body?.transformToByteArray()) ?? new Uint8Array();
      // The client does not detect a truncated body. An object that ends too early is a different error.
      if (bytes.length !== (answer.ContentLength ?? bytes.length))
        throw new Error(`object ${key} was truncated in transit`);
      const { offset, length } = part ?? { offset: 0, length: bytes.length };
      if (bytes.length !== length) throw new ObjectTruncated(key, offset + length, offset + bytes.length);
      return { bytes, sha256: answer.Metadata?.sha256 };
    } catch (error) {
      // Any other 404 says nothing about the object: the bucket is missing, or a proxy does not find the service.
      if (error instanceof NoSuchKey) return null;
      if (isStatus(error, 416))
        throw new ObjectTruncated(key, (part?.offset ?? 0) + (part?.length ?? 0), await sizeOf(key));
      throw error;
    }
  }

  async function head(key: string) {
    checkKey(key);
    try {
      const answer = await client.send(new HeadObjectCommand({ Bucket, Key: key }));
      return { key, size: answer.ContentLength ?? 0, modifiedAt: (answer.LastModified?.getTime() ?? 0) * 1000 };
    } catch (error) {
      // The answer has no body, so no code. Callers only copy again what seems absent.
      if (isStatus(error, 404)) return null;
      throw error;
    }
  }

  async function sizeOf(key: string): Promise<number> {
    return (await head(key))?.size ?? 0;
  }

  async function put(key: string, bytes: Uint8Array): Promise<void> {
    checkKey(key);
    const sha256 = createHash('sha256').update(bytes).digest();
    const requestTimeout = socketTimeoutMs + bytes.length / slowestBytesPerMs;
    const command = {
      Bucket,
      Key: key,
      Body: bytes,
      IfNoneMatch: '*',
      ChecksumSHA256: sha256.toString('base64'),
      Metadata: { sha256: sha256.toString('hex') },
    };
    for (let tries = 1; ; tries += 1) {
      try {
        await client.send(new PutObjectCommand(command), { requestTimeout });
        return;
      } catch (error) {
        if (isStatus(error, 412)) {
          const held = await get(key);
          if (held !== null && Buffer.compare(held, bytes) === 0) return;
          if (held !== null) throw new ObjectConflict(key);
        } else if (!isStatus(error, 409) && !isStatus(error, 503)) throw error;
        if (tries === putTries) throw error;
        await sleep(firstPauseMs * 2 ** tries * (0.5 + randomFraction()));
      }
    }
  }

  return {
    get,
    put,
    head,
    async *list(prefix) {
      checkPrefix(prefix);
      for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
        // The client reads an empty body, or the page of a proxy, as a listing without objects.
        if (page.IsTruncated === undefined && page.Name === undefined)
          throw new Error(`the object store's answer to a listing of ${prefix} is not a listing`);
        for (const each of page.Contents ?? []) {
          if (each.Key === undefined) continue;
          yield { key: each.Key, size: each.Size ?? 0, modifiedAt: (each.LastModified?.getTime() ?? 0) * 1000 };
        }
      }
    },
    async delete(keys) {
      for (const key of keys) checkKey(key);
      for (let from = 0; from < keys.length; from += maxKeysPerDelete) {
        const Objects = keys.slice(from, from + maxKeysPerDelete).map((Key) => ({ Key }));
        const { Deleted, Errors } = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
        const failed = Errors?.find((each) => each.Code !== 'NoSuchKey');
        if (failed !== undefined)
          throw new Error(`object ${failed.Key} was not deleted: ${failed.Code} ${failed.Message}`);
        // What no service has written names none of them.
        const named = new Set([...(Deleted ?? []), ...(Errors ?? [])].map((each) => each.Key));
        const unnamed = Objects.find(({ Key }) => !named.has(Key));
        if (unnamed !== undefined)
          throw new Error(`object ${unnamed.Key} was not deleted: the answer does not name it`);
      }
    },
    async close() {
      client.destroy();
    },
  };
}

/** The client, with this driver's time-outs. */
export function openS3Client({
  region = 'us-east-1',
  endpoint,
  ca,
  credentials,
  attempts = clientTries,
}: S3Config & { attempts?: number }): S3Client {
  return new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(credentials ? { credentials } : {}),
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: socketTimeoutMs,
      socketTimeout: socketTimeoutMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: 64 },
      httpsAgent: { keepAlive: true, maxSockets: 64, ...(ca ? { ca } : {}) },
    },
  });
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;
}
