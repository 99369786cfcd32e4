// k) Whether the time a refusal takes tells anything about the keys that exist. Two pairs of refused keys are timed:
// - with valid checksums: one that differs from a real key in its last character, one that resembles none;
// - the same two with a wrong checksum.
// Welch's t over 10,000 samples each, in mixed order. api/access/key-refusals.unit tests what makes the times equal.
import { openKeyRing } from '../support/fakes/key-ring.ts';
import { mistypedKey, nearKey, strangeKey } from '../support/http/near-keys.ts';
import type { Bench } from './bench.ts';

/** Above this, the two means count as different (SECURITY.md). */
const mostT = 4.5;
/**
 * The share of samples kept. Garbage collection and other processes slow down both sides alike and hide a difference,
 * so the slowest tenth is left out.
 */
const kept = 0.9;

export const keyTiming: Bench = {
  letter: 'k',
  title: 'how long a key takes to be refused',
  async run(run) {
    const samples = run.toy ? 500 : 10_000;
    const { ring, reals } = openKeyRing(500);
    const real = (turn: number) => reals[turn % reals.length] as string;
    for (const [what, one, other] of [
      ['unknown, a real key but for its last character or like none', (turn) => nearKey(real(turn), turn), strangeKey],
      [
        'mistyped, a real key or not',
        (turn) => mistypedKey(real(turn), turn),
        (turn) => mistypedKey(strangeKey(turn % reals.length), turn),
      ],
    ] as const satisfies readonly (readonly [string, (turn: number) => string, (turn: number) => string])[]) {
      // The headers are built beforehand, all in the same way: only the key ring's work is timed.
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

/** Leaves out the slowest samples, and the first ones, which warm up. */
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
