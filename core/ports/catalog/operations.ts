// The catalog as the service's operators know it: lag, counts, the audit trail.
import type { Micros } from '../../units.ts';

export interface OperationsCatalog {
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
