// Every fault of a drill, in order.
import { administration } from './administration.ts';
import type { DrillFault } from './drill-fault.ts';
import { inputFaults } from './input-faults.ts';
import { processFaults } from './process-faults.ts';
import { serviceFaults } from './service-faults.ts';
import { storeFaultsOfDrill } from './store-faults.ts';

export const drillFaults: readonly DrillFault[] = [
  ...processFaults,
  ...serviceFaults,
  ...storeFaultsOfDrill,
  ...inputFaults,
  ...administration,
];
