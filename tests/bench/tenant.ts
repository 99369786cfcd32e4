// A feed key of a started service, and pushes with it.
import { setTimeout as delay } from 'node:timers/promises';
import { runSds } from '../support/processes/sds.ts';
import { gameOf, quotesOf } from './flood-bodies.ts';
import { request } from './http.ts';
import type { StartedService } from './started-service.ts';

const givenUpMs = 60_000;

export type Tenant = { source: string; key: string };

export async function mint(service: StartedService, source: string): Promise<Tenant> {
  const args = ['feed-keys', 'mint', '--source', source, '--scope', 'push', '--json'];
  const { code, out, err } = await runSds({ SDS_DATA_DIR: service.dataDir }, args);
  if (code !== 0) throw new Error(err);
  return { source, key: (JSON.parse(out) as { feed_key: string }).feed_key };
}

/** Milliseconds until the push is visible; a push refused for now is repeated. */
export async function push(
  { ready }: StartedService,
  { source, key }: Tenant,
  turn: number,
  game = gameOf(turn),
): Promise<number> {
  const began = performance.now();
  const event = { kind: 'image', operator: 'HONEST', game, quotes: quotesOf(20, turn) };
  const body = JSON.stringify({ events: [event] });
  let receipt = '';
  while (performance.now() - began < givenUpMs) {
    const answer = await request(`${ready.ingest_url}/v1/sources/${source}/quotes`, key, { method: 'POST', body });
    if (answer.status === 202) {
      receipt = (JSON.parse(answer.body) as { receipt: string }).receipt;
      break;
    }
    if (answer.status !== 429) throw new Error(`push: ${answer.status} ${answer.body}`);
    await delay(200);
  }
  while (performance.now() - began < givenUpMs) {
    const { body: state } = await request(`${ready.ingest_url}/v1/receipts/${receipt}`, key);
    if ((JSON.parse(state) as { state?: string }).state === 'applied') break;
    await delay(10);
  }
  return performance.now() - began;
}
