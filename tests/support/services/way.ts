// How the services of the tests are started: in containers where a Docker engine answers, else as programs installed on this machine.
//
//   SDS_TEST_SERVICES=auto      containers if an engine answers within two seconds, else programs (default)
//   SDS_TEST_SERVICES=docker    containers; without an engine, tests of services are skipped by name
//   SDS_TEST_SERVICES=native    programs; no engine is asked
//
// The engine is the one of DOCKER_HOST, else the first of Docker's usual sockets that answers.
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ServiceMissing } from './missing.ts';

export type Way =
  | { kind: 'docker'; engine: string; why: string }
  | { kind: 'native'; why: string }
  /** Containers were requested, but there is no engine. */
  | { kind: 'none'; why: string };

type Environment = Readonly<Record<string, string | undefined>>;
type Answer = { engine: string } | { silent: string };

const choices = ['auto', 'docker', 'native'];
const patienceMs = 2_000;

/** @throws Error if SDS_TEST_SERVICES is none of its values */
export async function chooseWay(
  environment: Environment,
  sockets: readonly string[],
  withinMs = patienceMs,
): Promise<Way> {
  const asked = environment.SDS_TEST_SERVICES || 'auto';
  if (!choices.includes(asked))
    throw new Error(`SDS_TEST_SERVICES is ${asked}: it must be one of ${choices.join(', ')}`);
  if (asked === 'native') return { kind: 'native', why: 'SDS_TEST_SERVICES=native' };
  const answer = await findEngine(environment.DOCKER_HOST ?? '', sockets, withinMs);
  if ('engine' in answer)
    return { kind: 'docker', engine: answer.engine, why: `the Docker engine at ${answer.engine} answers` };
  return { kind: asked === 'docker' ? 'none' : 'native', why: answer.silent };
}

/** The sockets of Docker, by default and for a single user. */
export function usualSockets(environment: Environment): string[] {
  const own = environment.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.() ?? 0}`;
  const desktop = ['run', 'desktop'].map((folder) => join(homedir(), '.docker', folder, 'docker.sock'));
  return ['/var/run/docker.sock', join(own, 'docker.sock'), ...desktop];
}

/** The way and its reason, as one line. */
export function sentenceOf(way: Way): string {
  const how = { docker: 'in containers', native: 'as programs of this machine', none: 'nowhere' }[way.kind];
  return `Services run ${how}: ${way.why}`;
}

async function findEngine(host: string, sockets: readonly string[], withinMs: number): Promise<Answer> {
  if (host !== '') {
    const address = addressOf(host);
    if (address === null) return { silent: `DOCKER_HOST is ${host}, which is no unix:///path and no tcp://host:port` };
    const silence = await silenceOf(address, withinMs);
    return silence === null ? { engine: host } : { silent: `the Docker engine of DOCKER_HOST, ${host}, ${silence}` };
  }
  const present = sockets.filter((path) => existsSync(path));
  if (present.length === 0) return { silent: 'DOCKER_HOST is not set, and Docker has no socket here' };
  // All sockets are asked at once, so that one that hangs costs only its own time-out.
  const silences = await Promise.all(present.map((socketPath) => silenceOf({ socketPath }, withinMs)));
  const found = silences.indexOf(null);
  if (found !== -1) return { engine: `unix://${present[found]}` };
  return { silent: present.map((path, index) => `the Docker engine at ${path} ${silences[index]}`).join(', ') };
}

type Address = { socketPath: string } | { host: string; port: string };

function addressOf(host: string): Address | null {
  if (!URL.canParse(host)) return null;
  const { protocol, hostname, port, pathname } = new URL(host);
  if (protocol === 'unix:' && hostname === '' && pathname.length > 1) return { socketPath: pathname };
  if (protocol === 'tcp:' && hostname !== '' && port !== '') return { host: hostname, port };
  return null;
}

/** Why the engine cannot be used; null if it answers. */
function silenceOf(address: Address, withinMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const asked = request({ ...address, path: '/_ping', agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200 ? null : `answers with status ${answer.statusCode}`);
    });
    const late = setTimeout(() => {
      resolve(`does not answer within ${withinMs / 1000} s`);
      asked.destroy();
    }, withinMs);
    asked.on('error', (error: NodeJS.ErrnoException) => resolve(`cannot be reached (${error.code ?? error.message})`));
    asked.on('close', () => clearTimeout(late));
    asked.end();
  });
}

let chosen: Promise<Way> | undefined;

/** The way of this process, chosen once. */
export function chosenWay(): Promise<Way> {
  chosen ??= chooseWay(process.env, usualSockets(process.env));
  return chosen;
}

/** Chooses the way for this process and those it starts, and prints it. */
export async function settleWay(say: (line: string) => void): Promise<void> {
  const way = await chosenWay();
  say(sentenceOf(way));
  process.env.SDS_TEST_SERVICES = way.kind === 'native' ? 'native' : 'docker';
  if (way.kind === 'docker') process.env.DOCKER_HOST = way.engine;
}

/** Whether services are started in containers. @throws ServiceMissing if they must be and cannot */
export async function inContainers(): Promise<boolean> {
  if ((process.env.SDS_TEST_SERVICES || 'auto') === 'auto') await settleWay((line) => console.error(line));
  const way = await chosenWay();
  if (way.kind === 'none') throw new ServiceMissing(`SDS_TEST_SERVICES=docker, and ${way.why}`);
  return way.kind === 'docker';
}
