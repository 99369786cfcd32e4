// Asks the object store once whether this process may use it; if not, finds the wrong setting. A request that a policy forbids is no fault:
// the role may lack the right to this one request.
import { GetObjectCommand, NoSuchKey, S3ServiceException } from '@aws-sdk/client-s3';
import { probeKey } from '../../core/ports/object-store.ts';
import type { S3Link } from '../config/link-settings.ts';
import { SettingError } from '../config/setting-error.ts';
import type { LinkAnswer } from '../links/link-answer.ts';
import { webFault } from '../links/web-fault.ts';
import { openS3Client } from './s3.ts';

const names = { address: 'S3_ENDPOINT', authority: 'AWS_CA_BUNDLE', certificate: null };

export async function checkS3(link: S3Link): Promise<LinkAnswer> {
  const client = openS3Client({ ...link, attempts: 1 });
  try {
    const answer = await client.send(new GetObjectCommand({ Bucket: link.bucket, Key: probeKey }));
    await answer.Body?.transformToByteArray();
    return 'right';
  } catch (error) {
    if (error instanceof NoSuchKey) return 'right';
    const refused = error instanceof S3ServiceException ? refusal(error, link) : null;
    if (refused !== null) return refused;
    const { endpoint, ca } = link;
    if (endpoint === null) return 'away';
    const tls = endpoint.startsWith('https:') ? { ...(ca === null ? {} : { ca }) } : null;
    return (await webFault(endpoint, tls, names)) ?? (isForbidden(error) ? 'right' : 'away');
  } finally {
    client.destroy();
  }
}

function refusal({ name }: S3ServiceException, { bucket, region }: S3Link): SettingError | null {
  switch (name) {
    case 'NoSuchBucket':
      return new SettingError('S3_BUCKET', `is ${bucket}, and the object store has no such bucket`, 'sds-live');
    case 'InvalidAccessKeyId':
      return new SettingError('AWS_ACCESS_KEY_ID', 'is not known to the object store', 'the-id-of-that-key');
    case 'SignatureDoesNotMatch':
      return new SettingError(
        'AWS_SECRET_ACCESS_KEY',
        'does not belong to AWS_ACCESS_KEY_ID: the object store refuses the signature',
        'the-secret-of-that-key',
      );
    case 'ExpiredToken':
    case 'InvalidToken':
      return new SettingError('AWS_SESSION_TOKEN', 'is refused by the object store', 'a-token-that-is-valid-now');
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
      return new SettingError('AWS_REGION', `is ${region}, and the bucket is in another region`, 'eu-central-1');
    default:
      return null;
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 403;
}
