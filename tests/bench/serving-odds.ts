// w) Like d), for the odds of a game: one document with every sportsbook's price for every selection, computed from
// boards. The baseline is the manifest of the same game, which the service keeps ready; one service answers both in
// turns. Asked for now, for one market, and as of an instant of the log.
import { type Bench, median, type Run, short } from './bench.ts';
import { closeConnections, request } from './http.ts';
import { ask, publishGame } from './serving.ts';
import { type StartedService, startService } from './started-service.ts';

export const servingOdds: Bench = {
  letter: 'w',
  title: 'odds of a game beside its manifest',
  async run(run) {
    await using service = await startService({});
    run.say('filling a game');
    const base = await publishGame(service);
    const game = base.replace(/\/sportsbook-lines$/, '');
    const at = new Date(Date.now() - 2.9 * 3_600_000).toISOString();
    for (const [what, path] of [
      ['all markets', '/odds'],
      ['one market', '/odds?market=m0'],
      ['as of an instant', `/odds?market=m0&at=${at}`],
    ] as const)
      await besideManifest(run, service, `${base}/segments`, what, game + path);
    closeConnections();
  },
};

async function besideManifest(
  run: Run,
  { ready }: StartedService,
  manifest: string,
  what: string,
  url: string,
): Promise<void> {
  const [rounds, seconds] = run.toy ? [1, 0.5] : [5, 3];
  const { status, body } = await request(url, ready.api_key);
  if (status !== 200) throw new Error(`${url}: ${status} ${body}`);
  const [odds, manifests]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    run.say(`${what}, ${round + 1} of ${rounds}`);
    odds.push((await ask(url, ready.api_key, seconds)).perSecond);
    manifests.push((await ask(manifest, ready.api_key, seconds)).perSecond);
  }
  const [ours, base] = [median(odds), median(manifests)];
  const kilobytes = (Buffer.byteLength(body) / 1024).toFixed(0);
  run.figure({
    what: `odds, ${what} (${kilobytes} KB): ${short(ours)}/s ÷ manifest ${short(base)}/s = ${(ours / base).toFixed(3)}`,
  });
}
