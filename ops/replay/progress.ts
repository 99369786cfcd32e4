// Progress on stderr: a bar that redraws itself on a terminal, a line at each tenth elsewhere.

type Progress = { at(done: number, note?: string): void; end(): void };

const barWidth = 30;

/** Progress towards `total` steps of `what`. */
export function openProgress(what: string, total: number, out: NodeJS.WriteStream = process.stderr): Progress {
  let lastTenth = 0;
  return {
    at(done, note = '') {
      const share = total === 0 ? 1 : done / total;
      if (out.isTTY) {
        const filled = Math.round(share * barWidth);
        out.write(`\r${what} [${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${done}/${total} ${note}\u001b[K`);
        return;
      }
      const tenth = Math.floor(share * 10);
      if (tenth > lastTenth) out.write(`${what}: ${done}/${total} ${note}\n`);
      lastTenth = Math.max(tenth, lastTenth);
    },
    end() {
      if (out.isTTY) out.write('\n');
    },
  };
}
