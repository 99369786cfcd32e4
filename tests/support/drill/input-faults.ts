// Faults of the input: invalid records in the log and invalid bodies at the gateway, and processes whose clock is
// wrong.
import { fileURLToPath } from 'node:url';
import kafkajs from 'kafkajs';
import { topics } from '../../../schemas/events/topics.ts';
import type { DrillFault, Scene } from './drill-fault.ts';
import type { MemberKind } from './fleet.ts';

const records = 2_000;
const bodies = 300;

const poisonFlood: DrillFault = {
  name: 'poison-flood',
  async begin(scene) {
    await Promise.all([poisonLog(scene, topics.quotes), poisonLog(scene, topics.observations), poisonGateway(scene)]);
    return { reportedAs: null, end: async () => {} };
  },
};

/** Writes bytes that are no record: without a schema, with an unknown schema, and cut off. */
async function poisonLog({ place: { brokers }, random }: Scene, topic: string): Promise<void> {
  const { Kafka: Client, logLevel } = kafkajs;
  const producer = new Client({ brokers: [...brokers], logLevel: logLevel.NOTHING }).producer();
  await producer.connect();
  const bytes = (): Buffer => Buffer.from(Array.from({ length: 1 + random.integer(200) }, () => random.integer(256)));
  const unknown = Buffer.from([0, 0x7f, 0xff, 0xff, 0xff]);
  for (let sent = 0; sent < records; sent += 100) {
    const messages = Array.from({ length: 100 }, (_, index) => ({
      key: `poison-${random.integer(1_000)}`,
      value: index % 3 === 0 ? null : index % 3 === 1 ? bytes() : Buffer.concat([unknown, bytes()]),
    }));
    await producer.send({ topic, messages });
  }
  await producer.disconnect();
}

/** Pushes bodies that are invalid in every way; each is refused. */
async function poisonGateway({ pushing: { gateways, feedKey }, random }: Scene): Promise<void> {
  const poison = ['{', '[]', '{"events":[{"kind":"image"}]}', '\u0000', `{"events":${'['.repeat(5_000)}`];
  const headers = { authorization: `Bearer ${feedKey}`, 'content-type': 'application/json' };
  for (let sent = 0; sent < bodies; sent += 10) {
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const url = `${random.pick(gateways)}/v1/sources/poison/quotes`;
        const response = await fetch(url, { method: 'POST', headers, body: random.pick(poison) });
        await response.arrayBuffer();
        if (response.status < 400 || response.status >= 500) throw new Error(`poison was answered ${response.status}`);
      }),
    );
  }
}

const skew = fileURLToPath(new URL('skewed-clock.ts', import.meta.url));

function wrongClock(kind: MemberKind, skewMs: number): DrillFault {
  return {
    name: `clock-${kind}`,
    lastsMs: 6_000,
    async begin({ fleet, random }) {
      const member = random.pick(fleet.of(kind));
      const { build } = member;
      const environment = { NODE_OPTIONS: `--import=${skew}`, SDS_DRILL_SKEW_MS: String(skewMs) };
      const begunAt = await member.replace({ ...build, environment });
      return { reportedAs: /^clock$/, begunAt, end: async () => void (await member.replace(build)) };
    },
  };
}

export const inputFaults: readonly DrillFault[] = [
  poisonFlood,
  wrongClock('projector', -45_000),
  wrongClock('api', -45_000),
  wrongClock('gateway', 45_000),
];
