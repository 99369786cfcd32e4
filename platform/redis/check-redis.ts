// Asks Redis once whether this process may use it; if not, finds the wrong setting. An unreachable Redis does not delay the start, because
// the service can count without it.
import { Redis } from 'ioredis';
import type { Millis } from '../../core/units.ts';
import type { RedisLink } from '../config/link-settings.ts';
import { SettingError } from '../config/setting-error.ts';
import { askOnce } from '../links/ask-once.ts';
import type { LinkAnswer } from '../links/link-answer.ts';
import { transportFault } from '../links/transport-fault.ts';

const connectMs: Millis = 2_000;
const example = 'redis://user:password@redis:6379';
const names = {
  protocol: { name: 'REDIS_URL', overTls: 'rediss://redis:6379', plain: 'redis://redis:6379' },
  address: { name: 'REDIS_URL', example: 'rediss://the-name-in-the-certificate:6379' },
  authority: 'REDIS_TLS_CA_CERT_FILE',
  certificate: 'REDIS_TLS_CERT_FILE',
};

export async function checkRedis({ url, tls }: RedisLink): Promise<LinkAnswer> {
  const redis = new Redis(url, {
    ...(tls === null ? {} : { tls }),
    lazyConnect: true,
    connectTimeout: connectMs,
    commandTimeout: connectMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure = '';
  redis.on('error', (error) => {
    failure ||= error.message;
  });
  try {
    await redis.connect();
    await redis.ping();
    return 'right';
  } catch (error) {
    const message = `${failure} ${error instanceof Error ? error.message : ''}`;
    if (/WRONGPASS|invalid password/.test(message))
      return new SettingError('REDIS_URL', 'has a login that Redis refuses', example);
    if (message.includes('NOAUTH'))
      return new SettingError('REDIS_URL', 'has no login, and Redis asks for one', example);
    return (await faultOf(new URL(url), tls)) ?? 'away';
  } finally {
    redis.disconnect();
  }
}

function faultOf({ hostname, port }: URL, tls: RedisLink['tls']): Promise<SettingError | null> {
  const at = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 6379 };
  const answersWithoutTls = async (): Promise<boolean> =>
    /^[+-]/.test((await askOnce(at, null, 'PING\r\n'))?.toString('latin1') ?? '');
  return transportFault({ ...at, tls, names }, answersWithoutTls);
}
