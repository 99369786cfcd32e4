// The processes of a drill, as a supervisor has them: three projectors, two APIs, two gateways, each with ports and a data directory of its
// own, by which it is started again after any end.
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

/** How a member is run: of which checkout, with which settings beside its own. */
export type Build = { of?: string; environment?: Readonly<Record<string, string>> };

export class Member {
  readonly name: string;
  readonly kind: MemberKind;
  /** The public listener of an API, the gateway's own; null where a member has none. */
  readonly url: string | null;
  readonly internalUrl: string;
  /** Every program that it has been. */
  readonly programs: Program[] = [];
  /** What it is now. */
  build: Build = {};
  readonly #environment: Readonly<Record<string, string>>;
  /** Whether the supervisor is to keep it running. */
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

  /** What a supervisor does with one that has ended by itself. */
  startAgain(): void {
    if (this.#isWanted && !this.program.running) this.program.start();
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    this.program.terminate();
    await this.program.ended();
  }

  /** SIGKILL; the caller starts it again. */
  async kill(): Promise<void> {
    this.#isWanted = false;
    await this.program.kill();
  }

  async untilReady(): Promise<void> {
    await this.program.untilReady();
    if (!this.program.ready)
      throw new Error(`${this.name} does not start: ${JSON.stringify(this.program.ends.at(-1))}`);
  }

  /** As a deploy does: the old one is asked to stop, the new one starts when it has. */
  async replace(build: Build): Promise<void> {
    await this.stop();
    this.#become(build);
    this.start();
    await this.untilReady();
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

  /** The listeners of a kind that others know. */
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
