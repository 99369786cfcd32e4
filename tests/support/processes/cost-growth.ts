// How the cost of work grows with its size, for tests. Cost is CPU, and the least of several runs, so that neither other load of the machine nor a
// collection of garbage counts; and the smaller work is done as often as makes it as much in all, so that what disturbs one disturbs the other.

/**
 * The CPU of `large` in that of doing `small`, a `times`-th of it, as often: about one where each part costs the same, about `times` where the
 * cost grows with the square.
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
