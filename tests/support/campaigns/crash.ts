// The crash campaign. Pushers send quotes and MSF bodies, clients follow, and meanwhile SIGKILL ends projectors, the
// gateway and the collector, which are then restarted. Kills happen at every named crash point of each projector and of
// both halves of the gateway, at a random pass, and at random moments from outside. The campaign counts them.
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type CrashPoint, crashPointNames } from '../../../core/ports/crash-points.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { until } from '../services/until.ts';
import type { EditionName } from './place.ts';
import type { Program } from './program.ts';
import { reported } from './report.ts';
import { type Conclusion, openStage, type Stage } from './stage.ts';

export type CrashFigures = Omit<Conclusion, 'receipts'> & {
  kills: number;
  /** Kills by place, `<crash point>@<program>`; `outside` for those by pid at a random moment. */
  at: Record<string, number>;
  terminated: number;
  claims: number;
  refusedCommits: number;
  polls: number;
  seconds: number;
};

/** A crash point, and its program if several programs have a point of this name. */
type Place = { point: CrashPoint; name: string };

const owners: Readonly<Record<string, readonly string[]>> = {
  projector: ['@live', '@revisions'],
  gateway: ['@quotes', '@msf'],
};

/**
 * The crash points of the campaign. Other tests cover the points left out: resets and rebuilds are commands of the
 * administrator, and large dead letters are rare.
 */
const places: readonly Place[] = crashPointNames
  .filter((point) => !/^(reset|rebuild|letters):/.test(point))
  .flatMap((point) =>
    (owners[point.slice(0, point.indexOf(':'))] ?? ['']).map((owner) => ({ point, name: `${point}${owner}` })),
  );

/** The program that passes the point: projectors settle games. */
function kindOf(point: string): string {
  const kind = point.slice(0, point.indexOf(':'));
  return kind === 'settlement' ? 'projector' : kind;
}

/** `cover`: continue until every place has killed at least once. */
export type CampaignOptions = {
  edition: EditionName;
  seed: number;
  kills: number;
  cover: boolean;
  say(line: string): void;
};

type Fate =
  | { kind: 'point'; place: Place; pass: number }
  | { kind: 'outside'; afterMs: number }
  | { kind: 'terminate' };

