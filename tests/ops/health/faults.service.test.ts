// Faults of the services behind a distributed edition as health tells of them (docs/operations.md#health): each within 15 s, to an API that sees
// neither the log nor the registry, and no more once it is over. A violation is a service that says ok while nothing becomes visible.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { serviceTopics } from '../../../platform/broker/topic-settings.ts';
import { openKafkaBroker } from '../../../platform/kafka/kafka-broker.ts';
import { distributedEdition, distributedSkip, renameTopics } from '../../support/editions/distributed.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { sendMoneyline } from '../../support/editions/push-moneyline.ts';
import { openProxy } from '../../support/services/broker-proxy.ts';
import { services } from '../../support/services/services.ts';
import { unique } from '../../support/services/unique.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const registry = await services.registry();
const kafka = await services.kafka();
const within = { withinMs: 15_000 };
const roles = ['api', 'ingest', 'projectors'] as const;

const degradedOf = async (url: string): Promise<string[]> =>
  ((await (await fetch(`${url}/health`)).json()) as { degraded: string[] }).degraded;

describe('health', skipFor(distributedSkip), () => {
  it.each([
    ['bucket that is missing', { S3_BUCKET: unique('no-such-bucket') }, {}],
    ['secret that is wrong', {}, { AWS_SECRET_ACCESS_KEY: 'not-the-secret' }],
  ] as const)(
    'tells of a %s, and that what is pushed does not become visible',
    {},
    async (_fault, wrong, credentials) => {
      const { drop, ...given } = await distributedEdition();
      const right = { ...process.env };
      Object.assign(process.env, credentials);
      const environment = { ...given.environment, ...wrong };
      const edition = await startEdition({ ...given, environment, roles, ticks: true });
      try {
        const key = await edition.feedKey(['push']);
        const pushing = setInterval(() => void push(edition, key), 1_000);
        try {
          for (const url of [edition.apiUrl, edition.ingestUrl])
            await until(
              'the store and the standing checkpoint',
              async () => {
                const degraded = await degradedOf(url);
                return degraded.includes('objects') && degraded.some((name) => name.startsWith('stalled live/'));
              },
              within,
            );
        } finally {
          clearInterval(pushing);
        }
      } finally {
        await edition.stop();
        await drop();
        Object.assign(process.env, { AWS_SECRET_ACCESS_KEY: right.AWS_SECRET_ACCESS_KEY });
      }
    },
  );

  it('tells of a registry and of brokers that are away, and of neither when they are back', async () => {
    if (registry.skip !== false || kafka.skip !== false) throw new Error('skipped above');
    const { environment, drop } = await distributedEdition();
    const registryUrl = new URL(registry.url);
    const proxy = await openProxy(registryUrl.hostname, Number(registryUrl.port));
    registryUrl.port = String(proxy.port);
    const prefix = `${unique('t')}.`;
    let away = false;
    const openBroker = async () => {
      const topics = serviceTopics(4).map((topic) => ({ ...topic, name: prefix + topic.name }));
      const broker = openKafkaBroker({ brokers: kafka.brokers, registry: { url: registryUrl.href }, topics });
      const renamed = renameTopics(broker, prefix);
      return { ...renamed, healthy: async () => !away && (await broker.healthy()) };
    };
    const edition = await startEdition({ environment, openBroker, roles, ticks: true });
    const becomes = (names: readonly string[]) =>
      until(
        `degraded is ${names.join() || 'nothing'}`,
        async () => {
          const degraded = await degradedOf(edition.apiUrl);
          return degraded.toSorted().join() === names.join();
        },
        within,
      );
    try {
      await becomes([]);
      await proxy.cut();
      await becomes(['registry']);
      assert.equal((await fetch(`${edition.ingestUrl}/health/ready`)).status, 200, 'pushes are still accepted');
      await proxy.mend();
      await becomes([]);
      away = true;
      await becomes(['log']);
      away = false;
      await becomes([]);
    } finally {
      await edition.stop();
      await proxy.close();
      await drop();
    }
  });
});

async function push(edition: Edition, key: string): Promise<void> {
  await sendMoneyline({ gateway: edition.ingestUrl, key }, 110);
}
