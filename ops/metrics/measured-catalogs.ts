// Wraps the catalogs and counts what is stored through them: dead letters by code, and the outcomes of pushed elements. Counting does not
// change what is stored.
import type { CommitAnswer, FlushCommit } from '../../core/ports/catalog/checkpoints.ts';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { Meter } from '../../core/ports/meter.ts';
import type { Catalogs } from '../service/catalogs.ts';

/** The same catalogs, measured. */
export function measuredCatalogs(catalogs: Catalogs, meter: Meter): Catalogs {
  const count = (origin: string, deadLetters: readonly DeadLetter[]): void => {
    for (const { code } of deadLetters) meter.add('sds_dead_letters_total', { origin, code });
  };
  const counting =
    <Commit extends FlushCommit>(origin: string, commit: (what: Commit) => Promise<CommitAnswer>) =>
    async (what: Commit): Promise<CommitAnswer> => {
      const answer = await commit(what);
      if (answer === 'committed') count(origin, what.deadLetters);
      return answer;
    };
  const { live, msf, reference, deadLetters, pushes } = catalogs;
  return {
    ...catalogs,
    live: { ...live, commit: counting('live', live.commit) },
    msf: { ...msf, commit: counting('revisions', msf.commit) },
    reference: { ...reference, commit: counting('reference', reference.commit) },
    deadLetters: {
      ...deadLetters,
      async store(letters) {
        await deadLetters.store(letters);
        count('gateway', letters);
      },
    },
    pushes: {
      ...pushes,
      async acknowledge(entry, key, letters) {
        await pushes.acknowledge(entry, key, letters);
        count('gateway', letters);
        const { accepted, duplicates, rejected, rejectedMore } = entry;
        const results = { accepted, duplicate: duplicates, refused: rejected.length + rejectedMore };
        for (const [result, elements] of Object.entries(results))
          if (elements > 0) meter.add('sds_push_elements_total', { result }, elements);
      },
    },
  };
}
