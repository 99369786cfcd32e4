// How fast the heap of a process may grow. Left to itself, V8 collects the old generation of a small heap when it is up to four times as
// large as before: several large bodies then leave a hundred megabytes behind.
import { setFlagsFromString } from 'node:v8';

const percent = 50;

/** The old generation is collected whenever it has grown by half. For a process with a small heap that works on large bodies. */
export function growHeapSlowly(): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
