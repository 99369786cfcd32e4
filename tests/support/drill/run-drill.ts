// A drill: the whole distributed edition under load, faults one after another, and a verdict at the end
// (docs/durability.md#drill).
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unrestricted } from '../../../core/access/feed-grant.ts';
import { feedScopes } from '../../../core/ports/catalog/keys.ts';
import { mintApiKey, mintFeedKey } from '../../../ops/service/new-keys.ts';
import { newUuid } from '../../../platform/process/ids.ts';
import { seededRandom } from '../../oracle/random.ts';
import { startMsfFollower } from '../campaigns/msf-follower.ts';
import { until } from '../services/until.ts';
import { allowedOutage } from './allowed-outage.ts';
import { startBilledReader } from './billed-reader.ts';
import type { DrillFault, Scene } from './drill-fault.ts';
import { startDrillLoad } from './drill-load.ts';
import { type DrillPlace, openDrillPlace } from './drill-place.ts';
import { type DrillLine, describeDrill, describeLine, isLineInTime } from './drill-table.ts';
import { startEventListener } from './event-listener.ts';
import { type Fleet, openFleet } from './fleet.ts';
import { type FreshPushes, openFreshPushes } from './fresh-push.ts';
import { type HealthWatch, watchFleet } from './health-watch.ts';
import { type DrillVerdict, describeVerdict, judgeDrill } from './judge-drill.ts';

export type DrillOptions = { seed: number; faults: readonly DrillFault[]; say(line: string): void };
/** `wrong`: if there is no verdict, the first thing that was incorrect. */
export type DrillResult = { lines: DrillLine[] } & ({ verdict: DrillVerdict } | { wrong: string });

const partitions = 6;
/**
 * Limits: within 15 seconds health reports a fault and its end, and 10 seconds after its end everything is readable.
 */
const reportedWithinMs = 15_000;
const recoversWithinMs = 10_000;
/** Those that bodies of plays give. */
const datasetsOfPlays = ['game-state', 'plays'];
/** The follower of MSF asks for each stream every three seconds or so. */
const followerPauseMs = 100;
/** Longer than any limit, so that late recoveries are measured too. */
const patienceMs = 60_000;

/** Runs the faults; the lines show which were late. A string names the missing service. */
export async function runDrill({ seed, faults, say }: DrillOptions): Promise<DrillResult | string> {
  await using closing = new AsyncDisposableStack();
  const place = await openDrillPlace(partitions);
  if (typeof place === 'string') return place;
  closing.defer(() => place.close());
  const fleet = await openFleet(place.folder, place.environment);
  closing.defer(() => fleet.kill());
  await fleet.start();
  const { apiKey, feedKey } = await newKeys(place);
  const pushing = { gateways: fleet.urls('gateway'), feedKey };
  const load = startDrillLoad(pushing);
  closing.defer(() => load.stop());
  const apis = fleet.urls('api');
  const pushes = openFreshPushes({ apis, apiKey, pushing, nbaGames: load.nbaGames });
  const reader = await startBilledReader(place, apis);
  closing.defer(() => reader.stop());
  const watch = watchFleet(fleet);
  closing.defer(() => watch.stop());

  await until('the games are there', async () => (await pushes.readable(patienceMs)) !== null);
  const follower = await startMsfFollower({
    drivers: place.drivers,
    apis,
    seed,
    pauseMs: followerPauseMs,
    listGames: async () => load.nbaGames,
    isOutage: allowedOutage(place.store),
  });
  closing.defer(() => follower.stop());
  const streamsOfGames = load.nbaGames.length * datasetsOfPlays.length;
  await until('the streams are followed', () => follower.streams.size === streamsOfGames);
  const listener = startEventListener(apis, apiKey, load.nbaGames);
  closing.defer(() => listener.stop());
  await watch.allWell(performance.now(), patienceMs);
  const scene: Scene = { place, fleet, pushing, apiKey, load, random: seededRandom(seed) };
  const lines: DrillLine[] = [];
  for (const fault of faults) {
    const line = await strike(scene, fault, watch, pushes);
    lines.push(line);
    say(describeLine(line));
  }
  say('judging');
  try {
    await load.stop();
    if (load.surprises.length > 0) throw new Error(`a pusher met ${[...new Set(load.surprises)].join('; ')}`);
    const acknowledged = [...load.acknowledged, ...pushes.acknowledged];
    const verdict = await judgeDrill({ place, fleet, apiKey, acknowledged, reader, follower, listener, seed });
    return { lines, verdict };
  } catch (error) {
    return { lines, wrong: `${describeFailure(error)}\noutput of the processes: ${keepWhatWasSaid(fleet)}` };
  }
}

/** Whether all was correct and in time. */
export function hasPassed(result: DrillResult): boolean {
  return 'verdict' in result && result.lines.every(isLineInTime);
}

export function describeResult(result: DrillResult): string {
  const verdict = 'verdict' in result ? describeVerdict(result.verdict) : `NOT CORRECT: ${result.wrong}`;
  return `${describeDrill(result.lines)}\n\n${verdict}`;
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${describeFailure(error.cause)}`;
}

/** Saves to a file what the processes printed and how they ended: they are gone after the drill. */
function keepWhatWasSaid({ members }: Fleet): string {
  const file = join(mkdtempSync(join(tmpdir(), 'sds-failed-drill-')), 'said.jsonl');
  const lines = members.flatMap(({ name, programs }) =>
    programs.flatMap(({ ends, said }) => [
      ...ends.map((end) => ({ member: name, end })),
      ...said.map((line) => ({ member: name, ...line })),
    ]),
  );
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

async function strike(scene: Scene, fault: DrillFault, watch: HealthWatch, pushes: FreshPushes): Promise<DrillLine> {
  const calledAt = performance.now();
  const { reportedAs, begunAt = calledAt, fresh = null, end } = await fault.begin(scene);
  const struckAt = performance.now();
  const [reported, takenOver] = await Promise.all([
    reportedAs === null ? null : watch.reported(reportedAs, begunAt, reportedWithinMs),
    fault.takenOverWithinMs === undefined ? null : pushes.readable(patienceMs),
    delay(fault.lastsMs ?? 0),
  ]);
  await end();
  const endedAt = performance.now();
  const limitMs = fault.recoversWithinMs ?? recoversWithinMs;
  const recovered = await pushes.readable(patienceMs);
  // Awaited before the next fault: what /health says during recovery belongs to this one.
  const endReported = await watch.allWell(endedAt, patienceMs);
  return {
    fault: fault.name,
    reported: reportedAs === null ? null : { ms: reported, limitMs: reportedWithinMs },
    takenOver:
      fault.takenOverWithinMs === undefined
        ? null
        : { ms: takenOver === null ? null : takenOver + struckAt - begunAt, limitMs: fault.takenOverWithinMs },
    recovered: { ms: recovered, limitMs },
    endReported: { ms: endReported, limitMs: reportedWithinMs },
    fresh,
    said: watch.saidSince(calledAt),
    missing: pushes.missing,
  };
}

async function newKeys({ drivers: { catalogs, peppers } }: DrillPlace): Promise<{ apiKey: string; feedKey: string }> {
  const account = newUuid();
  await catalogs.keys.createAccount({ id: account, name: 'drill', tier: 'PRO', entitled: true, monthlyRows: null });
  const minted = await mintApiKey(catalogs.keys, peppers, account);
  if (minted.kind !== 'minted') throw new Error(minted.kind);
  const { plaintext } = await mintFeedKey(catalogs.keys, peppers, unrestricted(['*'], feedScopes));
  return { apiKey: minted.plaintext, feedKey: plaintext };
}
