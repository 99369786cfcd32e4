// How the cost of work grows with its size. Cost is CPU, the least of several runs, so that neither other load nor
// garbage collection counts. The smaller work is repeated until it amounts to the same, so that a disturbance affects
// both.

/**
 * The CPU of `large`, relative to doing `small`, a `times`-th of it, `times` times. About one if cost is linear, about
 * `times` if it is quadratic.
 */
export function growthOf(large: () => void, small: () => void, times: number): number {
  const ofLarge = leastCpuMs(large);
  const ofSmall = leastCpuMs(() => {
    for (let time = 0; time < times; time += 1) small();
  });
  return ofLarge / ofSmall;
}

function leastCpuMs(work: () => void): number {
  const runs = Array.from({ length: 3 }, () => {
    const begun = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
}
