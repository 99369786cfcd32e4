// Charges a read before the first byte is sent. This is the last check: a request that an earlier one refuses is free.
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import type { ChargedRead, Usage } from '../../core/ports/ledger.ts';
import type { Refusal } from '../../http/refusal.ts';

/** What was debited, or why the read may not be served: `quota-exhausted`, `temporarily-unavailable`. */
export type ChargeOutcome = { debited: number } | Refusal;

export type Metering = {
  /**
   * Charges a read to the key's account. For a board, the rows of the file are multiplied by their weight. Synchronous if memory suffices.
   */
  charge(key: ApiKey, read: ChargedRead): ChargeOutcome | Promise<ChargeOutcome>;
  /** What the key's account has used this month; null while the ledger is unreachable. */
  usage(key: ApiKey): Promise<Usage | null>;
  close(): Promise<void>;
};
