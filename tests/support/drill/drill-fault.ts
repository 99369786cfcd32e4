// A fault of the drill: how it begins, how it ends, and what must be visible of it.
import type { Random } from '../../oracle/random.ts';
import type { DrillLoad, Pushing } from './drill-load.ts';
import type { DrillPlace } from './drill-place.ts';
import type { Measured } from './drill-table.ts';
import type { Fleet, Member } from './fleet.ts';

/** `load`: where a fault that pushes and reads itself keeps what was acknowledged, and the answers that no client should get. */
export type Scene = {
  place: DrillPlace;
  fleet: Fleet;
  pushing: Pushing;
  apiKey: string;
  load: Pick<DrillLoad, 'acknowledged' | 'surprises'>;
  random: Random;
};

/** A fault that has begun. It is over when `end` has resolved: what it struck works again. */
export type Struck = {
  /** What /health says of it, or which member does not answer; null: nothing is degraded by it. */
  tells: RegExp | { silent: Member } | null;
  /** How fresh the quotes were meanwhile, where that is measured. */
  fresh?: Measured;
  end(): Promise<void>;
};

export type DrillFault = {
  /** One word, by which a run can choose it. */
  name: string;
  /** The least time that it lasts (default: until health names it). */
  lastsMs?: number;
  /** The time from its beginning within which other processes must take over. */
  takenOverWithinMs?: number;
  /** From its end until a fresh push of each game is readable (default: ten seconds). */
  recoversWithinMs?: number;
  begin(scene: Scene): Promise<Struck>;
};
