// Faults of the dependencies: the broker, the database, Redis and the registry become unreachable, then return with
// their data.
import type { Controls } from '../services/process.ts';
import type { DrillFault } from './drill-fault.ts';
import type { DrillPlace } from './drill-place.ts';

function restarted(
  name: string,
  reportedAs: RegExp,
  of: (place: DrillPlace) => Controls,
  how: 'kill' | 'stop',
): DrillFault {
  return {
    name: `restart-${name}`,
    async begin({ place }) {
      const service = of(place);
      await service[how]();
      return { reportedAs, end: () => service.restart() };
    },
  };
}

export const serviceFaults: readonly DrillFault[] = [
  restarted('broker', /^log$/, ({ kafka }) => kafka, 'kill'),
  restarted('database', /^catalog$/, ({ postgres }) => postgres, 'stop'),
  restarted('redis', /^ratelimit$/, ({ redis }) => redis, 'kill'),
  {
    name: 'restart-registry',
    async begin({ place: { registry } }) {
      await registry.cut();
      return { reportedAs: /^registry$/, end: () => registry.mend() };
    },
  },
];
