// Kafka, one node in KRaft mode, from Maven Central or in a container. It starts, fails over and comes back fast, and
// creates no topic on its own. Broker times are a setting of each topic (`message.timestamp.type=LogAppendTime`), given
// when it is created.
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { containerHost, startContainer } from './container.ts';
import { images, versions } from './images.ts';
import { installed, needJava, needProgram, run } from './installed.ts';
import { leashedDirectory } from './leash.ts';
import { freePort } from './ports.ts';
import { type Controls, startService } from './process.ts';
import { inContainers } from './way.ts';

const version = versions.kafka;

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

export type KafkaOptions = {
  settings?: Readonly<Record<string, string>>;
  /** Listeners besides the plain one, such as `{ SASL_SSL: 9093 }`; their settings are in `settings`. */
  more?: Readonly<Record<string, number>>;
  /** Files that the settings name. */
  files?: readonly string[];
  /** Logins of SCRAM-SHA-512 by name. */
  scram?: Readonly<Record<string, string>>;
};

export async function startKafka(options: KafkaOptions = {}): Promise<Kafka & Controls> {
  return (await inContainers()) ? await startKafkaContainer(options) : await startKafkaProgram(options);
}

export async function startKafkaContainer(options: KafkaOptions = {}): Promise<Kafka & Controls> {
  const [host, port] = [await containerHost(), await freePort()];
  const { settings = {}, more = {}, files = [], scram = {} } = options;
  // A broker tells its clients its own address, so it listens on the port under which they reach it.
  const ports = { PLAINTEXT: port, ...more };
  const place = { at: '0.0.0.0', advertised: host, ports, controllerPort: 9093, log: '/var/lib/kafka/data' };
  const file = '/tmp/server.properties';
  const logins = scramArguments(scram).map((word) => (word.startsWith('--') ? word : `'${word}'`));
  const words = ['/opt/kafka/bin/kafka-storage.sh format --ignore-formatted -t', clusterId(), '-c', file, ...logins];
  const brokers = [`${host}:${port}`];
  const controls = await startContainer({
    name: 'Kafka',
    image: images.kafka,
    entrypoint: ['sh', '-c'],
    command: [`${words.join(' ')} && exec /opt/kafka/bin/kafka-server-start.sh ${file}`],
    environment: { KAFKA_HEAP_OPTS: memory.join(' '), KAFKA_JVM_PERFORMANCE_OPTS: speed.join(' ') },
    ports: Object.values(ports).map((each) => ({ container: each, host: each })),
    files: [
      { path: file, content: properties({ ...serverSettings(place), ...settings }) },
      ...files.map((path) => ({ path, content: readFileSync(path) })),
    ],
    ready: () => answers(brokers),
  });
  return { brokers, ...controls };
}

const memory = ['-Xms256m', '-Xmx512m'];
const speed = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

function scramArguments(logins: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(logins);
  return entries.flatMap(([name, password]) => ['--add-scram', `SCRAM-SHA-512=[name=${name},password=${password}]`]);
}

function clusterId(): string {
  return randomBytes(16).toString('base64url').replace(/^-/, 'A');
}

/** The JVM and the path of Kafka's classes. */
type Programs = { java: string; lib: string };

async function startKafkaProgram(options: KafkaOptions): Promise<Kafka & Controls> {
  const programs = await installPrograms();
  const quick = await installed('kafka-start', version, 'one start of Kafka', (home) => prepareStart(programs, home));
  const flags = [`-XX:SharedArchiveFile=${join(quick, 'classes.jsa')}`];
  return await startBroker(programs, options, flags, async (broker) => {
    if (options.scram !== undefined) return await format(broker, flags, options.scram);
    cpSync(join(quick, 'log'), broker.log, { recursive: true });
    const file = join(broker.log, 'meta.properties');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^cluster\.id=.*$/m, `cluster.id=${clusterId()}`));
  });
}

