// Claim: bombs and other bodies that are turned away, one behind the other, raise the memory of the embedded edition in one process by at most
// 64 MiB above what it works with (SECURITY.md, S20). A violation would need a gateway that gives back only where it has a process of its own.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { hostileBodies } from '../../support/builders/hostile-bodies.ts';
import { Program } from '../../support/campaigns/program.ts';
import { event, quote } from '../../support/http/gateway-http.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { peakSkip } from '../../support/processes/gateway-process.ts';
import { runSds } from '../../support/processes/sds.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Sent = Readonly<Record<string, string>>;

const mostMebibytes = 64;
const postgres = await services.postgres();
/** Without ticks: `sds` mints no key that may tick. */
const refused = hostileBodies.filter(({ path, statuses }) => !statuses.includes(202) && !path.endsWith('/ticks'));
const players = Array.from({ length: 100 }, (_, at) => `P ${at}`);

describe('the embedded edition in one process', skipFor(peakSkip || postgres.skip), () => {
  it('is raised by refused bodies in a row by at most 64 MiB', async (t) => {
    if (postgres.skip !== false) return;
    const database = await postgres.createMigratedDatabase();
    const folder = makeDataFolder('refused');
    const environment = {
      ...{ SDS_EDITION: 'embedded', SDS_DATA_DIR: folder, DATABASE_URL: database.url, SDS_DEMO: 'off' },
      ...{ SDS_READY_FILE: join(folder, 'ready.json'), SDS_API_PORT: '0', SDS_INGEST_PORT: '0' },
      SDS_FEED_LIMITS: 'requests:10000,bytes:1073741824,elements:10000000',
    };
    const service = new Program('service', environment, { roles: ['all'] });
    t.onTestFinished(async () => {
      await service.retire();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    });
    service.start();
    await service.untilReady();
    const url = (JSON.parse(readFileSync(environment.SDS_READY_FILE, 'utf8')) as { ingest_url: string }).ingest_url;
    const mint = ['feed-keys', 'mint', '--source', 'feed', '--scope', 'push,msf,reference', '--json'];
    const minted = JSON.parse((await runSds(environment, mint)).out) as { feed_key: string };

    async function push(path: string, body: string | Uint8Array<ArrayBuffer>, headers: Sent = {}): Promise<number> {
      const sent = { authorization: `Bearer ${minted.feed_key}`, 'content-type': 'application/json', ...headers };
      const answer = await fetch(url + path, { method: 'POST', headers: sent, body });
      await answer.arrayBuffer();
      return answer.status;
    }

    await workAsUsual((body) => push('/v1/sources/feed/quotes', body));
    takePeak(service.pid);
    const base = takePeak(service.pid);
    let most = 0;
    for (const { name, path, headers, make, statuses } of [...refused, ...refused]) {
      const status = await push(path, make(), headers);
      assert.ok(statuses.includes(status), `${name}: ${status}`);
      const above = Math.round((takePeak(service.pid) - base) / 1_024);
      most = Math.max(most, above);
      assert.ok(above <= mostMebibytes, `${name}: together with what earlier bodies left, it took ${above} MiB`);
    }
    console.log(`  refused bodies in a row: at most ${most} MiB above ${Math.round(base / 1_024)}`);
  });
});

/** Pushes as sources do, moving all prices in each push, until the process has reached its working size. */
async function workAsUsual(push: (body: string) => Promise<number>): Promise<void> {
  for (let round = 0; round < 60; round += 1) {
    const price = { american: -110 - (round % 50) };
    const quotes = players.map((player, line) => quote({ market: 'player_points', player, line, price }));
    const body = JSON.stringify({
      events: Array.from({ length: 10 }, (_, at) => event({ operator: `b${at}`, quotes })),
    });
    for (const status of await Promise.all([1, 2, 3, 4].map(() => push(body)))) assert.equal(status, 202);
  }
}

/** The peak memory of a process since the last call, in KiB. */
function takePeak(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return Number(kibibytes);
}
