// What a fault of the drill is: how it begins, how it ends, and what is to be seen of it.
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

/** A fault that has begun. Its end is when `end` has resolved: what was struck is there again. */
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
  /** The others are to do its work while it lasts, within so long of its beginning. */
  takenOverWithinMs?: number;
  /** From its end until a fresh push of each game is readable (default: ten seconds). */
  recoversWithinMs?: number;
  begin(scene: Scene): Promise<Struck>;
};
