// The catalog as the service's operators know it: dead letters, lag, the audit trail.
import type { Micros } from '../../units.ts';

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

export interface OperationsCatalog {
  deadLetters(query: {
    after: number | null;
    limit: number;
    code: string | null;
    source: string | null;
  }): Promise<readonly ListedDeadLetter[]>;
  deadLetter(id: number): Promise<(ListedDeadLetter & { receipt: string | null; payload: Uint8Array }) | null>;
  countDeadLetters(): Promise<number>;
  streams(): Promise<
    readonly {
      projector: string;
      topic: string;
      partition: number;
      ownerEpoch: number;
      ownerId: string;
      nextOffset: number;
      updatedAt: Micros;
      /** Why its owner can go no further without a person; null: it goes on. */
      halted: string | null;
    }[]
  >;
  gameCounts(): Promise<{ games: number; minted: number; live: number }>;
  audit(actor: string, action: string, subject: string, detail: Readonly<Record<string, unknown>>): Promise<void>;
}
