// The push gateway over fakes in a process of its own, so that what it costs in memory can be told from what its test costs. Says where
// it is, and after that answers every message with its peak of resident memory in bytes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startGateway } from './gateway-http.ts';

const thisFile = fileURLToPath(import.meta.url);

/** Why the peak cannot be read here; false where it can. */
export const peakSkip = process.platform === 'linux' ? false : 'the peak of a process is read from Linux’s /proc';

export type GatewayProcess = {
  url: string;
  key: string;
  peakBytes(): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startGatewayProcess(): Promise<GatewayProcess> {
  const child = fork(thisFile, { execArgv: [] });
  const [{ url, key }] = (await once(child, 'message')) as [{ url: string; key: string }];
  return {
    url,
    key,
    async peakBytes() {
      child.send('peak');
      const [peak] = (await once(child, 'message')) as [number];
      return peak;
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

function peak(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

if (process.argv[1] === thisFile) {
  const gateway = await startGateway();
  process.on('message', () => process.send?.(peak()));
  process.on('disconnect', () => void gateway.close());
  process.send?.({ url: gateway.url, key: gateway.key });
}
