// The heads of games: the newest position of each log and stream, without contents. For readers who only need to know whether a game
// changed.
import type { League } from '../../../schemas/reference/leagues.ts';
import type { MsfDataset } from '../../msf/types.ts';

/** The position after the last row of a game's log. */
export type LiveHead = { generation: number; version: number; seq: number; rowsOfSegment: number; rows: number };

/** The newest revision of a stream; 0: its epoch has none yet. */
export type StreamHead = { dataset: MsfDataset; epoch: string; revision: number; version: number };

export type GameHeads = {
  gameUuid: string;
  gameId: string;
  league: League;
  /** Null: the game has no live log. */
  live: LiveHead | null;
  /** Whether its final sportsbook lines have landed. */
  final: boolean;
  streams: readonly StreamHead[];
};

export interface HeadsCatalog {
  /** The heads of those of the games that exist, all of the same moment. */
  heads(gameUuids: readonly string[]): Promise<readonly GameHeads[]>;
  /**
   * The league's games that have something published, start between three days ago and a month ahead, and are not final, or have been for less than
   * a quarter of an hour: a stream lasts at most ten minutes, so the next one tells of each game that became final in between.
   */
  openGames(league: League): Promise<readonly string[]>;
}
