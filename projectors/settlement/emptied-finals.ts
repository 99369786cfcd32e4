// Which final files a removal of rows would leave without any: no file lands empty, so their last version would be served with the removed
// rows (docs/settlement.md#removed-rows). Depends on the log and the removals alone, never on what has landed.
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { RowSpan, SettlementInputs } from '../../core/ports/catalog/settlement.ts';
import { ClosingLines } from '../../core/settlement/closing-lines.ts';
import type { FinalDataset } from '../../core/settlement/final-datasets.ts';
import { startOfPlay } from '../../core/settlement/game-lifecycle.ts';
import { Selections } from '../../core/settlement/selections.ts';
import { logRows } from './log-rows.ts';
import { InputDamaged, type SettlementTools } from './settlement-tools.ts';

type Tools = Pick<SettlementTools, 'objects' | 'parquet'> & { live: Pick<LiveCatalog, 'servedLog'> };

/** The datasets that have rows now, and would have none once `spans` are removed too. @throws InputDamaged */
export async function emptiedFinals(
  tools: Tools,
  { closed, removed }: Pick<SettlementInputs, 'closed' | 'removed'>,
  spans: readonly RowSpan[],
): Promise<FinalDataset[]> {
  const after = await withoutRows(tools, closed, [...removed, ...spans]);
  if (after.length === 0) return [];
  const before = await withoutRows(tools, closed, removed);
  return after.filter((dataset) => !before.includes(dataset));
}

async function withoutRows(
  tools: Tools,
  closed: SettlementInputs['closed'],
  removed: readonly RowSpan[],
): Promise<FinalDataset[]> {
  const log = await tools.live.servedLog(closed.gameUuid);
  if (log === null) throw new InputDamaged(`the log of ${closed.gameUuid} is not there`);
  const start = startOfPlay(closed.course);
  const closingLines = start === null ? null : new ClosingLines(start);
  const selections = new Selections();
  let left = 0;
  for await (const { rows } of logRows(tools, log, removed)) {
    for (const row of rows) {
      closingLines?.add(row);
      selections.add(row);
    }
    left += rows.length;
  }
  const rows: readonly [FinalDataset, number][] = [
    ['sportsbook-lines', left],
    ['closing-lines', closingLines?.size ?? 0],
    ['market-results', selections.list().length],
  ];
  return rows.flatMap(([dataset, count]) => (count === 0 ? [dataset] : []));
}
