// How each part of the service stands, judged from the facts alone. Where the service's health has a rule for it, that rule decides, so that
// the console, `/health` and `sds status` never disagree.
import { areTicksOverdue } from '../../core/health/ticks-overdue.ts';
import { type Micros, microsPerMinute } from '../../core/units.ts';
import type { Asked } from '../health/ask-dependency.ts';
import type { ConsoleFacts, KnownHealth } from './console-facts.ts';
import { ageText, counted, type Judgement, judged, ok, warn } from './judgement.ts';
import { isLate, sportsbookFreshness } from './sportsbook-freshness.ts';

/** What is younger than that is news: dead letters, replaced epochs. */
export const lately: Micros = 15 * microsPerMinute;
/** Of a quota: what has used more is near it. */
export const nearShare = 0.8;
/** Among so many of the newest dead letters the open ones are counted. */
export const lettersLookedAt = 10_000;

/** The console calls these late, the first an alert too (docs/operations.md#alerts). */
const outboxLimit: Micros = microsPerMinute;
const settlementLimit: Micros = 2 * microsPerMinute;

/** Where the process does not know the health of the service, it may be waiting for its database: that alone is no fault of the database. */
export function judgeCatalog({ catalog, health }: ConsoleFacts): Judgement {
  if (!('away' in catalog)) return ok('PostgreSQL answers');
  return 'away' in health ? { state: 'unknown', what: catalog.away } : warn(`PostgreSQL: ${catalog.away}`);
}

/** Whether one of these reasons of health stands; each is a name, or with a space or `/` at its end the beginning of names. */
export function judgeReasons(facts: ConsoleFacts, names: readonly string[], well: string): Judgement {
  return judged(facts.health, ({ reasons }) => {
    const found = reasons.filter(({ name }) =>
      names.some((each) => name === each || (/[ /]$/.test(each) && name.startsWith(each))),
    );
    const [first] = found;
    if (first !== undefined) {
      const { name, detail, since, seenBy } = first;
      const more = found.length === 1 ? '' : `; and ${counted(found.length - 1, 'other')}`;
      return warn(`${name}: ${detail} (seen by ${seenBy.join(', ')})${more}`, since);
    }
    if ('away' in facts.catalog)
      return { state: 'unknown', what: 'what other processes see is not known: PostgreSQL does not answer' };
    return ok(well);
  });
}

/** What only processes of these roles see: unknown where none of them runs. */
function judgeSeenBy(roles: readonly string[], facts: ConsoleFacts, name: string, well: string): Judgement {
  const judgement = judgeReasons(facts, [name], well);
  const isSeen = 'away' in facts.health || roles.some((role) => lookersOf(facts).has(role));
  if (judgement.state !== 'ok' || isSeen) return judgement;
  return { state: 'unknown', what: `no process checks it: none has the role ${roles.join(' or ')}` };
}

/** A ticker has no right to read objects; projectors alone may put one. */
export function judgeObjects(facts: ConsoleFacts): Judgement {
  const well = lookersOf(facts).has('projectors') ? 'gives back what was put' : 'answers';
  return judgeSeenBy(['ingest', 'projectors'], facts, 'objects', `the object store ${well}`);
}

export function judgeRateLimit(facts: ConsoleFacts): Judgement {
  return judgeSeenBy(['ingest'], facts, 'ratelimit', 'no gateway misses the shared counts');
}

function lookersOf({ health }: ConsoleFacts): ReadonlySet<string> {
  return 'away' in health ? new Set() : health.answer.lookers;
}

export function judgeTicks(facts: ConsoleFacts): Judgement {
  return judged(facts.tick, (tick) => {
    if (tick === null) return judgeReasons(facts, ['ticks'], 'no tick yet');
    const what = `the newest tick is ${ageText(tick.age)} old`;
    return areTicksOverdue(tick.age) ? warn(what, tick.at) : ok(what);
  });
}

export function judgeFeeds({ openLogs, now }: ConsoleFacts): Judgement {
  return judged(openLogs, (logs) => {
    const books = sportsbookFreshness(logs, now);
    const late = books.filter(isLate);
    const [latest] = late;
    if (latest !== undefined) {
      const what = `${late.length} of ${counted(books.length, 'sportsbook')} late, longest ${latest.operator} of ${latest.source}`;
      return warn(`${what}: last observed ${ageText(now - latest.observed)} ago`, latest.observed);
    }
    return ok(
      books.length === 0
        ? 'no game has open offers'
        : `${counted(books.length, 'sportsbook')} in ${counted(logs.length, 'game')} with open offers, each observed in time`,
    );
  });
}

