// Both editions on real services, for test files that run on each: what is missing for an edition, and how to start it.

import { services } from '../services/services.ts';
import { leftOut } from '../vitest/sampled.ts';
import { distributedEdition, distributedSkip } from './distributed.ts';
import type { EditionOptions } from './edition.ts';

export type Setting = Pick<EditionOptions, 'environment' | 'openBroker'> & {
  /** Deletes the records of a partition below an offset behind the service's back. Absent: its log does so when it is asked. */
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
 * Why this run does not take the case in the edition: by its seed it takes half of the cases, each in one of the editions that can run here.
 * Every run takes all of them without services, in tests of the rules.
 */
export function caseLeftOut(edition: InEdition[0], what: string): string | false {
  const here = twoEditions.filter(([name, skip]) => skip === false || name === edition).map(([name]) => name);
  return leftOut<string>(edition, [...here, ...here.map(() => 'neither')], what);
}

/** The same, of which a run of `npm test` takes one, by its seed. */
export function sampledEditions(): readonly InEdition[] {
  const names = twoEditions.map(([name]) => name);
  return twoEditions.map(([name, skip, prepare]) => [name, skip || leftOut(name, names), prepare]);
}
