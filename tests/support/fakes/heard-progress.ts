// The progress of a command, for tests that ask what is counted: of each part how far it was at its end.
import type { OpenProgress } from '../../../ops/session/progress.ts';

export function heardProgress(): { open: OpenProgress; heard: string[] } {
  const heard: string[] = [];
  const open: OpenProgress = ({ unit, all, from = 0 }) => {
    let last = from;
    return {
      at(done) {
        last = done;
      },
      add(more) {
        last += more;
      },
      [Symbol.dispose]: () => void heard.push(`${last} of ${all} ${unit}`),
    };
  };
  return { open, heard };
}
