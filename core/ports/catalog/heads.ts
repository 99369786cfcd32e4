// The heads of games: how far each of their logs has come, without what it holds. For readers who want to know that a game moved.
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
  /** Null: nothing of its quotes is tracked. */
  live: LiveHead | null;
  /** Whether its final sportsbook lines have landed. */
  final: boolean;
  streams: readonly StreamHead[];
};

export interface HeadsCatalog {
  /** The heads of those of the games that exist, of one moment. */
  heads(gameUuids: readonly string[]): Promise<readonly GameHeads[]>;
  /** The league's games that are not final, of which something is published, from three days ago to a month ahead. */
  openGames(league: League): Promise<readonly string[]>;
}
