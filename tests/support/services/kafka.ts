// Kafka, one node in KRaft mode, from Maven Central. Fast to start, to fail over and to come back; no topic appears by itself.
// Times by the broker are a topic's own setting (`message.timestamp.type=LogAppendTime`), given where the topic is made.
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import kafkajs from 'kafkajs';
import { installed, needJava, needProgram, run } from './installed.ts';
import { leashedDirectory } from './leash.ts';
import { freePort } from './ports.ts';
import { type Controls, startService } from './process.ts';

const version = '4.4.0';

export type Kafka = { readonly brokers: readonly string[] };

/** The pom of 4.4.0 names a module that was never published. */
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tests</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version>
    <exclusions><exclusion><groupId>org.apache.kafka</groupId><artifactId>kafka-tools-api</artifactId></exclusion></exclusions>
  </dependency></dependencies>
</project>
`;

/** `more`: listeners beside the plain one, `SASL_SSL://127.0.0.1:9093`, whose settings are among `settings`. */
export async function startKafka(
  settings: Record<string, string> = {},
  more: readonly string[] = [],
): Promise<Kafka & Controls> {
  const java = await needJava();
  const home = await installed('kafka', version, 'Maven Central', async (directory) => {
    writeFileSync(join(directory, 'pom.xml'), pom);
    const goal = ['dependency:copy-dependencies', '-f', 'pom.xml', '-DoutputDirectory=lib', '-DincludeScope=runtime'];
    await run(needProgram('mvn'), ['-B', '-ntp', '-q', ...goal], { cwd: directory });
  });
  const classes = ['-cp', join(home, 'lib', '*')];
  const directory = leashedDirectory('kafka');
  const [port, controllerPort] = [await freePort(), await freePort()];
  const file = join(directory.path, 'server.properties');
  writeFileSync(file, properties({ ...serverSettings(port, controllerPort, directory.path, more), ...settings }));
  mkdirSync(join(directory.path, 'log'));
  const id = randomBytes(16).toString('base64url').replace(/^-/, 'A');
  await run(java, ['-XX:TieredStopAtLevel=1', ...classes, 'kafka.tools.StorageTool', 'format', '-t', id, '-c', file]);

  const brokers = [`127.0.0.1:${port}`];
  const controls = await startService({
    name: 'Kafka',
    program: java,
    args: ['-Xms256m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', ...classes, 'kafka.Kafka', file],
    directory,
    ready: () => answers(brokers),
  });
  return { brokers, ...controls };
}

function serverSettings(
  port: number,
  controllerPort: number,
  directory: string,
  more: readonly string[],
): Record<string, string> {
  const listeners = [`PLAINTEXT://127.0.0.1:${port}`, ...more].join();
  return {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `${listeners},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': listeners,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': join(directory, 'log'),
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '1',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
    // A broker killed -9 is believed dead after 2 s, and takes that much less to come back.
    'broker.session.timeout.ms': '2000',
    'broker.heartbeat.interval.ms': '500',
    // Retention and deletion of records are acted on within the length of a test.
    'log.retention.check.interval.ms': '1000',
    'log.initial.task.delay.ms': '1000',
  };
}

function properties(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Ready once a client gets metadata that names a broker: the port opens long before. */
async function answers(brokers: readonly string[]): Promise<boolean> {
  const { Kafka: Client, logLevel } = kafkajs;
  const options = { brokers: [...brokers], logLevel: logLevel.NOTHING, connectionTimeout: 1000, requestTimeout: 2000 };
  const admin = new Client({ ...options, retry: { retries: 0 } }).admin();
  try {
    await admin.connect();
    const cluster = await admin.describeCluster();
    return cluster.brokers.length > 0 && cluster.controller !== null;
  } finally {
    await admin.disconnect();
  }
}
