// One line on standard error that shows what the program is waiting for, with the seconds so far. On a terminal the line is rewritten;
// elsewhere (a log, CI) a line is printed at the start, every ten seconds, and at the end.

const terminal = process.stderr.isTTY === true;

/** Shows `title: detail(), N s` until `done` or `fail` is called. Shows nothing for waits under a second. */
export function startProgress(title, detail = () => '') {
  const startedAt = Date.now();
  let printed = false;
  let printedAt = startedAt;
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const line = () => [`${title}:`, [detail(), seconds()].filter((part) => part !== '').join(', ')].join(' ');
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - startedAt < 900) return;
    if (terminal) process.stderr.write(`\r\u001b[2K${line()}`);
    else if (!printed || now - printedAt >= 10_000) {
      process.stderr.write(`${printed ? line() : `${title} …`}\n`);
      printedAt = now;
    }
    printed = true;
  }, 300);
  timer.unref();
  const end = (word) => {
    clearInterval(timer);
    if (!printed) return;
    process.stderr.write(`${terminal ? '\r\u001b[2K' : ''}${title}: ${word} after ${seconds()}\n`);
  };
  return { done: () => end('done'), fail: () => end('failed') };
}
