// Plays the recorded evening of baseball through the gateway in order of time: the odds, MSF's bodies, the sportsbook
// HOUSE, one cancellation, and ticks. Right before the step that closes a game, its live log is downloaded.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { blankRecord } from '../../../core/quotes/blank-record.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { type Micros, microsPerMinute } from '../../../core/units.ts';
import { gatewayClient, type PushedReceipt } from '../../../ops/replay/gateway-client.ts';
import { bodyText, readRecording } from '../../../ops/replay/recording.ts';
import { sumReceipts } from '../../../ops/replay/replay.ts';
import { systemClock } from '../../../platform/process/clock.ts';
import { topics } from '../../../schemas/events/topics.ts';
import type { Edition } from '../editions/edition.ts';
import { everythingFolded } from '../editions/everything-folded.ts';
import { type DownloadedLog, downloadLog } from '../editions/final-downloads.ts';
import { pushMsf } from '../editions/msf-client.ts';
import { until } from '../services/until.ts';
import { type EveningGame, eveningGames, eveningTime } from './mlb-evening.ts';
import { gamesBody, housePushes } from './mlb-evening-bodies.ts';

const recording = fileURLToPath(
  new URL('../../../../shared/data/odds-mlb-2026/snapshots_20260805T2000Z_20260806T0500Z.ndjson.gz', import.meta.url),
);

/** Why the evening cannot be played here; false if it can. */
export const eveningAbsent = existsSync(recording) ? false : '../shared/data/odds-mlb-2026 is absent';

/** What happens at one time. `starts`: MSF gives a new start, which must be folded before anything later. */
type Step = { at: Micros; starts?: true; take(): Promise<void> };

export type PlayedEvening = {
  /** The live log of each game, from right before the step that closed it. */
  live: ReadonlyMap<string, DownloadedLog>;
  /** How many elements were pushed, and how many of these came after their game had closed. */
  pushed: number;
  afterTheClose: number;
};

/** Plays the whole evening; saves the live logs in `folder`. */
export async function playEvening(edition: Edition, folder: string): Promise<PlayedEvening> {
  const key = await edition.feedKey(['push', 'msf', 'backfill']);
  const live = new Map<string, DownloadedLog>();
  const receipts: PushedReceipt[] = [];
  for (const step of await stepsOf(edition, key, receipts)) {
    const closing = eveningGames.filter((game) => !live.has(game.id) && closesAt(game) <= step.at);
    if (closing.length > 0) {
      await everythingFolded(edition);
      for (const { id } of closing) live.set(id, await liveLog(edition, id, folder));
    }
    await step.take();
    if (step.starts) await everythingFolded(edition);
  }
  const gateway = gatewayClient({ url: edition.ingestUrl, key, source: 'recorded' }, systemClock);
  const summary = await sumReceipts({ gateway, clock: systemClock }, receipts, () => {});
  assert.equal(summary.duplicates, 0);
  await everythingFolded(edition);
  return {
    live,
    pushed: summary.applied + summary.refused + summary.rejected,
    afterTheClose: summary.refused + summary.rejected,
  };
}

/** The time at which log time has passed the grace period of an ended game. */
export function closesAt({ completedAt, cancelledAt }: EveningGame): Micros {
  return (completedAt ?? cancelledAt ?? 0) + 10 * microsPerMinute;
}

async function stepsOf(edition: Edition, key: string, receipts: PushedReceipt[]): Promise<Step[]> {
  const clientOf = (source: string) => gatewayClient({ url: edition.ingestUrl, key, source }, systemClock);
  const [recorded, house] = [clientOf('recorded'), clientOf('house')];
  const steps: Step[] = [];
  for await (const { at, body } of readRecording(recording)) {
    const times = { observedAt: formatMicros(at) };
    const take = async () => void receipts.push(await recorded.push('the-odds-api-v4', bodyText(body), times));
    steps.push({ at, take });
  }
  for (const { at, body } of housePushes) {
    const take = async () =>
      void receipts.push(await house.push('quotes', JSON.stringify(body), { observedAt: formatMicros(at) }));
    steps.push({ at, take });
  }
  const tickTimes = new Set(eveningGames.filter(({ completedAt }) => completedAt !== null).map(closesAt));
  for (let at = eveningTime('05T20:30'); at < eveningTime('06T05:00'); at += 30 * microsPerMinute) tickTimes.add(at);
  // A game closed by a snapshot needs no tick.
  tickTimes.delete(closesAt(eveningGames.find(({ id }) => id === 'MLB_PIT_MIL_20260805') ?? assert.fail()));
  for (const at of tickTimes) steps.push({ at, take: () => recorded.tick(formatMicros(at)) });
  steps.push(...pollsOf(edition, key), cancellationOf(edition));
  return steps.sort((a, b) => a.at - b.at);
}

/** One body for everything MSF reports at one time. */
function pollsOf(edition: Edition, key: string): Step[] {
  const changes = eveningGames.flatMap((game) =>
    game.facts.map((facts, index) => ({ game, facts, before: game.facts[index - 1] })),
  );
  return [...Map.groupBy(changes, ({ facts }) => facts.at)].map(([at, games]): Step => {
    const time = formatMicros(at);
    const headers = { 'x-observed-at': time, 'x-request-started-at': time };
    const target = { league: 'MLB', season: '2026-regular', feed: 'games' };
    const starts = games.some(({ facts, before }) => facts.start !== before?.start);
    return {
      at,
      ...(starts ? { starts } : {}),
      take: async () => void (await pushMsf(edition, key, target, gamesBody(at, games), headers)),
    };
  });
}

/** A cancellation, for which MSF has no status: a producer puts the record on the topic. */
function cancellationOf({ drivers: { broker, catalogs } }: Edition): Step {
  const { id, cancelledAt } =
    eveningGames.find((game) => game.cancelledAt !== null) ?? assert.fail('none is cancelled');
  const at = cancelledAt ?? 0;
  return {
    at,
    async take() {
      const game = (await catalogs.games.find(id)) ?? assert.fail(id);
      const record = { ...blankRecord(game, 'league-office', at), status: { status: 'CANCELLED', at } };
      await broker.produce(topics.quotes, [{ key: game.uuid, value: record }]);
    },
  };
}

/** The API learns of a commit by a notice, which may come a moment later. */
async function liveLog(edition: Edition, id: string, folder: string): Promise<DownloadedLog> {
  const { live, games } = edition.drivers.catalogs;
  const { uuid } = (await games.find(id)) ?? assert.fail(id);
  const committed = (await live.servedLog(uuid))?.rows;
  let log: DownloadedLog | undefined;
  await until(`the live log of ${id} is served`, async () => {
    log = await downloadLog(edition, id, folder);
    return log.rows === committed;
  });
  return log ?? assert.fail();
}
