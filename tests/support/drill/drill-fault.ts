// A fault of the drill: how it begins, how it ends, and what must be visible.
import type { Random } from '../../oracle/random.ts';
import type { DrillLoad, Pushing } from './drill-load.ts';
import type { DrillPlace } from './drill-place.ts';
import type { Measured } from './drill-table.ts';
import type { Fleet, Member } from './fleet.ts';

/**
 * `load`: for a fault that pushes and reads itself. It records acknowledged pushes and answers that no client should
 * get.
 */
export type Scene = {
  place: DrillPlace;
  fleet: Fleet;
  pushing: Pushing;
  apiKey: string;
  load: Pick<DrillLoad, 'acknowledged' | 'surprises'>;
  random: Random;
};

/** A fault in progress. It is over when `end` resolves: whatever it struck works again. */
export type Struck = {
  /** What /health says because of it, or which member stops answering; null: nothing is degraded. */
  reportedAs: RegExp | { silent: Member } | null;
  /** When it began, by `performance.now()`; by default with the call of `begin`. */
  begunAt?: number;
  /** How fresh quotes were during the fault, if that is measured. */
  fresh?: Measured;
  end(): Promise<void>;
};

export type DrillFault = {
  /** One word, with which a run can select it. */
  name: string;
  /** How long it lasts at least; by default until health reports it. */
  lastsMs?: number;
  /** The time from its beginning in which other processes must have taken over. */
  takenOverWithinMs?: number;
  /** The time from its end until a new push of each game must be readable (default: ten seconds). */
  recoversWithinMs?: number;
  begin(scene: Scene): Promise<Struck>;
};
