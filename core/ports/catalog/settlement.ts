// The catalog as settlement knows it: which games have something to be built, what each is built from, and how its files land. A landing is one
// transaction: files, audit rows and what they were built from together, so that any number of workers lands each version once.
import type { ClosedGame } from '../../settlement/closed-game.ts';
import type { ManualEvidence, ReferencePlayer, Scores } from '../../settlement/evidence.ts';
import type { BuiltFrom } from '../../settlement/reasons.ts';
import type { Micros } from '../../units.ts';
import type { LandedArtifact } from './artifacts.ts';

/** Row numbers from `first` to `last`, both included. */
export type RowSpan = readonly [first: number, last: number];

/** What a closed game is built from, beside the rows of its log and the revisions of its streams. */
export type SettlementInputs = {
  closed: ClosedGame;
  /** What the game is called now: its public id, or its UUID. */
  gameId: string;
  league: string;
  /** Null while the team is not known. */
  homeTeamId: string | null;
  awayTeamId: string | null;
  manual: ManualEvidence | null;
  removed: readonly RowSpan[];
  lineups: { home: readonly string[]; away: readonly string[] };
  /** What stands when these inputs were read. */
  standing: BuiltFrom;
  /** What the newest landing was built from. */
  built: BuiltFrom | null;
};

/** How far a game is. */
export type SettlementState = {
  closedAt: Micros | null;
  landedAt: Micros | null;
  /** Whether everything ordered has been built. */
  built: boolean;
};

/** Of which games the evidence is looked at: of all for which it counts, which takes its time, or of those that landed minutes ago. */
export type Reach = 'all' | 'recent';

export interface SettlementCatalog {
  /**
   * Closed games that were never built, whose orders have changed or whose evidence has, after `after`, in the order in which they closed: no
   * game waits for those that closed behind it, however often the workers die. Evidence counts until 30 days after the first landing, by the
   * database's clock.
   */
  due(after: string | null, limit: number, reach: Reach): Promise<readonly string[]>;
  /** Null: the game is not closed. */
  inputs(gameUuid: string): Promise<SettlementInputs | null>;
  /**
   * The reference data's players of these ids, and those of MSF whose current team is one of these, by id. MSF says who played, so only its
   * lists can say who did not; the players that other sources tell of cannot change a grade by a name.
   */
  players(teamIds: readonly string[], playerIds: readonly string[]): Promise<readonly ReferencePlayer[]>;
  /**
   * Lands files of a game, notes what they were built from and writes an audit row for each; without files it notes the rest. `overtaken`:
   * another worker has built the game since the inputs were read, and nothing was done.
   * @throws CatalogUnavailable also when the answer to COMMIT was lost: building again is how to know
   */
  land(
    gameUuid: string,
    artifacts: readonly LandedArtifact[],
    inputs: Pick<SettlementInputs, 'built' | 'standing'>,
  ): Promise<'landed' | 'overtaken'>;
  /** Null: nothing is known of it here. */
  state(gameUuid: string): Promise<SettlementState | null>;

  /** Orders of the administrator, each with its audit row. `partition`: of the game's quotes. A score of null takes the manual score back. */
  orderScore(
    game: { uuid: string; gameId: string; partition: number },
    score: Scores | null,
    actor: string,
  ): Promise<void>;
  orderAgain(game: { uuid: string; gameId: string }, actor: string): Promise<void>;
  orderRemoval(
    game: { uuid: string; gameId: string },
    rows: readonly RowSpan[],
    reason: string,
    actor: string,
  ): Promise<void>;
}