async function installPrograms(): Promise<Programs> {
  const java = await needJava();
  const home = await installed('kafka', version, 'Maven Central', async (directory) => {
    writeFileSync(join(directory, 'pom.xml'), pom);
    const goal = ['dependency:copy-dependencies', '-f', 'pom.xml', '-DoutputDirectory=lib', '-DincludeScope=runtime'];
    await run(needProgram('mvn'), ['-B', '-ntp', '-q', ...goal], { cwd: directory });
  });
  return { java, lib: join(home, 'lib') };
}

/**
 * Prepares what is the same at each start, which halves the CPU of a start: a formatted log directory, and an archive
 * of Kafka's classes as the JVM keeps them after loading. A JVM that cannot use the archive works without it.
 */
async function prepareStart(programs: Programs, home: string): Promise<void> {
  const flags = ['-XX:+IgnoreUnrecognizedVMOptions', `-XX:ArchiveClassesAtExit=${join(home, 'classes.jsa')}`];
  await using broker = await startBroker(programs, {}, flags, async (started) => {
    await format(started, [], {});
    cpSync(started.log, join(home, 'log'), { recursive: true });
  });
  await broker.stop();
}

type Broker = Programs & { directory: string; file: string; log: string };

/** The archive contains the path of the classes, which is relative so that a checkout can be moved. */
const classes = ['-cp', 'lib/*'];

async function format(
  { java, directory, file }: Broker,
  flags: readonly string[],
  scram: Readonly<Record<string, string>>,
) {
  const words = ['format', '-t', clusterId(), '-c', file, ...scramArguments(scram)];
  const options = { cwd: directory };
  await run(java, [...speed, ...flags, ...classes, 'kafka.tools.StorageTool', ...words], options);
}

async function startBroker(
  programs: Programs,
  { settings = {}, more = {} }: KafkaOptions,
  flags: readonly string[],
  prepare: (broker: Broker) => Promise<void>,
): Promise<Kafka & Controls> {
  const directory = leashedDirectory('kafka');
  symlinkSync(programs.lib, join(directory.path, 'lib'));
  const [port, controllerPort] = [await freePort(), await freePort()];
  const file = join(directory.path, 'server.properties');
  const ports = { PLAINTEXT: port, ...more };
  const log = join(directory.path, 'log');
  const place = { at: '127.0.0.1', advertised: '127.0.0.1', ports, controllerPort, log };
  writeFileSync(file, properties({ ...serverSettings(place), ...settings }));
  mkdirSync(log);
  await prepare({ ...programs, directory: directory.path, file, log });
  const brokers = [`127.0.0.1:${port}`];
  const controls = await startService({
    name: 'Kafka',
    program: programs.java,
    args: [...memory, ...speed, ...flags, ...classes, 'kafka.Kafka', file],
    directory,
    ready: () => answers(brokers),
  });
  return { brokers, ...controls };
}

type Place = {
  at: string;
  /** The address for clients. */
  advertised: string;
  ports: Readonly<Record<string, number>>;
  controllerPort: number;
  log: string;
};

function serverSettings({ at, advertised, ports, controllerPort, log }: Place): Record<string, string> {
  const listenersAt = (host: string) =>
    Object.entries(ports)
      .map(([name, port]) => `${name}://${host}:${port}`)
      .join();
  return {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `${listenersAt(at)},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': listenersAt(advertised),
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': log,
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '1',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
    // A killed broker counts as dead after 2 s, so it comes back sooner.
    'broker.session.timeout.ms': '2000',
    'broker.heartbeat.interval.ms': '500',
    // Retention and deletion take effect within a test.
    'log.retention.check.interval.ms': '1000',
    'log.initial.task.delay.ms': '1000',
  };
}

function properties(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Ready once a client gets metadata with a broker; the port opens long before. */
async function answers(brokers: readonly string[]): Promise<boolean> {
  // Loaded by who starts a broker: most files that use services start none.
  const { Kafka: Client, logLevel } = (await import('kafkajs')).default;
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
