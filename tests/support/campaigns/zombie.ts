// The zombie campaign: SIGSTOP stops projectors at named places or at random moments, until others have claimed every
// partition they held and committed on it; then they continue. The database's journal shows what they do next: a zombie
// may be refused, exit, or claim again like any projector, but must commit nothing of what it held.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { CrashPoint } from '../../../core/ports/crash-points.ts';
import { type Random, seededRandom } from '../../oracle/random.ts';
import { until } from '../services/until.ts';
import type { EditionName } from './place.ts';
import type { Program } from './program.ts';
import { reported } from './report.ts';
import { type Conclusion, openStage, type Stage } from './stage.ts';
import { judgeJournal } from './verdict.ts';

export type ZombieFigures = Omit<Conclusion, 'receipts'> & {
  /** Freezes of a projector that held partitions, past its session, until others had committed on all of them. */
  freezes: number;
  /** Where the zombies were stopped; `anywhere`: at a random moment. */
  at: Record<string, number>;
  /** Partitions taken over from zombies. */
  takenOver: number;
  /** Zombies that tried to commit and were refused by the fence. */
  refused: number;
  /** Zombies that ended their process. */
  exited: number;
  /** Zombies that dropped what they held and claimed again, at a new epoch. */
  startedOver: number;
  /** How often the never frozen projector ended: at most once for each zombie that continues. */
  survivorEnds: number;
  commits: number;
  seconds: number;
};

const points: readonly CrashPoint[] = [
  'projector:folded',
  'projector:before-put',
  'projector:after-put',
  'projector:before-commit',
  'projector:in-commit',
  'projector:after-commit',
  'projector:before-ack',
];
const settlementPlaces = ['settlement:built', 'settlement:before-landing'] as const satisfies CrashPoint[];
const places = [...points.flatMap((point) => [`${point}@live`, `${point}@revisions`]), ...settlementPlaces];

/** `full`: freezes as many projectors at once as possible, and runs the outside checks at the end. */
export type ZombieOptions = {
  edition: EditionName;
  seed: number;
  freezes: number;
  full: boolean;
  say(line: string): void;
};

type Held = { projector: string; partition: number; epoch: number };
type Counts = Pick<ZombieFigures, 'at' | 'takenOver' | 'refused' | 'exited' | 'startedOver'>;

/** Runs the campaign; rejects with the first failed assertion. A string says which service is missing. */
export async function zombieCampaign(options: ZombieOptions): Promise<ZombieFigures | string> {
  const startedAt = performance.now();
  const { edition, seed, full } = options;
  const stage = await openStage(edition, seed, {
    projectors: full ? 4 : 3,
    pauseMs: 100,
    shortGames: full ? 40 : 0,
    full,
  });
  if (typeof stage === 'string') return stage;
  try {
    const counts: Counts = { at: {}, takenOver: 0, refused: 0, exited: 0, startedOver: 0 };
    await freezeThem(stage, options, counts);
    options.say(`${options.edition}, seed ${options.seed}: ${sum(counts.at)} freezes, judging`);
    const survivorEnds = stage.projectors[0]?.ends.length ?? 0;
    assert.ok(
      survivorEnds <= sum(counts.at),
      `the projector that was never frozen was fenced ${survivorEnds} times, more often than zombies continued`,
    );
    const { receipts: _, ...concluded } = await stage.conclude();
    const commits = (await judgeJournal(stage.world)).filter(({ kind }) => kind === 'commit').length;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return { freezes: sum(counts.at), ...counts, survivorEnds, ...concluded, commits, seconds };
  } catch (error) {
    throw await reported(error, stage);
  } finally {
    await stage.close();
  }
}

const sum = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

async function freezeThem(stage: Stage, { seed, freezes, full, say }: ZombieOptions, counts: Counts): Promise<void> {
  const random = seededRandom(seed);
  const [survivor, ...victims] = stage.projectors as [Program, ...Program[]];
  survivor.start();
  await survivor.untilReady();
  // If games are played throughout, each campaign stops some zombie in the middle of a settlement.
  let deck: (string | null)[] = full ? [...settlementPlaces] : [];
  const draw = (): string | null => {
    if (deck.length === 0) deck = [...places, null, null, null];
    return deck.splice(random.integer(deck.length), 1)[0] ?? null;
  };

  async function live(program: Program): Promise<void> {
    while (sum(counts.at) < freezes) {
      const place = draw();
      await program.kill();
      // Settlements are rare, while projectors pass their other points all the time.
      const pass = place?.startsWith('settlement:') ? 1 : 1 + random.integer(full ? 8 : 4);
      program.start(place === null ? null : `${place}:${pass}:freeze`);
      await program.untilReady();
      if (!(await freeze(stage, program, place, random))) {
        if (place !== null) deck.push(place);
        continue;
      }
      const before = { ...counts };
      const took = await bringBack(stage, program, counts);
      const name = place ?? 'anywhere';
      counts.at[name] = (counts.at[name] ?? 0) + 1;
      const became =
        counts.exited > before.exited ? 'exited' : counts.refused > before.refused ? 'was refused' : 'started over';
      const done = `${stage.world.edition}, seed ${seed}: ${sum(counts.at)} of ${freezes} freezes`;
      say(`${done}; ${program.name} at ${name} ${became}; taken over in ${took.overMs} ms, back in ${took.backMs} ms`);
    }
    // Its last life may have an armed point that it has not reached; it is disarmed before the judgement.
    await program.kill();
  }
  const done = new AbortController();
  const freezing = Promise.all(victims.map(live)).finally(() => done.abort());
  await Promise.all([freezing, supervise(survivor, done.signal)]);
}

