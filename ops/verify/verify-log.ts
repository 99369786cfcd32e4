// Proves what is served of a game's sportsbook lines: its segments in order hold every row number once, its boards and final files are
// the committed bytes with the committed rows.
import type { ServedData } from '../../core/ports/catalog/artifacts.ts';
import type { ServedLog } from '../../core/ports/catalog/live.ts';
import type { FileRef } from '../../core/ports/object-store.ts';
import { readRows, type VerifyTools } from './read-rows.ts';

/** Looks at the game's log and its final files. */
export async function verifyServed(tools: VerifyTools, gameId: string, served: ServedData): Promise<void> {
  if (served.log !== null) await verifyLog(tools, gameId, served.log);
  for (const { dataset, rows, file } of served.artifacts) {
    tools.report.count('final files');
    await readRows(tools, { subject: `${gameId} final ${dataset}`, dataset, rows, file });
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
    const rows = await readRows(tools, { subject, dataset: 'sportsbook-lines', rows: count, file });
    const wrong = rows?.findIndex((row, index) => row['row_number'] !== next + index) ?? -1;
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
