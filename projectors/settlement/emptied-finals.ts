// Which final files a removal of rows would leave without any: no file lands empty, so their last version would be served with the removed
// rows (docs/settlement.md#removed-rows). Depends on the log and the removals alone, never on what has landed.
import type { RowSpan, SettlementInputs } from '../../core/ports/catalog/settlement.ts';
import type { FinalDataset } from '../../core/settlement/final-datasets.ts';
import { type ClosedLogTools, readClosedLog } from './read-closed-log.ts';

/** The datasets that have rows now, and would have none once `spans` are removed too. @throws InputDamaged */
export async function emptiedFinals(
  tools: ClosedLogTools,
  inputs: Pick<SettlementInputs, 'closed' | 'removed'>,
  spans: readonly RowSpan[],
): Promise<FinalDataset[]> {
  const after = await withoutRows(tools, { ...inputs, removed: [...inputs.removed, ...spans] });
  if (after.length === 0) return [];
  const before = await withoutRows(tools, inputs);
  return after.filter((dataset) => !before.includes(dataset));
}

async function withoutRows(
  tools: ClosedLogTools,
  inputs: Pick<SettlementInputs, 'closed' | 'removed'>,
): Promise<FinalDataset[]> {
  const { rows, closingLines, selections } = await readClosedLog(tools, inputs);
  const counts: readonly [FinalDataset, number][] = [
    ['sportsbook-lines', rows],
    ['closing-lines', closingLines?.size ?? 0],
    ['market-results', selections.list().length],
  ];
  return counts.flatMap(([dataset, count]) => (count === 0 ? [dataset] : []));
}
