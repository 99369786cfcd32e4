// h) What requests cost that are made to be expensive: a Range header of a thousand ranges, and texts that are slow for
// a regular expression, in every parameter, header and body member. CPU time of one process, compared with its budget
// and with an ordinary request.
import fc from 'fast-check';
import { parseRange } from '../../api/http/range.ts';
import { hostileTextRequests } from '../support/builders/hostile-texts.ts';
import { startMeasuredServers } from '../support/processes/measured-servers.ts';
import { type Bench, median, quantile, type Run } from './bench.ts';

/** The limits that SECURITY.md sets, S11 and S19. */
const mostRangesMs = 1;
const mostRequestMs = 50;

export const hostileRequests: Bench = {
  letter: 'h',
  title: 'requests that are made to be expensive',
  async run(run) {
    ranges(run);
    await texts(run);
  },
};

function ranges(run: Run): void {
  const many = `bytes=${Array.from({ length: 1_000 }, (_, at) => `${at}-${at}`).join(',')}`;
  const one = 'bytes=0-999';
  const [ms, oneMs] = [many, one].map((field) => {
    const times = Array.from({ length: run.toy ? 20 : 1_000 }, () => {
      const startedAt = performance.now();
      parseRange(field);
      return performance.now() - startedAt;
    });
    return median(times);
  }) as [number, number];
  run.figure({
    what: `a header of 1,000 ranges ${ms.toFixed(3)} ms, ${(ms / oneMs).toFixed(0)} × one range`,
    target: `< ${mostRangesMs} ms`,
    met: ms < mostRangesMs,
  });
}

async function texts(run: Run): Promise<void> {
  await using servers = await startMeasuredServers();
  const ordinary = { to: 'api', method: 'GET', path: '/v1/games?limit=1', headers: {}, body: null } as const;
  const plain: number[] = [];
  for (let turn = 0; turn < (run.toy ? 20 : 500); turn += 1) plain.push((await servers.ask(ordinary)).cpuMs);
  const costs: { cpuMs: number; what: string }[] = [];
  for (const asked of fc.sample(hostileTextRequests, run.toy ? 50 : 5_000)) {
    const { cpuMs, status } = await servers.askAgainBeyond(mostRequestMs, asked);
    costs.push({ cpuMs, what: `${status} ${asked.method} ${asked.path.slice(0, 80)}` });
  }
  const worst = costs.reduce((most, one) => (one.cpuMs > most.cpuMs ? one : most));
  const times = costs.map(({ cpuMs }) => cpuMs);
  const [p50, p99] = [median(times), quantile(times, 0.99)];
  run.figure({
    what: `CPU of ${costs.length} requests with a hostile text: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, most ${worst.cpuMs.toFixed(1)} ms = ${(worst.cpuMs / median(plain)).toFixed(0)} × an ordinary one`,
    target: `< ${mostRequestMs} ms`,
    met: worst.cpuMs < mostRequestMs,
  });
  run.note([`the most expensive: ${worst.what}`]);
}
