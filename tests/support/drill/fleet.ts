// The processes of a drill under a supervisor: three projectors, two APIs, two gateways. Each has ports and a data
// directory of its own, with which it is started again whenever it ends.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '../campaigns/program.ts';
import { freePort } from '../services/ports.ts';

export const memberKinds = ['projector', 'api', 'gateway'] as const;
export type MemberKind = (typeof memberKinds)[number];

const counts: Readonly<Record<MemberKind, number>> = { projector: 3, api: 2, gateway: 2 };
const roles: Readonly<Record<MemberKind, string[]>> = {
  projector: ['projectors'],
  api: ['api'],
  gateway: ['ingest', 'ticker'],
};

/** How a member runs: from which checkout, and with which settings besides its own. */
export type Build = { of?: string; environment?: Readonly<Record<string, string>> };

export class Member {
  readonly name: string;
  readonly kind: MemberKind;
  /** The public URL of an API, or that of the gateway; null for a member without one. */
  readonly url: string | null;
  readonly internalUrl: string;
  /** Every program started as this member. */
  readonly programs: Program[] = [];
  /** The build it runs now. */
  build: Build = {};
  readonly #environment: Readonly<Record<string, string>>;
  /** Whether the supervisor should keep it running. */
  #isWanted = false;

  constructor(kind: MemberKind, name: string, environment: Readonly<Record<string, string>>, internalPort: number) {
    const port = kind === 'api' ? environment.SDS_API_PORT : environment.SDS_INGEST_PORT;
    this.kind = kind;
    this.name = name;
    this.url = kind === 'projector' ? null : `http://127.0.0.1:${port}`;
    this.internalUrl = `http://127.0.0.1:${internalPort}`;
    this.#environment = { ...environment, SDS_INTERNAL_PORT: String(internalPort) };
    this.#become({});
  }

  get program(): Program {
    return this.programs.at(-1) as Program;
  }

  #become(build: Build): void {
    const { of, environment = {} } = build;
    this.build = build;
    const command = { roles: roles[this.kind], ...(of === undefined ? {} : { of }) };
    this.programs.push(new Program(this.name, { ...this.#environment, ...environment }, command));
  }

  start(): void {
    this.#isWanted = true;
    this.program.start();
  }

  /** Restarts it, as a supervisor does after a process has ended on its own. */
  startAgain(): void {
    if (this.#isWanted && !this.program.running) this.program.start();
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    this.program.terminate();
    await this.program.ended();
  }

  /** Sends SIGKILL; the caller starts it again. */
  async kill(): Promise<void> {
    this.#isWanted = false;
    await this.program.kill();
  }

  async untilReady(): Promise<void> {
    await this.program.untilReady();
    if (!this.program.ready)
      throw new Error(`${this.name} does not start: ${JSON.stringify(this.program.ends.at(-1))}`);
  }

  /** Replaces it as a deploy does: stops the old one, then starts the new one. Answers when it started that. */
  async replace(build: Build): Promise<number> {
    await this.stop();
    this.#become(build);
    const startedAt = performance.now();
    this.start();
    await this.untilReady();
    return startedAt;
  }
}

const supervisedEveryMs = 200;

export class Fleet {
  readonly members: readonly Member[];
  #supervisor: NodeJS.Timeout | undefined;

  constructor(members: readonly Member[]) {
    this.members = members;
  }

  of(kind: MemberKind): Member[] {
    return this.members.filter((member) => member.kind === kind);
  }

  /** The URLs of all members of a kind. */
  urls(kind: 'api' | 'gateway'): string[] {
    return this.of(kind).flatMap(({ url }) => url ?? []);
  }

  async start(): Promise<void> {
    for (const member of this.members) member.start();
    for (const member of this.members) await member.untilReady();
    this.#supervisor = setInterval(() => {
      for (const member of this.members) member.startAgain();
    }, supervisedEveryMs);
  }

  async kill(): Promise<void> {
    clearInterval(this.#supervisor);
    for (const member of this.members) await member.kill();
  }
}

export async function openFleet(folder: string, environment: Readonly<Record<string, string>>): Promise<Fleet> {
  const members: Member[] = [];
  for (const kind of memberKinds) {
    for (let number = 1; number <= counts[kind]; number += 1) {
      const name = `${kind}${number}`;
      const own = join(folder, name);
      mkdirSync(own);
      const ports = { SDS_API_PORT: String(await freePort()), SDS_INGEST_PORT: String(await freePort()) };
      members.push(new Member(kind, name, { ...environment, SDS_DATA_DIR: own, ...ports }, await freePort()));
    }
  }
  return new Fleet(members);
}
