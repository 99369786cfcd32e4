// Settlement in the catalog: which games need building, from which inputs, and how their files land. A landing is one transaction for
// files, audit rows and inputs, so each version lands once, however many workers run.
import type { ClosedGame } from '../../settlement/closed-game.ts';
import type { ManualEvidence, ReferencePlayer, Scores } from '../../settlement/evidence.ts';
import type { BuiltFrom } from '../../settlement/version-reasons.ts';
import type { Micros } from '../../units.ts';
import type { LandedArtifact } from './artifacts.ts';

/** Row numbers from `first` to `last`, both included. */
export type RowSpan = readonly [first: number, last: number];

/** The inputs of a closed game, besides the rows of its log and the revisions of its streams. */
export type SettlementInputs = {
  closed: ClosedGame;
  /** The game's current name: its public id, or its UUID. */
  gameId: string;
  league: string;
  /** Null while the team is not known. */
  homeTeamId: string | null;
  awayTeamId: string | null;
  manual: ManualEvidence | null;
  removed: readonly RowSpan[];
  lineups: { home: readonly string[]; away: readonly string[] };
  /** The orders and evidence as of this read. */
  standing: BuiltFrom;
  /** The orders and evidence of the newest landing. */
  built: BuiltFrom | null;
};

/** The progress of a game. */
export type SettlementState = {
  closedAt: Micros | null;
  landedAt: Micros | null;
  /** Whether all orders have been built. */
  built: boolean;
};

/**
 * Which games to check for new evidence: every one whose evidence still counts, which is slow, or only those that landed in the last
 * minutes.
 */
export type EvidenceSpan = 'all' | 'recent';

export interface SettlementCatalog {
  /**
   * Closed games that were never built, or whose orders or evidence have changed, after `after`, in the order in which they closed: no game
   * waits for later ones, however often the workers die. Evidence counts until 30 days after the first landing, by the database's clock.
   */
  due(after: string | null, limit: number, span: EvidenceSpan): Promise<readonly string[]>;
  /** Null: the game is not closed. */
  inputs(gameUuid: string): Promise<SettlementInputs | null>;
  /**
   * The players with these ids, and MSF's players whose current team is one of these; by id. Only MSF reports who played, so only its lists
   * can show who did not; players that other sources report cannot change a grade through a name.
   */
  players(teamIds: readonly string[], playerIds: readonly string[]): Promise<readonly ReferencePlayer[]>;
  /**
   * Lands files of a game, records their inputs and writes an audit row for each; without files it records only the inputs. `overtaken`:
   * another worker has built the game since the inputs were read, and nothing was done.
   * @throws CatalogUnavailable also when the answer to COMMIT was lost: build again to find out
   */
  land(
    gameUuid: string,
    artifacts: readonly LandedArtifact[],
    inputs: Pick<SettlementInputs, 'built' | 'standing'>,
  ): Promise<'landed' | 'overtaken'>;
  /** Null: settlement knows nothing of the game. */
  state(gameUuid: string): Promise<SettlementState | null>;

  /** Orders of the administrator, each with its audit row. `partition`: of the game's quotes. A null score withdraws the manual score. */
  orderScore(
    game: { uuid: string; gameId: string; partition: number },
    score: Scores | null,
    actor: string,
  ): Promise<void>;
  orderAgain(game: { uuid: string; gameId: string }, actor: string): Promise<void>;
  /** `overtaken`, and nothing is ordered, if the rows removed before are no longer `removedBefore`. */
  orderRemoval(
    game: { uuid: string; gameId: string },
    rows: readonly RowSpan[],
    reason: string,
    actor: string,
    removedBefore: readonly RowSpan[],
  ): Promise<'ordered' | 'overtaken'>;
}