export function judgePartitions({ streams }: ConsoleFacts): Judgement {
  return judged(streams, (all) => {
    const halted = all.filter((stream) => stream.halted !== null);
    const [first] = halted;
    if (all.length === 0) return warn('no projector has ever begun');
    if (first === undefined) return ok(`${counted(all.length, 'partition')}, none halted`);
    const since = Math.min(...halted.map(({ updatedAt }) => updatedAt));
    return warn(
      `${counted(halted.length, 'partition')} halted, first ${first.projector}/${first.partition}: ${first.halted}`,
      since,
    );
  });
}

export function judgePublications({ outbox, now }: ConsoleFacts): Judgement {
  return judged(outbox, ({ records, age }) => {
    if (records === 0) return ok('nothing waits to be published');
    const what = `${counted(records, 'record')} to be published, the oldest ${ageText(age)} old`;
    return age > outboxLimit ? warn(what, now - age) : ok(what);
  });
}

export function judgeSettlement({ unsettled, now }: ConsoleFacts): Judgement {
  return judged(unsettled, ({ games, since, again }) => {
    const rebuilt = again === 0 ? null : `${counted(again, 'settled game')} to be built again`;
    if (since === null) return ok(rebuilt ?? 'no closed game waits for its final files');
    const first = `${counted(games, 'closed game')} without final files, the first closed ${ageText(now - since)} ago`;
    const what = rebuilt === null ? first : `${first}; ${rebuilt}`;
    return now - since > settlementLimit ? warn(what, since) : ok(what);
  });
}

export function judgeDeadLetters({ deadLetters }: ConsoleFacts): Judgement {
  return judged(deadLetters, (groups) => {
    const sum = (of: 'letters' | 'lately') => groups.reduce((total, group) => total + group[of], 0);
    const news = sum('lately');
    if (news === 0) return ok(`none in the last ${ageText(lately)}; ${counted(sum('letters'), 'older one')} open`);
    const most = groups.reduce((one, other) => (other.lately > one.lately ? other : one));
    const from = most.source === null ? '' : ` of ${most.source}`;
    return warn(`${counted(news, 'open one')} in the last ${ageText(lately)}, most of them ${most.code}${from}`);
  });
}

export function judgeEpochs({ epochs, now }: ConsoleFacts): Judgement {
  return judged(epochs, (replaced) => {
    const news = replaced.filter(({ replacedAt }) => now - replacedAt < lately);
    const [newest] = news;
    if (newest === undefined) return ok(`none replaced in the last ${ageText(lately)}`);
    const what = `${counted(news.length, 'stream')} began a new epoch, last ${newest.dataset} of ${newest.scope}`;
    return warn(`${what}: its readers start over`, newest.replacedAt);
  });
}

export function judgeKeys({ feedKeys, accounts }: ConsoleFacts): Judgement {
  const both = withBoth(feedKeys, accounts);
  return judged(both, ([keys, owners]) => {
    if (keys.length + owners.length === 0) return ok(`none has used ${nearShare * 100} % of a quota`);
    const parts = [
      ...(keys.length > 0 ? [counted(new Set(keys.map(({ id }) => id)).size, 'feed key')] : []),
      ...(owners.length > 0 ? [counted(owners.length, 'account')] : []),
    ];
    return warn(`${parts.join(' and ')} with ${nearShare * 100} % of a quota used, or more`);
  });
}

/** Records in the log that this projector has not committed; null: unknown. */
export function waitingFor({ health }: ConsoleFacts, projector: string): number | null {
  if ('away' in health || isLogAway(health.answer)) return null;
  const behind = health.answer.progress.filter((each) => each.projector === projector).map((each) => each.behind);
  return behind.includes(null) || behind.length === 0
    ? null
    : behind.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}

/** How far checkpoints are behind is known only while both the log and the catalog answer. */
export function isLogAway({ reasons }: KnownHealth): boolean {
  return reasons.some(({ name }) => name === 'log' || name === 'catalog');
}

function withBoth<One, Other>(one: Asked<One>, other: Asked<Other>): Asked<readonly [One, Other]> {
  if ('away' in one) return one;
  return 'away' in other ? other : { answer: [one.answer, other.answer] };
}
