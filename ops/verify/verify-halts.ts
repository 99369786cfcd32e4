// Verifies that no partition is halted: records behind a halt are not published, even if everything published is right (I30).
import type { OperationsCatalog } from '../../core/ports/catalog/operations.ts';
import { streamName } from '../health/stream-name.ts';
import type { Report } from './report.ts';

export async function verifyHalts(operations: Pick<OperationsCatalog, 'streams'>, report: Report): Promise<void> {
  for (const stream of await operations.streams()) {
    report.count('partitions');
    const detail = `halted at offset ${stream.nextOffset}: ${stream.halted}`;
    report.expect(stream.halted === null, 'I30', `partition ${streamName(stream)}`, detail);
  }
}