/** Runs the campaign; rejects with the first failed assertion. A string says which service is missing. */
export async function crashCampaign(options: CampaignOptions): Promise<CrashFigures | string> {
  const startedAt = performance.now();
  const stage = await openStage(options.edition, options.seed, {
    projectors: 3,
    shortGames: options.cover ? 40 : 0,
    full: options.cover,
  });
  if (typeof stage === 'string') return stage;
  try {
    const at: Record<string, number> = {};
    const terminated = await killThemAll(stage, options, at);
    options.say(`${options.edition}, seed ${options.seed}: ${sum(at)} kills, judging`);
    const { receipts: _, ...concluded } = await stage.conclude();
    const { rows: noted } = await stage.world.sql.query(
      'select kind, count(*) as n from campaign_journal group by kind',
    );
    const count = (kind: string): number => Number(noted.find((row) => row.kind === kind)?.n ?? 0);
    return {
      kills: sum(at),
      at,
      terminated,
      claims: count('claim'),
      refusedCommits: count('refused'),
      ...concluded,
      polls: stage.follower.polls + stage.msfFollower.polls,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
  } catch (error) {
    throw await reported(error, stage);
  } finally {
    await stage.close();
  }
}

const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

async function killThemAll(
  stage: Stage,
  { seed, kills, cover, say }: CampaignOptions,
  at: Record<string, number>,
): Promise<number> {
  const random = seededRandom(seed);
  const collector = stage.program('collector', {
    script: fileURLToPath(new URL('collector.ts', import.meta.url)),
  });
  const decks = new Map<string, Place[]>();
  const uncovered = (): Place[] => (cover ? places.filter(({ name }) => at[name] === undefined) : []);
  /** Each place once before any repeats; after enough kills, a place that has not killed yet. */
  const draw = (kind: string): Place => {
    const isOfKind = ({ point }: Place): boolean => kindOf(point) === kind;
    const left = sum(at) >= kills ? uncovered().filter(isOfKind) : [];
    if (left.length > 0) return random.pick(left);
    const deck = decks.get(kind) ?? [];
    if (deck.length === 0) deck.push(...shuffled(random, places.filter(isOfKind)));
    decks.set(kind, deck);
    return deck.pop() as Place;
  };
  const enough = (): boolean => sum(at) >= kills && uncovered().length === 0;
  const enoughOf = (kind: string): boolean =>
    enough() || (sum(at) >= kills && !uncovered().some(({ point }) => kindOf(point) === kind));
  let terminated = 0;

  async function live(program: Program, kind: string): Promise<void> {
    if (program.running) await program.kill();
    // The collector passes its one point often; two kills there are enough.
    const done = (): boolean =>
      enoughOf(kind) || (at['collector:before-delete'] ?? 0) >= (kind === 'collector' ? 2 : Infinity);
    while (!done()) {
      const fate = fateOf(random, draw(kind), cover ? passes.full : passes.sample, cover && uncovered().length === 0);
      const end = await liveOnce(stage, program, fate);
      if (end === 'terminated') terminated += 1;
      else {
        at[end] = (at[end] ?? 0) + 1;
        if (sum(at) % 7 === 3) await stage.putDirect();
        say(`${stage.world.edition}, seed ${seed}: ${sum(at)} of ${kills} kills; ${program.name} at ${end}`);
      }
    }
    program.start();
    await program.untilReady();
  }

  const lives = stage.projectors.map((program) => live(program, 'projector'));
  // Files must age before the collector deletes them; a sample has no time for that.
  const rest = cover ? [live(collector, 'collector')] : [];
  await Promise.all([...lives, live(stage.gateway, 'gateway'), ...rest]);
  return terminated;
}

/** Points that a program passes once in its life, or rarely. */
const alone = new Set<CrashPoint>([
  'projector:snapshot-put',
  'collector:before-delete',
  'settlement:built',
  'settlement:before-landing',
  'settlement:landed',
]);

/** A place kills at a random one of this many passes. */
type Passes = { projector: number; gateway: number };
const passes = { full: { projector: 12, gateway: 30 }, sample: { projector: 4, gateway: 8 } };

/** Runs a program until it is killed at a random place of the sample. Returns the place. */
export function killOnce(
  world: Stage['world'],
  program: Program,
  kind: 'projector' | 'gateway',
  random: Random,
): Promise<string> {
  const place = random.pick(places.filter(({ point }) => kindOf(point) === kind && !point.startsWith('settlement:')));
  return liveOnce({ world }, program, fateOf(random, place, passes.sample, true));
}

function fateOf(random: Random, place: Place, most: Passes, mayBeOther: boolean): Fate {
  const { point } = place;
  const other = mayBeOther ? random.integer(100) : 99;
  if (other < 20) return { kind: 'outside', afterMs: random.integer(3_000) };
  if (other < 26) return { kind: 'terminate' };
  const last = point === 'projector:claimed' ? 2 : kindOf(point) === 'gateway' ? most.gateway : most.projector;
  return { kind: 'point', place, pass: alone.has(point) ? 1 : 1 + random.integer(last) };
}

/** Runs a program until it is killed. Returns the place. */
async function liveOnce(stage: Pick<Stage, 'world'>, program: Program, fate: Fate): Promise<string> {
  program.start(fate.kind === 'point' ? `${fate.place.name}:${fate.pass}` : null);
  await program.untilReady();
  if (fate.kind === 'outside') await delay(fate.afterMs);
  else if (fate.kind === 'terminate' || fate.place.point === 'projector:snapshot-put') {
    // A projector puts a snapshot when it stops, if there is something new to save.
    const projector = fate.kind === 'point' ? (fate.place.name.split('@')[1] ?? '') : 'live';
    await until(`${program.name} commits`, () => !program.running || commitsBy(stage, program, projector), {
      withinMs: 20_000,
    }).catch(() => {});
    program.terminate();
    await until(`${program.name} stops`, () => !program.running, { withinMs: 20_000 }).catch(() => {});
  } else
    await until(`${program.name} reaches ${fate.place.name}`, () => !program.running, { withinMs: 20_000 }).catch(
      () => {},
    );
  if (program.running) await program.kill();
  const end = program.ends.at(-1);
  if (end?.by === 'us') return 'outside';
  if (end?.by === 'point' && fate.kind === 'point') return fate.place.name;
  const wasAsked =
    fate.kind === 'terminate' || (fate.kind === 'point' && fate.place.point === 'projector:snapshot-put');
  if (wasAsked && end?.code === 0) return 'terminated';
  // A fenced process ends by itself, as it should. So does one that starts before the broker's group has dropped its
  // predecessor.
  if (/is over|another owner/.test(end?.last ?? '')) return 'terminated';
  throw new Error(`${program.name} ended without being killed: ${JSON.stringify(end)}`);
}

async function commitsBy(stage: Pick<Stage, 'world'>, program: Program, projector: string): Promise<boolean> {
  const { rows } = await stage.world.sql.query(
    `select 1 from campaign_journal j where program = $1 and projector = $2 and kind = 'commit' and exists
       (select from campaign_streams s
        where s.projector = j.projector and s.partition = j.partition and s.owner_epoch = j.epoch) limit 1`,
    [program.name, projector],
  );
  return rows.length > 0;
}

function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(random.integer(rest.length), 1)[0] as T);
}

/** A campaign's figures in one line. */
export function describeCrashes({ at, ...figures }: CrashFigures): string {
  const points = Object.entries(at)
    .sort()
    .map(([point, count]) => `${point} ${count}`);
  const counts = Object.entries(figures).map(([name, count]) => `${name} ${count}`);
  return `${counts.join(', ')}; at ${points.join(', ')}`;
}
