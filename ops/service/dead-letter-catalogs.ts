// The catalogs that store dead letters, as the service uses them: large payloads go to the object store first, and the log reports their
// number once a minute.
import type { CommitAnswer, FlushCommit } from '../../core/ports/catalog/checkpoints.ts';
import type { DeadLetter } from '../../core/ports/catalog/dead-letters.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { CrashPoints } from '../../core/ports/crash-points.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { holdPayloads, type KnownPayloads } from '../../platform/objects/dead-letter-payloads.ts';
import { newUuid } from '../../platform/process/ids.ts';
import type { Catalogs } from './catalogs.ts';
import { DeadLetterTally } from './dead-letter-tally.ts';

type Tools = { objects: Pick<ObjectStore, 'put'>; clock: Pick<Clock, 'now'>; crash: CrashPoints; log: Log };

/** `catalogs`, with every method that stores dead letters wrapped. */
export function deadLetterCatalogs(catalogs: Catalogs, { objects, clock, crash, log }: Tools): Catalogs {
  const tools = { objects, newName: newUuid, crash, log };
  const tally = new DeadLetterTally(clock, log);
  const known: KnownPayloads = new WeakMap();
  const held = (letters: readonly DeadLetter[]) => holdPayloads(tools, known, letters);
  const committing =
    <Commit extends FlushCommit>(commit: (commit: Commit) => Promise<CommitAnswer>) =>
    async (given: Commit): Promise<CommitAnswer> => {
      if (given.deadLetters.length === 0) return commit(given);
      const answer = await commit({ ...given, deadLetters: await held(given.deadLetters) });
      if (answer === 'committed') tally.note(given.deadLetters);
      return answer;
    };
  const { deadLetters, pushes, live, msf, reference } = catalogs;
  return {
    ...catalogs,
    deadLetters: {
      ...deadLetters,
      async store(letters) {
        await deadLetters.store(await held(letters));
        tally.note(letters);
      },
    },
    pushes: {
      ...pushes,
      async acknowledge(entry, key, letters) {
        await pushes.acknowledge(entry, key, await held(letters));
        tally.note(letters);
      },
    },
    live: { ...live, commit: committing(live.commit) },
    msf: { ...msf, commit: committing(msf.commit) },
    reference: { ...reference, commit: committing(reference.commit) },
  };
}
