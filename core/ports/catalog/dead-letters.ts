// Dead letters: records, or parts of them, that were refused. A projector's dead letters are part of its commit; this port is for other
// writers, and for readers.
import type { Micros } from '../../units.ts';

export type DeadLetter = {
  topic: string;
  partition: number | null;
  offset: number | null;
  code: string;
  detail: string;
  pointer: string;
  source: string | null;
  gameUuid: string | null;
  gameId: string | null;
  receipt: string | null;
  pushIndex: number | null;
  payload: Uint8Array;
};

export type ListedDeadLetter = {
  id: number;
  topic: string;
  partition: number | null;
  offset: number | null;
  code: string;
  detail: string;
  pointer: string;
  source: string | null;
  game_id: string | null;
  at: Micros;
  state: string;
};

export type DeadLettersQuery = { after: number | null; limit: number; code: string | null; source: string | null };

export interface DeadLettersCatalog {
  /** Stores dead letters outside any other transaction: those of a push that was refused whole. */
  store(deadLetters: readonly DeadLetter[]): Promise<void>;
  /** Dead letters by id, starting after `after`. */
  list(query: DeadLettersQuery): Promise<readonly ListedDeadLetter[]>;
  one(id: number): Promise<(ListedDeadLetter & { receipt: string | null; payload: Uint8Array }) | null>;
  /** How many dead letters the folds have had of each source on this UTC day, and how many were kept; by source, '' without a name. */
  ofFoldToday(): Promise<readonly { source: string; letters: number; kept: number }[]>;
  /** How many are open. */
  count(): Promise<number>;
}
