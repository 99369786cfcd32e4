// The push gateway over fakes in a separate process, so that its memory is measured without the test's. The fakes keep
// nothing. It prints its address, then answers every message with its peak of resident memory and the longest block of
// its event loop since the last message. Its settings are those of a gateway in a process of its own.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import type { Ends } from '../../../core/ports/broker.ts';
import type { GameLookup, Resolution } from '../../../core/ports/catalog/games.ts';
import { openBodyScheduler } from '../../../ingest/gateway/body-scheduler.ts';
import { growHeapSlowly } from '../../../ops/service/slow-heap-growth.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { ownMemory, returningFreed } from '../../../platform/process/freed-memory.ts';
import { FakeLogBroker, FakeObjects, FakePushCatalogs } from '../fakes/gateway-fakes.ts';
import { event, quote, startGateway } from '../http/gateway-http.ts';
import { productFlags } from './product-flags.ts';

const thisFile = fileURLToPath(import.meta.url);
const settings = new URL('../../../ops/service/gateway-memory.env', import.meta.url);

/** Why the peak cannot be read here; false if it can. */
export const peakSkip = process.platform === 'linux' ? false : 'the peak of a process is read from Linux’s /proc';

/** `heldMs`: CPU time, so that other load on the machine does not count. */
export type Costs = { peakBytes: number; heldMs: number };

export type GatewayProcess = {
  url: string;
  key: string;
  /** The peaks since the last call. */
  costs(): Promise<Costs>;
  /** The current memory; peaks count from here. */
  bytesNow(): Promise<number>;
  /** Pushes, and answers the status. */
  push(
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<number>;
  /** Pushes as sources do until the process has reached its working size. */
  warmUp(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startGatewayProcess(): Promise<GatewayProcess> {
  const child = fork(thisFile, {
    execArgv: [...productFlags],
    env: { ...process.env, ...parseEnv(readFileSync(settings, 'utf8')) },
  });
  const [{ url, key }] = (await once(child, 'message')) as [{ url: string; key: string }];
  const gateway: GatewayProcess = {
    url,
    key,
    async costs() {
      child.send('costs');
      const [costs] = (await once(child, 'message')) as [Costs];
      return costs;
    },
    async bytesNow() {
      await gateway.costs();
      return (await gateway.costs()).peakBytes;
    },
    async push(path, body, headers = {}) {
      const sent = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
      const reply = await fetch(url + path, { method: 'POST', headers: sent, body });
      await reply.arrayBuffer();
      return reply.status;
    },
    async warmUp() {
      for (let round = 0; round < 60; round += 1) {
        const pushes = Array.from({ length: 4 }, () => gateway.push('/v1/sources/feed/quotes', usualPush));
        for (const status of await Promise.all(pushes)) assert.equal(status, 202);
      }
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
  return gateway;
}

const usualQuotes = Array.from({ length: 100 }, (_, at) =>
  quote({ market: 'player_points', player: `P ${at}`, line: at }),
);
const usualPush = JSON.stringify({
  events: Array.from({ length: 10 }, (_, at) => event({ operator: `b${at}`, quotes: usualQuotes })),
});

class ForgetfulBroker extends FakeLogBroker {
  override async produce(): Promise<Ends> {
    return new Map([[0, 0]]);
  }
}

class ForgetfulCatalogs extends FakePushCatalogs {
  readonly #answers = new Map<string, Resolution>();

  override async resolve(source: string, lookups: readonly GameLookup[]): Promise<readonly Resolution[]> {
    const answers: Resolution[] = [];
    for (const [index, lookup] of lookups.entries()) {
      // Imitates the round trip to a catalog, during which the event loop is free.
      if (index % 1_000 === 0) await new Promise(setImmediate);
      const name = lookup.by === 'id' ? lookup.gameId : lookup.eventId;
      const answer = this.#answers.get(name) ?? (await super.resolve(source, [lookup]))[0];
      if (answer === undefined) throw new Error('a game has no answer');
      if (this.#answers.size < 1_000) this.#answers.set(name, answer);
      answers.push(answer);
    }
    return answers;
  }

  protected override noteGame(): void {}
  protected override noteIdentity(): void {}
  override async acknowledge(): Promise<void> {}
  override async store(): Promise<void> {}
}

class ForgetfulObjects extends FakeObjects {
  override async put(): Promise<void> {}
}

/** The peak since the last call. */
function takePeak(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  writeFileSync('/proc/self/clear_refs', '5');
  return Number(kilobytes) * 1024;
}

/** The longest block of the event loop since the last call: the CPU its thread used between two checks. */
function watchLoop(): () => number {
  let longest = 0;
  let before = process.threadCpuUsage();
  const look = (): void => {
    const now = process.threadCpuUsage();
    longest = Math.max(longest, now.user + now.system - before.user - before.system);
    before = now;
  };
  setInterval(look, 1).unref();
  return () => {
    const held = longest;
    longest = 0;
    return held / 1_000;
  };
}

if (process.argv[1] === thisFile) {
  growHeapSlowly();
  const gateway = await startGateway({
    broker: new ForgetfulBroker(),
    catalogs: new ForgetfulCatalogs(),
    objects: new ForgetfulObjects(),
    scheduler: openBodyScheduler(systemClock, returningFreed(ownMemory())),
  });
  const takeHeld = watchLoop();
  process.on('message', () => process.send?.({ peakBytes: takePeak(), heldMs: takeHeld() } satisfies Costs));
  process.on('disconnect', () => void gateway.close());
  process.send?.({ url: gateway.url, key: gateway.key });
}
