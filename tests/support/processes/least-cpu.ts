// What work costs this process, for tests of how its cost grows: in CPU, so that what else the machine does counts little, and the least of
// several runs, so that a collection of garbage or code that is not yet compiled does not count either.

/** Milliseconds of CPU of the cheapest of some runs of `work`. */
export function leastCpuMs(work: () => void): number {
  const runs = Array.from({ length: 3 }, () => {
    const begun = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
}
