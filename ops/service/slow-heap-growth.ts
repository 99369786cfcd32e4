// Limits how fast the heap of a process grows. By default, V8 collects the old generation of a small heap only when it is up to four times
// as large as before: several large bodies then leave a hundred megabytes behind.
import { setFlagsFromString } from 'node:v8';

const percent = 50;

/** The old generation is collected whenever it has grown by half. For a process with a small heap that handles large bodies. */
export function growHeapSlowly(): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
