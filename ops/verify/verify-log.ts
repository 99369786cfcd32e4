// Verifies what is served of a game's sportsbook lines: its segments together contain every row number once, in order; its boards and final
// files have the committed bytes and row counts.
import type { ArtifactsCatalog } from '../../core/ports/catalog/artifacts.ts';
import type { ServedLog } from '../../core/ports/catalog/live.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import { type CheckTools, checkFile } from './check-file.ts';
import { readOwnColumns, readRows, type VerifyTools } from './read-rows.ts';

export type ServedTools = VerifyTools & CheckTools & { artifacts: Pick<ArtifactsCatalog, 'served' | 'versions'> };

/** Checks the game's log and every version of its final files. */
export async function verifyServed(
  tools: ServedTools,
  { uuid, gameId }: { uuid: string; gameId: string },
): Promise<void> {
  const { log, artifacts } = await tools.artifacts.served(uuid);
  if (log !== null) await verifyLog(tools, gameId, log);
  for (const { dataset } of artifacts) {
    // Files of settled games keep the columns of the release that made them.
    for (const { version, rows, file } of await tools.artifacts.versions(uuid, dataset)) {
      tools.report.count('final files');
      await checkFile(tools, { subject: `${gameId} final ${dataset} version ${version}`, rows, file });
    }
  }
}

async function verifyLog(tools: VerifyTools, gameId: string, log: ServedLog): Promise<void> {
  const { report } = tools;
  report.count('logs');
  let next = 1;
  let seq = log.firstSeq;
  for (const segment of segmentsOf(log)) {
    report.count('segments');
    const subject = `${gameId} segment ${segment.seq}`;
    report.expect(segment.seq === seq, 'I2', subject, `segment ${seq} should come here`);
    seq = segment.seq + 1;
    const { rows: count, file } = segment;
    const rows = (await readOwnColumns(tools, { subject, rows: count, file }))?.rows;
    const wrong = rows?.findIndex((row, index) => row.row_number !== next + index) ?? -1;
    if (wrong >= 0) report.violated('I3', subject, `its row ${wrong} is not row ${next + wrong} of the log`);
    next += count;
  }
  report.expect(next - 1 === log.rows, 'I3', gameId, `its segments hold ${next - 1} rows, the log ${log.rows}`);
  for (const { operator, rows, file } of log.boards) {
    report.count('boards');
    await readRows(tools, { subject: `${gameId} board of ${operator}`, dataset: 'board', rows, file });
  }
}

function segmentsOf({ closed, tail }: ServedLog): { seq: number; rows: number; file: FileRef }[] {
  const segments = closed.map(({ seq, rows, key, size, sha256 }) => ({
    seq,
    rows,
    file: { key, offset: 0, size, sha256 },
  }));
  return tail === null ? segments : [...segments, { seq: tail.seq, rows: tail.rows, file: tail.file }];
}
