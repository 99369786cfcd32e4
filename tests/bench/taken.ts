// The wall time and the CPU time of this process that pieces of work take, garbage collection included. Other load on
// the machine hardly changes CPU time.

/** The sums over several pieces of work. */
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
