// The layouts of the log: among how many partitions of each topic keys are divided. Only the newest one is given to new games, and each
// key keeps its own, so no answer about a key ever changes (docs/operations.md#adding-partitions).
import type { GrowingTopic } from '../../../schemas/events/topics.ts';
import type { Micros } from '../../units.ts';

export type LogLayout = { layout: number; partitions: Readonly<Record<GrowingTopic, number>> };

/** Among how many partitions of a topic the records of these keys are divided. */
export type Placing = {
  /** The number of layout 0, for keys that are no UUID; null while it is not recorded. */
  first: number | null;
  /** By UUID, the number of its layout; empty while layout 0 is not recorded. */
  counts: ReadonlyMap<string, number>;
};

/** A process of a release that knows no layouts, as its last report of health names it. */
export type OlderProcess = { roles: string; heardAt: Micros };

export interface LogLayoutsCatalog {
  /** The layout of a game is that in which it was founded. Any other UUID gets layout 0 for ever once it is asked for. */
  placing(topic: GrowingTopic, keys: readonly string[]): Promise<Placing>;
  /** Records layout 0 of the topic, unless that was done before; returns what is recorded. */
  begin(topic: GrowingTopic, partitions: number): Promise<number>;
  /** The layout that games are founded in now; null while layout 0 is not recorded. */
  newest(): Promise<LogLayout | null>;
  /**
   * Makes `wanted` the newest layout, with an audit row. False, and nothing is done, if it does not follow the newest one. Games that are being
   * founded meanwhile are founded before or behind it.
   */
  add(wanted: LogLayout, actor: string): Promise<boolean>;
  /** The processes heard of within ten seconds that divide keys by the number of partitions that they find. */
  olderProcesses(): Promise<readonly OlderProcess[]>;
  /** From now on the database refuses the start of a release that knows no layouts. */
  keepOlderOut(): Promise<void>;
}
