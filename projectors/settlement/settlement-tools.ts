// The ports of the settlement worker, and the one failure that is not its own fault.
import type { ArtifactsCatalog } from '../../core/ports/catalog/artifacts.ts';
import type { LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { MsfCatalog } from '../../core/ports/catalog/msf.ts';
import type { MsfHistoryCatalog } from '../../core/ports/catalog/msf-history.ts';
import type { SettlementCatalog } from '../../core/ports/catalog/settlement.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { CrashPoints } from '../../core/ports/crash-points.ts';
import type { ObjectStore } from '../../core/ports/object-store.ts';
import type { ParquetWriter } from '../../core/ports/parquet.ts';
import type { Log } from '../../core/ports/telemetry.ts';

export type SettlementTools = {
  settlements: Pick<SettlementCatalog, 'due' | 'inputs' | 'players' | 'land'>;
  artifacts: Pick<ArtifactsCatalog, 'served'>;
  live: Pick<LiveCatalog, 'servedLog'>;
  msf: Pick<MsfCatalog, 'stream' | 'revisions'>;
  history: Pick<MsfHistoryCatalog, 'archives'>;
  leases: Pick<LeasesCatalog, 'hold' | 'release'>;
  objects: Pick<ObjectStore, 'put' | 'get'>;
  parquet: ParquetWriter;
  clock: Clock;
  crash: CrashPoints;
  log: Log;
  /** Makes the keys of each attempt unique. */
  newAttempt(): string;
};

/** A committed file that settlement needs is absent or is not what was committed: the game waits for a person. */
export class InputDamaged extends Error {
  override readonly name = 'InputDamaged';
}
