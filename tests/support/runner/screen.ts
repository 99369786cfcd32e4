// What a test run shows: a line per finished file, failures as they happen, and a live line under it all (on a terminal; elsewhere a
// sign of life every fifteen seconds). Writes to standard output only, so that the closing line stays the last one.
import { inspect } from 'node:util';
import { type Failure, type FileTally, failuresOf, passedOf, type Tally } from './tally.ts';

const terminal = process.stdout.isTTY === true;
const plain = process.env.NO_COLOR !== undefined || !terminal;
const paint = (code: number, text: string) => (plain ? text : `\u001b[${code}m${text}\u001b[0m`);

export type Screen = {
  /** A line that stays. */
  say(line: string): void;
  file(finished: FileTally): void;
  failure(failure: Failure): void;
  end(): void;
};

export function openScreen(tally: Tally, files: number, alsoDoing: () => string[]): Screen {
  const startedAt = performance.now();
  let spokeAt = startedAt;
  let live = '';
  const clear = () => {
    if (live !== '') process.stdout.write('\r\u001b[2K');
    live = '';
  };
  const say = (text: string) => {
    clear();
    process.stdout.write(`${text}\n`);
    spokeAt = performance.now();
  };
  const show = () => {
    const doing = [...tally.running.map(({ file }) => shortName(file)), ...alsoDoing()]
      .filter((part) => part !== '')
      .join(', ');
    const clock = durationOf((performance.now() - startedAt) / 1000);
    const counts = `${tally.finished.length} of ${files} files, ${passedOf(tally)} passed, ${failuresOf(tally).length} failed`;
    const line = `${clock}  ${counts}  ${doing}`;
    if (!terminal) {
      if (performance.now() - spokeAt > 15_000) say(`… ${line}`);
      return;
    }
    clear();
    live = line.slice(0, (process.stdout.columns ?? 120) - 1);
    process.stdout.write(live);
  };
  const timer = setInterval(show, 250);
  timer.unref();
  return {
    say,
    file({ file, passed, failures: { length: failed }, skips: { length: skipped }, seconds }) {
      const mark = failed > 0 ? paint(31, '✖') : skipped > 0 ? paint(33, '○') : paint(32, '✔');
      const rest = [failed > 0 ? `${failed} failed` : '', skipped > 0 ? `${skipped} skipped` : ''].filter(Boolean);
      say(`${mark} ${shortName(file)}  ${[`${passed} passed`, ...rest].join(', ')}  ${durationOf(seconds)}`);
    },
    failure({ file, name, line, error }) {
      say(`${paint(31, `✖ ${name}`)}  (${file}${line === undefined ? '' : `:${line}`})`);
      say(shortened(textOf(error)).replace(/^/gm, '    '));
    },
    end() {
      clearInterval(timer);
      clear();
    },
  };
}

export function durationOf(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')} min`;
}

/** A difference of thousands of rows is seen in its first ones. */
function shortened(text: string): string {
  const lines = text.split('\n');
  const limit = 80;
  return lines.length <= limit ? text : `${lines.slice(0, limit).join('\n')}\n… ${lines.length - limit} more lines`;
}

function shortName(file: string): string {
  return file.replace(/^tests\//, '').replace(/\.test\.ts$/, '');
}

/** An assertion says all it knows in its message; other errors are shown with their properties and causes. */
function textOf(error: unknown): string {
  if (error instanceof Error && error.name === 'AssertionError') return error.stack ?? error.message;
  return typeof error === 'string' ? error : inspect(error, { depth: 4 });
}
