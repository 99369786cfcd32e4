// Faults of the object store: it answers 500, returns wrong bytes, is full, or is unreachable. A fault that affects no
// request proves nothing.
import type { DrillFault } from './drill-fault.ts';
import type { StoreFault } from './faulty-store.ts';

function ofStore(name: string, fault: StoreFault, reportedAs: RegExp): DrillFault {
  return {
    name,
    lastsMs: 8_000,
    async begin({ place: { store } }) {
      await store.begin(fault);
      return {
        reportedAs,
        async end() {
          if (fault !== 'gone' && store.met() === 0) throw new Error(`${name}: the fault affected no request`);
          await store.end();
        },
      };
    },
  };
}

export const storeFaultsOfDrill: readonly DrillFault[] = [
  ofStore('store-500', '500', /^objects$/),
  ofStore('store-wrong-bytes', 'wrong-bytes', /^objects$/),
  ofStore('store-gone', 'gone', /^objects$/),
  ofStore('disk-full', 'full', /^objects$|^stalled /),
];
