// Which source is the authority for MSF bodies of a league: one at a time. If two sources reported the same games in turns, they would
// overwrite each other's states.
import type { League } from '../../../schemas/reference/leagues.ts';
import type { Micros } from '../../units.ts';

/** `heardAt`: when it last pushed a body of the league, by the database's clock. */
export type MsfAuthority = { league: League; source: string; heardAt: Micros };

export type MsfClaim =
  | { kind: 'held' }
  /** `isNews`: the first refusal of this source in this hour. */
  | { kind: 'other-source'; authority: string; heardAt: Micros; isNews: boolean };

export interface MsfAuthoritiesCatalog {
  /**
   * Claims the league for a source that pushes a body of it. It succeeds if no source holds the league, if its rank is higher, or if its
   * rank is equal and the authority has been silent for ten minutes; never with a lower rank. Concurrent calls leave one holder.
   */
  claim(league: League, source: string): Promise<MsfClaim>;
  /** Gives the league to a source, whatever the ranks, as if it had just pushed; resolves to the previous authority. */
  assign(league: League, source: string): Promise<MsfAuthority | null>;
  /** By league. */
  list(): Promise<readonly MsfAuthority[]>;
}
