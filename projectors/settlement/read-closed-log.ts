// Reads the closed log of a game once: what its rows, without the removed ones, say of closing lines and of selections.
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { SettlementInputs } from '../../core/ports/catalog/settlement.ts';
import { ClosingLines } from '../../core/settlement/closing-lines.ts';
import { startOfPlay } from '../../core/settlement/game-lifecycle.ts';
import { RemovedPlayers } from '../../core/settlement/removed-players.ts';
import { Selections } from '../../core/settlement/selections.ts';
import { type LogPart, logRows } from './log-rows.ts';
import { InputDamaged, type SettlementTools } from './settlement-tools.ts';

export type ClosedLogTools = Pick<SettlementTools, 'objects' | 'parquet'> & { live: Pick<LiveCatalog, 'servedLog'> };

/** `closingLines` null: the game never began. `rows`: how many are left. */
export type ClosedLogContents = {
  closingLines: ClosingLines | null;
  selections: Selections;
  removedPlayers: RemovedPlayers;
  rows: number;
};

/** `see` gets the rows, some at a time. @throws InputDamaged */
export async function readClosedLog(
  tools: ClosedLogTools,
  { closed, removed }: Pick<SettlementInputs, 'closed' | 'removed'>,
  see: (part: LogPart) => Promise<void> = async () => {},
): Promise<ClosedLogContents> {
  const log = await tools.live.servedLog(closed.gameUuid);
  if (log === null || log.generation !== closed.generation)
    throw new InputDamaged(`log ${closed.generation} of ${closed.gameUuid} is not there`);
  const start = startOfPlay(closed.course);
  const contents: ClosedLogContents = {
    closingLines: start === null ? null : new ClosingLines(start),
    selections: new Selections(),
    removedPlayers: new RemovedPlayers(),
    rows: 0,
  };
  for await (const part of logRows(tools, log, removed)) {
    for (const row of part.rows) {
      contents.closingLines?.add(row);
      contents.selections.add(row);
    }
    for (const row of part.removed) contents.removedPlayers.add(row);
    contents.rows += part.rows.length;
    await see(part);
  }
  return contents;
}
