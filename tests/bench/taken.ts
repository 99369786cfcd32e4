// What pieces of work take of the clock and of this process's CPU, its collector included. CPU is what a machine that does other things as well
// disturbs least.

/** The sums of some pieces. */
export class Taken {
  seconds = 0;
  cpuMs = 0;

  async by(work: () => unknown): Promise<void> {
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(cpu);
    this.seconds += (performance.now() - startedAt) / 1e3;
    this.cpuMs += (user + system) / 1e3;
  }
}
