// The catalog as it knows dead letters: records, or parts of them, that were refused. A projector's letters are part of its commit; here is who
// else keeps them, and who reads them.
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
  /** Keeps dead letters that belong to no other transaction: of a push that was refused whole. */
  bury(deadLetters: readonly DeadLetter[]): Promise<void>;
  /** Letters by id, from the one behind `after` on. */
  list(query: DeadLettersQuery): Promise<readonly ListedDeadLetter[]>;
  letter(id: number): Promise<(ListedDeadLetter & { receipt: string | null; payload: Uint8Array }) | null>;
  /** How many the folds have had of each source on this UTC day, and how many of these they have kept; by source, '' without a name. */
  ofFoldToday(): Promise<readonly { source: string; letters: number; kept: number }[]>;
  /** How many are open. */
  count(): Promise<number>;
}
