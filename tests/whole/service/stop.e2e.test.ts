// Claim: a program that is asked to stop ends within about ten seconds, whatever dependency does not answer, and at once when it is asked
// twice; unfinished work is handled as after a kill. A violation would need a step of the stop that waits for something without a limit.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { Program } from '../../support/campaigns/program.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { freezeTree, signalTree } from '../../support/processes/process-tree.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const folder = makeDataFolder('stop');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function environmentOf(name: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    SDS_EDITION: 'embedded',
    SDS_DATA_DIR: join(folder, name),
    SDS_READY_FILE: join(folder, `${name}.json`),
    SDS_API_PORT: '0',
    SDS_INGEST_PORT: '0',
    SDS_DEMO: 'on',
    DATABASE_URL: '',
    ...more,
  };
}

async function started(name: string, more?: Readonly<Record<string, string>>): Promise<Program> {
  const program = new Program(name, environmentOf(name, more), { roles: ['all'] });
  program.start();
  await program.untilReady();
  assert.ok(program.ready, JSON.stringify(program.ends));
  return program;
}

async function terminated(program: Program): Promise<void> {
  program.terminate();
  await program.ended();
}

describe('a stop while the database does not answer', skipFor((await services.postgres()).skip), () => {
  it('comes to its end, with exit code 0', async () => {
    await using postgres = await services.own.postgres();
    const program = await started('frozen', { DATABASE_URL: (await postgres.createDatabase()).url });
    try {
      await postgres.freeze();
      await terminated(program);
      assert.deepEqual([program.ends[0]?.code, program.ends[0]?.signal], [0, null], JSON.stringify(program.ends));
      assert.ok(program.said.some(({ msg }) => msg.startsWith('abandoned while stopping')));
    } finally {
      await postgres.resume();
      await program.kill();
    }
  });

  it('comes to its end when the server is its own; the next start serves', async () => {
    const program = await started('own');
    const server = postmasterOf('own');
    try {
      await freezeTree(server);
      await terminated(program);
      assert.equal(program.ends[0]?.code, 0, JSON.stringify(program.ends));
      signalTree(server, 'SIGCONT');
      program.start();
      await program.untilReady();
      assert.ok(program.ready, JSON.stringify(program.ends));
      await terminated(program);
      assert.equal(program.ends[1]?.code, 0);
    } finally {
      signalTree(server, 'SIGCONT');
      await program.kill();
    }
  });

  it('ends on the spot at a second signal, of whichever kind', async () => {
    await using postgres = await services.own.postgres();
    const program = await started('twice', { DATABASE_URL: (await postgres.createDatabase()).url });
    try {
      await postgres.freeze();
      process.kill(program.pid, 'SIGINT');
      await until('it is stopping', () => program.said.some(({ msg }) => msg === 'stopping'));
      await terminated(program);
      assert.equal(program.ends[0]?.signal, 'SIGTERM');
      // A step that does not end is reported after its deadline.
      assert.ok(
        !program.said.some(({ msg }) => msg.startsWith('abandoned while stopping')),
        JSON.stringify(program.said),
      );
    } finally {
      await postgres.resume();
      await program.kill();
    }
  });
});

function postmasterOf(name: string): number {
  const { dir } = JSON.parse(readFileSync(join(folder, name, 'postgresql.json'), 'utf8')) as { dir: string };
  return Number.parseInt(readFileSync(join(dir, 'postmaster.pid'), 'utf8'), 10);
}
