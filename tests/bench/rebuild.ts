// x) How fast `sds log rebuild` rebuilds a game's live log from the log's records, compared with how fast the same
// projectors made it live. The embedded edition, one game; timed from the first batch, or the order, to the commit of
// the last row.
import { silentLog } from '../../core/ports/telemetry.ts';
import { blankRecord } from '../../core/quotes/blank-record.ts';
import { startService } from '../../ops/service/service.ts';
import { topics } from '../../schemas/events/topics.ts';
import { type Bench, median, type Run, short } from './bench.ts';
import { openedDrivers } from './opened-drivers.ts';
import { quoteRecords, uuidOf } from './quotes.ts';

const target = 1;

type Measured = { rows: number; liveSeconds: number; rebuildSeconds: number };

export const rebuild: Bench = {
  letter: 'x',
  title: 'rebuilding a live log',
  async run(run) {
    const [records, rounds] = run.toy ? [200, 1] : [50_000, 3];
    const measured: Measured[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      run.say(`${short(records)} records of one game, ${round} of ${rounds}`);
      measured.push(await once(records));
    }
    print(run, measured);
  },
};

function print(run: Run, measured: readonly Measured[]): void {
  const [first] = measured;
  const live = median(measured.map(({ rows, liveSeconds }) => rows / liveSeconds));
  const again = median(measured.map(({ rows, rebuildSeconds }) => rows / rebuildSeconds));
  const ratio = again / live;
  run.figure({
    what: `a log of ${short(first?.rows ?? 0)} rows: rebuilt ${short(again)} rows/s ÷ live ${short(live)} rows/s = ${ratio.toFixed(2)}`,
    target: `≥ ${target}`,
    met: ratio >= target,
  });
}

async function once(count: number): Promise<Measured> {
  await using opened = await openedDrivers();
  const { settings, drivers } = opened;
  const { broker } = drivers;
  for (const records of quoteRecords(count, 1).chunks(500)) await broker.produce(topics.quotes, records);
  const { live } = drivers.catalogs;
  let left = count;
  let begun: number | null = null;
  let ended: PromiseWithResolvers<void> = Promise.withResolvers();
  const watched = {
    ...drivers,
    broker: {
      ...broker,
      consume: (options: Parameters<typeof broker.consume>[0], handlers: Parameters<typeof broker.consume>[1]) =>
        broker.consume(options, {
          ...handlers,
          batch(batch) {
            if (options.topic === topics.quotes) begun ??= performance.now();
            return handlers.batch(batch);
          },
        }),
    },
    catalogs: {
      ...drivers.catalogs,
      live: {
        ...live,
        async commit(commit: Parameters<typeof live.commit>[0]) {
          const answer = await live.commit(commit);
          left -= commit.to - commit.from;
          if (left === 0) ended.resolve();
          return answer;
        },
      },
    },
  };
  const service = await startService(settings, watched, ['projectors'], silentLog);
  void service.ended.then(ended.reject);
  try {
    await ended.promise;
    const liveSeconds = secondsSince(begun);
    const before = await live.servedLog(uuidOf(0));
    if (before === null) throw new Error('the API serves no log of the game');
    const game = { uuid: uuidOf(0), gameId: 'MLB_G0_BENCH_20260805', league: 'MLB' };
    const order = { ...blankRecord(game, 'service', 0), rebuild: { generation: before.generation + 1 } };
    [left, ended] = [1, Promise.withResolvers<void>()];
    void service.ended.then(ended.reject);
    const ordered = performance.now();
    await broker.produce(topics.quotes, [{ key: game.uuid, value: order }]);
    await ended.promise;
    const rebuildSeconds = secondsSince(ordered);
    const after = await live.servedLog(game.uuid);
    if (after?.generation !== before.generation + 1 || after.rows !== before.rows)
      throw new Error(`rebuilt ${after?.rows} of ${before.rows} rows`);
    return { rows: before.rows, liveSeconds, rebuildSeconds };
  } finally {
    await service.stop();
  }
}

function secondsSince(begun: number | null): number {
  if (begun === null) throw new Error('the projector received no batch');
  return (performance.now() - begun) / 1_000;
}
