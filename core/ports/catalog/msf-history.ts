// Whole MSF streams, to verify them and to start a new epoch.
import type { League } from '../../../schemas/reference/leagues.ts';
import type { Micros } from '../../units.ts';
import type { StoredArchive, StreamName } from './msf.ts';

/** An epoch of a stream. */
export type Epoch = {
  epoch: string;
  /** Whether it is the stream's current epoch. */
  current: boolean;
  /** Its newest revision; null if it has none. */
  head: number | null;
  /** The oldest revision that is kept. */
  listedFrom: number;
};

/** A stream with its epochs, oldest first; `knownSince`: the `coverage_start` of the oldest epoch that has a revision. */
export type StreamHistory = StreamName & {
  scopeId: string;
  league: League;
  epochs: readonly Epoch[];
  knownSince: Micros | null;
};

export interface MsfHistoryCatalog {
  /** The streams of a scope, or of all scopes if null; by scope and dataset. */
  histories(scopeUuid: string | null): Promise<readonly StreamHistory[]>;
  /** The archives of an epoch, by their first revision. */
  archives(name: StreamName, epoch: string): Promise<readonly StoredArchive[]>;
}
