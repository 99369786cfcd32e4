// Both editions on real services, for test files that run on each: what an edition lacks here, and how to start it.

import { services } from '../services/services.ts';
import { leftOut } from '../vitest/sampled.ts';
import { distributedEdition, distributedSkip } from './distributed.ts';
import type { EditionOptions } from './edition.ts';

export type Setting = Pick<EditionOptions, 'environment' | 'openBroker'> & {
  /**
   * Deletes the records of a partition below an offset without the service. Absent: the edition's log deletes them when
   * asked.
   */
  deleteBelow?(topic: string, partition: number, offset: number): Promise<void>;
  drop(): Promise<void>;
};

const postgres = await services.postgres();

async function embedded(): Promise<Setting> {
  if (postgres.skip !== false) throw new Error(postgres.skip);
  const database = await postgres.createMigratedDatabase();
  return { environment: { DATABASE_URL: database.url }, drop: () => database.drop() };
}

type InEdition = readonly [name: 'embedded' | 'distributed', skip: string | false, prepare: () => Promise<Setting>];

export const twoEditions: readonly InEdition[] = [
  ['embedded', postgres.skip, embedded],
  ['distributed', distributedSkip, () => distributedEdition(2)],
];

/**
 * Why this run leaves out the case in this edition: by its seed it runs half of the cases, each in one of the editions
 * that can run here. Every run runs all cases without services, in tests of the rules.
 */
export function caseLeftOut(edition: InEdition[0], what: string): string | false {
  const here = twoEditions.filter(([name, skip]) => skip === false || name === edition).map(([name]) => name);
  return leftOut<string>(edition, [...here, ...here.map(() => 'neither')], what);
}

/** The editions this run covers: `npm test` runs one, by its seed. */
export function sampledEditions(): readonly InEdition[] {
  const names = twoEditions.map(([name]) => name);
  return twoEditions.map(([name, skip, prepare]) => [name, skip || leftOut(name, names), prepare]);
}
