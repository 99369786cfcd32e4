// Large bodies have the memory of the gateway one at a time (docs/operations.md#room-for-bodies). Claim: one whose records wait for the log holds
// up no other meanwhile, whatever it waits to append: the starts of its games, its observations, or its quotes. A violation would need it to
// wait within the lane; the other body is then never answered.
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'vitest';
import type { Ends, OutgoingRecord } from '../../../core/ports/broker.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { bodyOf, gameObject } from '../../support/builders/msf-bodies.ts';
import { FakeLogBroker } from '../../support/fakes/gateway-fakes.ts';
import { event, type Reply, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';

/** A log that delays its answer to the first append to a topic until released. */
class HoldingBroker extends FakeLogBroker {
  readonly topic: string;
  readonly held = Promise.withResolvers<void>();
  readonly released = Promise.withResolvers<void>();
  #isHeld = false;

  constructor(topic: string) {
    super();
    this.topic = topic;
  }

  override async produce(topic: string, records: readonly OutgoingRecord[]): Promise<Ends> {
    if (topic === this.topic && !this.#isHeld) {
      this.#isHeld = true;
      this.held.resolve();
      await this.released.promise;
    }
    return super.produce(topic, records);
  }
}

let broker: HoldingBroker;
let gateway: TestGateway;
afterEach(() => {
  broker.released.resolve();
  return gateway.close();
});

/** A body so large that it is handled in the lane of large bodies. */
const large = (body: unknown): string => `${JSON.stringify(body)}${' '.repeat(1_100_000)}`;

const pushes: Readonly<Record<'msf' | 'quotes', (key: string) => Promise<Reply>>> = {
  msf: (key) =>
    gateway.push(large(bodyOf({ games: [{ schedule: gameObject(), score: {} }] })), {
      key,
      path: '/v1/sources/feed/msf/nba/2025-2026-regular/games',
    }),
  quotes: (key) => gateway.push(large({ events: [event()] }), { key }),
};

describe('a large body that waits for the log', () => {
  for (const [what, pushed, topic] of [
    ['the starts of the games that it founds', 'msf', topics.quotes],
    ['its observations', 'msf', topics.observations],
    ['its quotes', 'quotes', topics.quotes],
  ] as const) {
    it(`to take ${what} holds up no other large body`, async () => {
      broker = new HoldingBroker(topic);
      gateway = await startGateway({ broker });
      const other = gateway.mint(['*'], ['push', 'msf']).plaintext;
      const first = pushes[pushed](gateway.key);
      await broker.held.promise;
      for (const kind of ['quotes', 'msf'] as const) assert.equal((await pushes[kind](other)).status, 202, kind);
      broker.released.resolve();
      assert.equal((await first).status, 202);
      assert.deepEqual(gateway.catalogs.letters, []);
    });
  }
});
