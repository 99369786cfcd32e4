// k) Whether the time that a key takes to be refused tells anything of the keys that there are: of an unknown key that has all but the last
// character of a real one and of one that has none, and of two with a wrong checksum. Welch's t over 10,000 samples each, taken by turns.
import { KeyRing } from '../../api/key-ring.ts';
import { defaultLimits } from '../../api/limits.ts';
import { openReach } from '../../api/reach.ts';
import { mintKey } from '../../core/access/key-format.ts';
import { silentLog } from '../../core/ports/telemetry.ts';
import { FakeCatalog } from '../support/api-fakes.ts';
import { MovableClock, pepper } from '../support/api-http.ts';
import type { Bench } from './bench.ts';

/** Beyond this the means are taken for different (reliability.md 8, S3). */
const mostT = 4.5;
/** What a collection of garbage or another process costs falls on both alike, and hides a difference: the slowest tenth is left out. */
const kept = 0.9;

export const keyTiming: Bench = {
  letter: 'k',
  title: 'how long a key takes to be refused',
  async run(run) {
    const samples = run.toy ? 500 : 10_000;
    const catalog = new FakeCatalog();
    const clock = new MovableClock();
    const reach = openReach(clock, silentLog, { catalog: 250, objects: 250 });
    const ring = new KeyRing({
      keys: catalog,
      reach,
      clock,
      log: silentLog,
      peppers: [pepper],
      limits: defaultLimits,
    });
    const reals = Array.from({ length: 500 }, () => catalog.mint(pepper));
    const bytes = (seed: number) =>
      Uint8Array.from({ length: 96 }, (_, at) => (seed * 31 + at * 17 + ((seed * at) >> 3)) % 62);
    const strange = (turn: number) => mintKey('live', bytes(turn + 1));
    const strangers = Array.from(reals, (_, turn) => strange(turn));
    const body = Math.floor((strange(0).length - '000000'.length) * 0.9);
    /** A key of another's first characters, with a checksum of its own. */
    const near = (turn: number) => mintKey('live', bytes(turn + 1).fill(7, 0, body - 9));
    const mistyped = (key: string, turn: number) =>
      key.slice(0, -1) + String((turn % 9) + (key.at(-1) === '0' ? 1 : 0));
    for (const [what, one, other] of [
      ['unknown, all like one another or not', near, strange],
      [
        'mistyped, a real key or not',
        (turn: number) => mistyped(reals[turn % reals.length] ?? '', turn),
        (turn: number) => mistyped(strangers[turn % strangers.length] ?? '', turn),
      ],
    ] as const) {
      // The headers are made before, as texts of one make: only what the ring does with them is timed.
      const turns = Array.from({ length: 2 * samples }, (_, turn) => {
        const isOne = ((turn ^ (turn >> 1) ^ (turn >> 5)) & 1) === 0;
        const header = Buffer.from(`Bearer ${isOne ? one(turn) : other(turn)}`).toString('latin1');
        return { isOne, header };
      });
      const times = { one: [] as number[], other: [] as number[] };
      for (const { isOne, header } of turns) {
        const began = process.hrtime.bigint();
        await ring.verdict(header, 1);
        const took = Number(process.hrtime.bigint() - began);
        (isOne ? times.one : times.other).push(took);
      }
      const t = welch(trimmed(times.one), trimmed(times.other));
      run.figure({
        what: `${what}: ${times.one.length} and ${times.other.length} samples, t = ${t.toFixed(2)}`,
        met: Math.abs(t) < mostT,
        target: `|t| < ${mostT}`,
      });
    }
  },
};

/** Without the slowest, and without the first, which warm up. */
function trimmed(times: readonly number[]): number[] {
  const sorted = times.slice(Math.ceil(times.length / 20)).sort((a, b) => a - b);
  return sorted.slice(0, Math.floor(sorted.length * kept));
}

function welch(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [moments(one), moments(other)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / one.length + b.variance / other.length);
}

function moments(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, variance };
}
