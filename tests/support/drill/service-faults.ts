// Faults of the dependencies: the broker, the database, Redis and the registry become unreachable, then return with
// their data.
import type { Controls } from '../services/process.ts';
import type { DrillFault } from './drill-fault.ts';
import type { DrillPlace, EndedService } from './drill-place.ts';

function restarted(name: string, reportedAs: RegExp, of: (place: DrillPlace) => EndedService): DrillFault {
  return {
    name: `restart-${name}`,
    async begin({ place }) {
      const service = of(place);
      await service.end();
      return { reportedAs, end: () => service.restart() };
    },
  };
}

function by(how: 'kill' | 'stop', service: Controls): EndedService {
  return { end: () => service[how](), restart: () => service.restart() };
}

export const serviceFaults: readonly DrillFault[] = [
  restarted('broker', /^log$/, ({ kafka }) => by('kill', kafka)),
  restarted('database', /^catalog$/, ({ postgres }) => by('stop', postgres)),
  restarted('redis', /^ratelimit$/, ({ redis }) => by('kill', redis)),
  restarted('registry', /^registry$/, ({ registry }) => registry),
];
