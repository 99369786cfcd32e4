// Revisions of one dataset of one scope, by docs/revisions.md alone. At every record it looks everything up again in
// all earlier records; it keeps only lists. The caller supplies the rows of a set of bodies; all else is decided here.
import { createHash } from 'node:crypto';

export type OracleTime = number;

/** An observation to apply, in log order. `content` is a text that is equal for equal bodies. */
export type OracleObservation = {
  feed: string;
  /** Its place in its push; null: it came without a push. */
  pushed: string | null;
  content: string;
  loggedAt: OracleTime;
  /** The gateway's receive time; if it is missing, the log's time counts. */
  receivedAt?: OracleTime | null;
  observedAt: OracleTime | null;
  requestStart: OracleTime | null;
  lastUpdatedOn: OracleTime | null;
};

/** An observation with its derived times. `requested`: the request time, if it is accepted. */
export type TimedObservation = OracleObservation & {
  received: OracleTime;
  requested: OracleTime | null;
  asked: OracleTime;
  updated: OracleTime;
  basis: string;
};

/** The current body of a feed, and since when the feed says so. */
export type Present = { content: string; since: OracleTime };

/**
 * What the caller supplies: the rows of a state as canonical lines in any order, their keys, and the game's played
 * status.
 */
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

/** A time more than 5 s after the append counts as the time of the append. */
export function seenAt(time: OracleTime, loggedAt: OracleTime): OracleTime {
  return time - loggedAt > 5_000_000 ? loggedAt : time;
}

export function timed(observation: OracleObservation): TimedObservation {
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
export function isOlder(one: TimedObservation, newest: TimedObservation): boolean {
  return one.asked < newest.asked || (one.asked === newest.asked && one.updated < newest.updated);
}

export function presentOf(applied: readonly TimedObservation[]): Map<string, Present> {
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

/** The kind and the rows of the change from one state to the next. */
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
