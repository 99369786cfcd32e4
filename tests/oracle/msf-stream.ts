// Revisions of one dataset of one scope, by docs/revisions.md alone: at every record everything is looked up again in all that came before.
// Nothing is kept but lists, nothing is clever. The caller gives the rows of a set of bodies; the rest is decided here.
import { createHash } from 'node:crypto';

export type OracleTime = number;

/** An observation that may be applied, in log order. `content`: a text that is equal where the bodies are. */
export type OracleObservation = {
  feed: string;
  /** Its place in its push; null: of none. */
  pushed: string | null;
  content: string;
  loggedAt: OracleTime;
  /** The gateway's; where it is not told, the log's stands for it. */
  receivedAt?: OracleTime | null;
  observedAt: OracleTime | null;
  requestStart: OracleTime | null;
  lastUpdatedOn: OracleTime | null;
};

/** The times of an observation. `requested`: where it is believed. */
export type Told = OracleObservation & {
  received: OracleTime;
  requested: OracleTime | null;
  asked: OracleTime;
  updated: OracleTime;
  basis: string;
};

/** What of a feed counts: its newest body, and since when it says so. */
export type Present = { content: string; since: OracleTime };

/** What the rules do not decide: rows of a state as canonical lines, in any order, their keys, and the game's played status. */
export type OracleWorld = {
  rows(dataset: string, scopeId: string, present: ReadonlyMap<string, Present>): string[];
  key(dataset: string, line: string): string[];
  playedStatus(present: ReadonlyMap<string, Present>): string | null;
  feedsOf(dataset: string): readonly string[];
};

export type OracleRevision = {
  kind: string;
  status: string;
  change: [op: string, line: string][];
  snapshot: string[];
  digest: string;
  updated: OracleTime;
  asked: OracleTime;
  basis: string;
  materializedAt: OracleTime;
  coverage: { state: string; start: OracleTime; end: OracleTime; gaps: number };
  liveSince: OracleTime | null;
};

const minute = 60_000_000;

/** An observation with a time more than 5 s after its append counts as seen at its append. */
export function seenAt(told: OracleTime, loggedAt: OracleTime): OracleTime {
  return told - loggedAt > 5_000_000 ? loggedAt : told;
}

export function timed(observation: OracleObservation): Told {
  const taken = seenAt(observation.receivedAt ?? observation.loggedAt, observation.loggedAt);
  const received = observation.observedAt ?? taken;
  const { requestStart } = observation;
  const requested = requestStart !== null && requestStart <= taken + 5 * minute ? requestStart : null;
  const asked = requested ?? received;
  const { lastUpdatedOn: stamp } = observation;
  if (stamp !== null && !(stamp > received + 5 * minute)) {
    return { ...observation, received, requested, asked, updated: stamp, basis: 'source' };
  }
  const basis = requested === null ? 'unverified' : 'request_start';
  return { ...observation, received, requested, asked, updated: asked, basis };
}

/** "Older than the newest applied." */
export function isOlder(one: Told, newest: Told): boolean {
  return one.asked < newest.asked || (one.asked === newest.asked && one.updated < newest.updated);
}

export function presentOf(applied: readonly Told[]): Map<string, Present> {
  const present = new Map<string, Present>();
  for (const { feed, content, asked } of applied) {
    const before = present.get(feed);
    if (before?.content !== content) present.set(feed, { content, since: asked });
  }
  return present;
}

/** The lines of a state in key order. */
export function sorted(world: OracleWorld, dataset: string, lines: readonly string[]): string[] {
  return [...lines].sort((a, b) => compareKeys(world.key(dataset, a), world.key(dataset, b)));
}

function compareKeys(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const difference = Buffer.compare(Buffer.from(part), Buffer.from(b[index] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}

export function digestOf(lines: readonly string[]): string {
  const hash = createHash('sha256');
  for (const line of lines) hash.update(`${line}\n`);
  return hash.digest('hex');
}

/** Kind and rows of the change from one state to another. */
export function changeOf(
  world: OracleWorld,
  dataset: string,
  isFirst: boolean,
  before: readonly string[],
  after: readonly string[],
): { kind: string; change: [string, string][] } {
  const key = (line: string): string => JSON.stringify(world.key(dataset, line));
  const keysBefore = new Set(before.map(key));
  const keysAfter = new Set(after.map(key));
  const removed = before.filter((line) => !keysAfter.has(key(line)));
  const added = after.filter((line) => !keysBefore.has(key(line)));
  const altered = after.filter((line) => keysBefore.has(key(line)) && !before.includes(line));
  const total = removed.length + added.length + altered.length;
  if (isFirst || (total > 0 && total >= after.length)) {
    return { kind: 'replace', change: after.map((line) => ['upsert', line]) };
  }
  const ops = new Map<string, string>(removed.map((line) => [line, 'delete']));
  for (const line of [...added, ...altered]) ops.set(line, 'upsert');
  const change = sorted(world, dataset, [...ops.keys()]).map((line): [string, string] => [ops.get(line) ?? '', line]);
  return { kind: total > 0 && removed.length + altered.length === 0 ? 'append' : 'patch', change };
}
