// The one transaction of a flush, tried until its fate is known: a broken connection leaves that to the checkpoint, which is read again
// (docs/durability.md#the-fence). Independent of what is committed.
import { Halted } from '../../core/ports/broker.ts';
import type { CommitAnswer, Fence } from '../../core/ports/catalog/checkpoints.ts';
import { CatalogRefused, CatalogUnavailable, UnknownCommit } from '../../core/ports/catalog/errors.ts';
import type { Micros } from '../../core/units.ts';
import { Fenced, longestFlush, type PartitionTools } from './partition-tools.ts';
import { type Patience, untilCatalogAnswers } from './patience.ts';

type Tools = Pick<PartitionTools, 'checkpoints' | 'crash'> & Patience;

/** Calls `commit` under `fence` until it is committed. `began`: when the first object of the flush may have been put. @throws Fenced, Halted */
export async function commitFlush(
  tools: Tools,
  fence: Fence,
  commit: () => Promise<CommitAnswer>,
  began: Micros,
): Promise<void> {
  const { clock, crash } = tools;
  const { partition } = fence.stream;
  const answer = await untilCatalogAnswers(tools, async () => {
    if (clock.now() - began > longestFlush)
      throw new Fenced(`partition ${partition}: a flush took too long, its objects may be gone`);
    try {
      const answered = commit();
      answered.catch(() => {});
      crash('projector:in-commit');
      return await answered;
    } catch (error) {
      if (error instanceof CatalogRefused) throw refused(fence, error);
      if (!(error instanceof UnknownCommit)) throw error;
      // A commit of a snapshot alone leaves the checkpoint where it was: the checkpoint cannot tell whether it happened.
      if (fence.from === fence.to) throw new Fenced(`partition ${partition}: its newest snapshot is not known`);
      if (await stands(tools, fence)) return 'committed';
      throw new CatalogUnavailable('the connection broke and the commit did not happen');
    }
  });
  // A commit whose answer was lost may still have been under way when we looked: our own success is no fence.
  if (answer === 'fenced' && !(await stands(tools, fence)))
    throw new Fenced(`partition ${partition}: epoch ${fence.ownerEpoch} is over`);
}

/** The next owner would fold the same records and be refused again: the partition waits for the administrator, and the others continue. */
function refused({ stream, from, to }: Fence, error: CatalogRefused): Halted {
  return new Halted(
    `partition ${stream.partition}: the catalog takes nothing of the records from offset ${from} up to ${to}: ${error.message}`,
    `mend what ${stream.projector} makes of these records of ${stream.topic}, then restart the projectors`,
    { cause: error },
  );
}

/** Whether the checkpoint is where this commit would have put it, by this owner. */
async function stands(tools: Tools, fence: Fence): Promise<boolean> {
  const position = await untilCatalogAnswers(tools, () => tools.checkpoints.position(fence.stream));
  return position !== null && position.ownerEpoch === fence.ownerEpoch && position.nextOffset === fence.to;
}
