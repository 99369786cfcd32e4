// The catalog as it keeps one source of MSF's bodies a league: two that tell of the same games in turns would unplay and finish them at will.
import type { League, Micros } from '../../units.ts';

/** `heardAt`: when it pushed a body of the league last, by the database's clock. */
export type MsfAuthority = { league: League; source: string; heardAt: Micros };

export type MsfClaim =
  | { kind: 'held' }
  /** `isNews`: this source is refused for the first time in this hour. */
  | { kind: 'other-source'; authority: string; heardAt: Micros; isNews: boolean };

export interface MsfAuthoritiesCatalog {
  /**
   * A source pushes a body of the league. It holds the league when no source does; when it has the higher rank; with the same rank, when the
   * authority was silent for ten minutes. One of lower rank never does. Concurrent calls hold it for one source.
   */
  claim(league: League, source: string): Promise<MsfClaim>;
  /** Gives the league to a source, whatever the ranks, as if it had just pushed; resolves to the authority before. */
  assign(league: League, source: string): Promise<MsfAuthority | null>;
  /** By league. */
  list(): Promise<readonly MsfAuthority[]>;
}
