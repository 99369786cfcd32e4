// A schema registry with Confluent's interface: Apicurio, from Maven Central or in a container, in memory. It forgets
// everything when it ends: a test that restarts it with its data saves them before and puts them back.
import { globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { containerHost, startContainer } from './container.ts';
import { images, versions } from './images.ts';
import { installed, needJava, needProgram, run } from './installed.ts';
import { leashedDirectory } from './leash.ts';
import { freePort } from './ports.ts';
import { type Controls, startService } from './process.ts';
import { inContainers } from './way.ts';

const version = versions.registry;

export type Registry = {
  /** The root of Confluent's interface, `/apis/ccompat/v7` included. */
  readonly url: string;
};

/** All schemas of the registry with their ids, as Apicurio exports them. */
export async function savedRegistry({ url }: Registry): Promise<ArrayBuffer> {
  const response = await fetch(administration(url, 'export'));
  if (!response.ok) throw new Error(`the registry does not export its schemas: ${response.status}`);
  return response.arrayBuffer();
}

/** Gives an empty registry the schemas, under the ids that they had. */
export async function putBackRegistry({ url }: Registry, saved: ArrayBuffer): Promise<void> {
  const headers = { 'content-type': 'application/zip' };
  const response = await fetch(administration(url, 'import'), { method: 'POST', headers, body: saved });
  if (!response.ok) throw new Error(`the registry does not import its schemas: ${response.status}`);
}

function administration(url: string, what: 'export' | 'import'): URL {
  return new URL(`/apis/registry/v2/admin/${what}`, url);
}

export async function startRegistry(): Promise<Registry & Controls> {
  return (await inContainers()) ? await startRegistryContainer() : await startRegistryProgram();
}

export async function startRegistryContainer(): Promise<Registry & Controls> {
  const port = await freePort();
  const url = `http://${await containerHost()}:${port}/apis/ccompat/v7`;
  const controls = await startContainer({
    name: 'the schema registry',
    image: images.registry,
    ports: [{ container: 8080, host: port }],
    ready: () => listsSubjects(url),
  });
  return { url, ...controls };
}

async function listsSubjects(url: string): Promise<boolean> {
  return (await fetch(`${url}/subjects`, { signal: AbortSignal.timeout(2000) })).ok;
}

async function startRegistryProgram(): Promise<Registry & Controls> {
  const java = await needJava();
  const home = await installed('registry', version, 'Maven Central', async (directory) => {
    const artifact = `io.apicurio:apicurio-registry-app:${version}:tar.gz:all`;
    const goal = ['dependency:copy', `-Dartifact=${artifact}`, '-DoutputDirectory=.'];
    await run(needProgram('mvn'), ['-B', '-ntp', '-q', ...goal], { cwd: directory });
    const archive = `apicurio-registry-app-${version}-all.tar.gz`;
    await run(needProgram('tar'), ['-xzf', archive], { cwd: directory });
    await run(needProgram('rm'), [archive], { cwd: directory });
  });
  const [jar] = globSync('**/*-runner.jar', { cwd: home });
  if (jar === undefined) throw new Error(`no Apicurio runner in ${home}`);
  const directory = leashedDirectory('registry');
  const temporary = join(directory.path, 'tmp');
  mkdirSync(temporary);
  const port = await freePort();
  const memory = [
    '-Xms128m',
    '-Xmx384m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    `-Djava.io.tmpdir=${temporary}`,
  ];
  const address = ['-Dquarkus.http.host=127.0.0.1', `-Dquarkus.http.port=${port}`];
  const url = `http://127.0.0.1:${port}/apis/ccompat/v7`;
  const controls = await startService({
    name: 'the schema registry',
    program: java,
    args: [...memory, ...address, '-jar', join(home, jar)],
    directory,
    ready: () => listsSubjects(url),
  });
  return { url, ...controls };
}
