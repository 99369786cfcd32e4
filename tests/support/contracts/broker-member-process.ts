// A member of a group in a separate process, for tests that kill or freeze it. It writes each broker event as a line of
// JSON.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TopicSettings } from '../../../platform/broker/topic-settings.ts';
import { openEmbeddedLog } from '../../../platform/embedded-log/embedded-log.ts';
import { openKafkaBroker } from '../../../platform/kafka/kafka-broker.ts';
import { openPool } from '../../../platform/postgres/sql.ts';
import { freezeTree } from '../processes/process-tree.ts';
import { leashProcess } from '../services/leash.ts';
import type { Address } from './broker-subjects.ts';

type Task = { address: Address; topic: TopicSettings; group: string; sessionMs: number };

const thisFile = fileURLToPath(import.meta.url);

export class MemberProcess {
  /** `assigned 0`, `revoked 0`, `offset 0 17`, `failed …`, in order. */
  readonly events: string[] = [];
  readonly #child: ChildProcess;
  readonly #unleash: () => void;

  constructor(task: Task) {
    this.#child = spawn(process.execPath, [thisFile, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#unleash = leashProcess(this.#child.pid as number, 'KILL');
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) =>
      this.events.push(line),
    );
  }

  async freeze(): Promise<void> {
    await freezeTree(this.#child.pid as number);
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
    this.#unleash();
  }
}

async function main({ address, topic, group, sessionMs }: Task): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const broker =
    'postgres' in address
      ? openEmbeddedLog({ sql: openPool({ connection: address.postgres }), topics: [topic], sessionMs })
      : openKafkaBroker({
          brokers: address.brokers,
          registry: { url: address.registryUrl },
          topics: [topic],
          sessionMs,
        });
  await broker.consume(
    { topic: topic.name, group },
    {
      async assigned(partition) {
        say(`assigned ${partition}`);
        return 0;
      },
      revoked: (partition) => void say(`revoked ${partition}`),
      async batch({ partition, records }) {
        for (const { offset } of records) say(`offset ${partition} ${offset}`);
      },
      failed: (error) => void say(`failed ${error.message}`),
    },
  );
}

if (process.argv[1] === thisFile) await main(JSON.parse(process.argv[2] as string) as Task);
