// Runs the attacks of the hostile keys in a campaign of tenants. Each key runs several at once, chosen by the seed,
// each attack once before any repeats, as fast as the answers come. Counts the answers of each attack, and records
// those that no attack may get.
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../../oracle/random.ts';
import { alwaysRight, type DeedContext, deeds } from './tenants-deeds.ts';
import type { Tenant } from './tenants-grants.ts';

export type HostileOptions = Pick<DeedContext, 'gatewayUrl' | 'seed' | 'games' | 'startsAt' | 'honestReceipt'> & {
  keys: readonly Tenant[];
  /** How many attacks a key runs at once. */
  atOnce: number;
  /** Awaited before each attack. */
  untilResumed?: () => Promise<void>;
  isPaused?: () => boolean;
};

export type Hostile = {
  /** How often each attack ran. */
  done: Map<string, number>;
  /** How often each status was answered; 0 stands for no answer. */
  statuses: Map<number, number>;
  /** Bytes of the bodies sent, as sent. */
  bytes: number;
  breaches: Set<string>;
  stop(): Promise<void>;
};

/** A pause between two attacks, in which this process can do other work: attacks themselves never wait. */
const breathMs = 5;

export function startHostile(options: HostileOptions): Hostile {
  const stopped = new AbortController();
  const hostile: Hostile = {
    done: new Map(),
    statuses: new Map(),
    bytes: 0,
    breaches: new Set(),
    async stop() {
      stopped.abort();
      await working;
    },
  };
  let nth = 0;
  const deal = seededRandom(options.seed * 61);
  /** These attacks come first: later the honest sources might be there before them. */
  const deck = ['squat', 'colleges'];
  const draw = (): string => {
    if (deck.length === 0) deck.push(...Object.keys(deeds));
    return deck.splice(deal.integer(deck.length), 1)[0] as string;
  };

  async function post(key: string, path: string, body: string | Uint8Array, headers: object = {}): Promise<number> {
    hostile.bytes += body.length;
    try {
      const response = await fetch(options.gatewayUrl + path, {
        method: 'POST',
        body: body as string | Uint8Array<ArrayBuffer>,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(30_000)]),
      });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  async function work({ source, key }: Tenant, number: number): Promise<void> {
    const random = seededRandom(options.seed * 53 + number);
    for (;;) {
      await options.untilResumed?.();
      if (stopped.signal.aborted) return;
      const name = draw();
      const deed = deeds[name];
      if (deed === undefined) throw new Error(name);
      nth += 1;
      const context: DeedContext = {
        ...options,
        source,
        key,
        random,
        nth,
        signal: stopped.signal,
        isEnding: () => stopped.signal.aborted || options.isPaused?.() === true,
        post: (path, body, headers) => post(key, path, body, headers),
      };
      const status = await deed.do(context);
      hostile.done.set(name, (hostile.done.get(name) ?? 0) + 1);
      hostile.statuses.set(status, (hostile.statuses.get(status) ?? 0) + 1);
      if (!alwaysRight.includes(status) && !deed.right.includes(status))
        hostile.breaches.add(`${source}, ${name}: ${status}`);
      await delay(breathMs);
    }
  }

  const workers = options.keys.flatMap((tenant, index) =>
    Array.from({ length: options.atOnce }, (_, number) => work(tenant, index * options.atOnce + number)),
  );
  const working = Promise.all(workers);
  return hostile;
}
