// What the checks of a request have found out so far, for the checks and the route after them. A finding is null until its check has run;
// later code reads it through `found`.
import type { CatalogGame } from '../../core/ports/catalog/games.ts';
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { GameIdentity } from '../serving/game-directory.ts';

export type Findings = {
  key: ApiKey | null;
  /** Whether the key would still be let in, as far as is known now. */
  keyHolds: (() => boolean | Promise<boolean>) | null;
  /** Calls back when the answer is written, or the connection has ended; at once where it has already. */
  whenGone(call: () => void): void;
  /** The game that the path names, and its whole record where the route needs that; or the league. */
  game: GameIdentity | null;
  record: CatalogGame | null;
  league: League | null;
};

/** What an earlier check found. @throws where the route's checks left it out, which is a defect. */
export function found<Finding>(finding: Finding | null, what: string): Finding {
  if (finding === null) throw new Error(`${what} is used before a check has found it`);
  return finding;
}
