// What the checks of a request have found so far, for later checks and the route. A finding is null until its check has run; later code
// reads it through `found`.
import type { CatalogGame } from '../../core/ports/catalog/games.ts';
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { GameIdentity } from '../serving/game-directory.ts';

export type Findings = {
  key: ApiKey | null;
  /** Whether the key would still be admitted, as far as is known now. */
  keyHolds: (() => boolean | Promise<boolean>) | null;
  /** Calls back when the answer is written or the connection has ended; at once if it already has. */
  whenGone(call: () => void): void;
  /** The game that the path names, with its whole record if the route needs it; or the league. */
  game: GameIdentity | null;
  record: CatalogGame | null;
  league: League | null;
};

/** The finding of an earlier check. @throws when the route lacks that check, which is a bug. */
export function found<Finding>(finding: Finding | null, what: string): Finding {
  if (finding === null) throw new Error(`${what} is used before a check has found it`);
  return finding;
}