/**
 * Restarts the never frozen projector when it ends, as a supervisor does. A zombie stopped in the middle of a claim
 * takes a partition from it when it continues, and a fenced projector ends.
 */
async function supervise(program: Program, done: AbortSignal): Promise<void> {
  while (!done.aborted) {
    await delay(50);
    if (program.running || done.aborted) continue;
    assertFenced(program);
    program.start();
    await program.untilReady();
  }
}

/** A projector may end by itself only if another one has taken what it held, and it says so. */
function assertFenced({ name, ends }: Program): void {
  const end = ends.at(-1);
  assert.equal(end?.by, 'itself', `${name}: ${JSON.stringify(end)}`);
  assert.match(end?.last ?? '', /is over|given up|another owner/, `${name} says why it ends`);
}

/** Freezes the program; answers whether it is stopped while it holds partitions. */
async function freeze(stage: Stage, program: Program, place: string | null, random: Random): Promise<boolean> {
  const holds = async (): Promise<boolean> => (await heldBy(stage, program)).length > 0;
  const isDone = place === null ? holds : () => program.isFrozen();
  await until(`${program.name} can be frozen`, async () => !program.running || (await isDone()), {
    withinMs: 20_000,
    everyMs: 20,
  }).catch(() => {});
  if (place === null) {
    await delay(random.integer(1_500));
    await program.freeze();
  }
  if (program.isFrozen() && (await holds())) return true;
  program.thaw();
  return false;
}

/** Waits until others have taken all that the frozen program held, continues it, and observes what it does. */
async function bringBack(stage: Stage, program: Program, counts: Counts): Promise<{ overMs: number; backMs: number }> {
  const frozenAt = performance.now();
  const held = await heldBy(stage, program);
  await until(
    `others commit on what ${program.name} holds`,
    async () => {
      const moved = await Promise.all(held.map((each) => isTakenOver(stage, each)));
      return moved.every(Boolean);
    },
    { everyMs: 100 },
  );
  counts.takenOver += held.length;
  const mark = await newestId(stage);
  const lives = program.ends.length;
  const thawedAt = performance.now();
  program.thaw();
  const next = async (kind: string): Promise<boolean> => {
    const text = 'select 1 from campaign_journal where id > $1 and program = $2 and kind = $3 limit 1';
    return (await stage.world.sql.query(text, [mark, program.name, kind])).rows.length > 0;
  };
  await until(`${program.name} ends or starts over`, async () => program.ends.length > lives || (await next('claim')), {
    everyMs: 50,
  });
  const took = { overMs: Math.round(thawedAt - frozenAt), backMs: Math.round(performance.now() - thawedAt) };
  if (await next('refused')) counts.refused += 1;
  if (program.ends.length > lives) {
    assertFenced(program);
    counts.exited += 1;
  } else counts.startedOver += 1;
  for (const { projector, partition, epoch } of held) {
    const { rows } = await stage.world.sql.query(
      `select id from campaign_journal where id > $1 and projector = $2 and partition = $3 and epoch <= $4`,
      [mark, projector, partition, epoch],
    );
    const what = `${projector} ${partition}`;
    assert.deepEqual(rows, [], `${program.name} commits nothing more of ${what} at epoch ${epoch}`);
  }
  return took;
}

/** Partitions whose newest epoch is the program's. */
async function heldBy(stage: Stage, program: Program): Promise<Held[]> {
  const { rows } = await stage.world.sql.query(
    `select j.projector, j.partition, j.epoch from campaign_journal j
     join campaign_streams s on s.projector = j.projector and s.partition = j.partition and s.owner_epoch = j.epoch
     where j.kind = 'claim' and j.program = $1 and s.owner_id like $2`,
    [program.name, `${program.pid}-%`],
  );
  return rows.map((row) => ({
    projector: String(row.projector),
    partition: Number(row.partition),
    epoch: Number(row.epoch),
  }));
}

/** Whether a newer owner has claimed the partition and committed, or has nothing left to commit in it. */
async function isTakenOver({ world }: Stage, { projector, partition, epoch }: Held): Promise<boolean> {
  const { rows } = await world.sql.query(
    `select s.topic, s.next_offset, s.owner_epoch, exists (select from campaign_journal j
       where j.projector = $1 and j.partition = $2 and j.epoch > $3 and j.kind = 'commit') as moved
     from campaign_streams s where s.projector = $1 and s.partition = $2`,
    [projector, partition, epoch],
  );
  const [row] = rows;
  if (row !== undefined && Number(row.owner_epoch) > epoch) {
    if (row.moved === true) return true;
    const ends = await world.api.drivers.broker.watermarks(String(row.topic));
    if (ends.some((end) => end.partition === partition && end.high <= Number(row.next_offset))) return true;
  }
  throw new Error(`${projector} ${partition}, epoch ${epoch}: now at ${JSON.stringify(rows)}`);
}

async function newestId(stage: Stage): Promise<number> {
  return Number((await stage.world.sql.query('select max(id) as id from campaign_journal')).rows[0]?.id ?? 0);
}

/** A campaign's figures in one line. */
export function describeZombies({ at, ...figures }: ZombieFigures): string {
  const where = Object.entries(at)
    .sort()
    .map(([place, count]) => `${place} ${count}`);
  const counts = Object.entries(figures).map(([name, count]) => `${name} ${count}`);
  return `${counts.join(', ')}; at ${where.join(', ')}`;
}
