// A key that floods the log, over HTTP: its pushes wait or are refused with a time to come back, while another key is answered at once; the
// log has every acknowledged push, and nothing of a refused one.
import assert from 'node:assert/strict';
import { afterEach, it } from 'vitest';
import { stalledMs } from '../../../core/scheduling/unfolded.ts';
import { event, kindOf, quote, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';
import { ownMs } from '../../support/processes/own-time.ts';
import { until } from '../../support/services/until.ts';

let gateway: TestGateway;
afterEach(() => gateway?.close());

const offer = Array.from({ length: 1_500 }, (_, at) => ({ ...quote(), market: `m${at}` }));
/** One and a half times the window of a partition. */
const flood = { events: Array.from({ length: 6 }, () => event({ quotes: offer })) };

it('is refused with Retry-After, and no other key is', async () => {
  let folded = 0;
  gateway = await startGateway({ progress: { nextOffsets: async () => new Map([[0, folded]]) } });
  const { broker } = gateway;
  const [flooding, honest] = [1, 2].map(() => gateway.mint(['*'], ['push']).plaintext) as [string, string];
  const push = (key: string, body: unknown, headers = {}) => gateway.push(body, { key, headers });
  assert.equal((await push(honest, { events: [event()] })).status, 202);
  const waiting = Array.from({ length: 5 }, () => push(flooding, flood));
  const refused = async (): Promise<boolean> => (await push(flooding, { events: [] })).status === 429;
  await until('the flood waits for the log', refused);

  const { status, headers, body } = await push(flooding, { events: [event()] }, { 'idempotency-key': 'k' });
  assert.deepEqual([status, kindOf(body), headers.get('retry-after')], [429, 'rate-limited', '1']);
  assert.match(String(body.detail), /pushes of the key wait for the log/);
  const before = broker.records.length;
  assert.equal((await push(honest, { events: [event()] })).status, 202);
  assert.equal(broker.records.length, before + 1);
  assert.equal(
    (await gateway.get('/v1/receipts/none', flooding)).status,
    404,
    'reading receipts does not count as pushing',
  );

  const folding = setInterval(() => {
    folded = broker.records.length;
  }, 20);
  const statuses = (await Promise.all(waiting)).map((answer) => answer.status);
  clearInterval(folding);
  const accepted = statuses.filter((each) => each === 202).length;
  assert.ok(statuses.every((each) => [202, 429].includes(each)) && accepted > 0, statuses.join(' '));
  assert.equal(broker.observations().length, 2 + 6 * accepted);
  folded = broker.records.length;
  assert.equal((await push(flooding, { events: [event()] }, { 'idempotency-key': 'k' })).status, 202);
});

it('is answered when the gateway ends, though nothing is folded any more', async () => {
  gateway = await startGateway({ progress: { nextOffsets: async () => new Map([[0, 0]]) } });
  const { broker } = gateway;
  const [flooding, honest] = [1, 2].map(() => gateway.mint(['*'], ['push']).plaintext) as [string, string];
  assert.equal((await gateway.push({ events: [event()] }, { key: honest })).status, 202);
  const waiting = gateway.push(flood, { key: flooding });
  await until('the flood is at the log', async () => broker.observations().length > 1);
  assert.ok(broker.observations().length < 7);
  const began = ownMs();
  await gateway.close();
  assert.ok(ownMs() - began < stalledMs / 2, 'it does not wait for the fold');
  assert.equal((await waiting).status, 202);
  assert.equal(broker.observations().length, 7);
});
