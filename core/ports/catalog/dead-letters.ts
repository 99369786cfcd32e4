// Dead letters: records, or parts of them, that were refused. A projector's dead letters are part of its commit; this port is for other
// writers, and for readers.
import type { Micros } from '../../units.ts';

/** A payload stored as an object that only its dead letters refer to. `sha256` (hex) and `size` are of the payload. */
export type HeldPayload = { key: string; size: number; sha256: string };

/**
 * How a push of quotes was sent, besides its bytes: its format and query, times as texts, and the id of its feed key (null: no key sent
 * it).
 */
export type SentQuotes = {
  format:
    | { name: 'native' }
    | { name: 'the-odds-api-v4'; oddsFormat: string | null; markets: string | null; bookmakers: string | null };
  key: string | null;
  mayBackfill: boolean;
  observedAt: string | null;
  /** SHA-256 (hex) of its Idempotency-Key, which the sender chose: only the hash is kept, and the record ids are made of it. */
  keySha256: string | null;
  /** Present if the push asked for probable mistakes to be refused. */
  strict?: true;
};

/** Which letters are kept: those not older than `before`, and of these the newest, up to `bytes`. */
export type DeadLettersKept = { before: Micros; bytes: number };

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
  /** Empty if the payload is `held`. */
  payload: Uint8Array;
  held?: HeldPayload;
  /** When the gateway received it, or the broker stamped its record. */
  receivedAt?: Micros;
  /** For an element of quotes that the gateway refused. */
  sent?: SentQuotes;
};

/** An open letter with what replaying it needs. One from an older release may lack some of it; its time is then when it was stored. */
export type DeadLetterToReplay = Pick<
  DeadLetter,
  'topic' | 'partition' | 'offset' | 'code' | 'pointer' | 'source' | 'gameUuid' | 'receipt' | 'pushIndex'
> & { id: number; receivedAt: Micros; sent: SentQuotes | null };

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

export type DeadLettersQuery = { before: number | null; limit: number; code: string | null; source: string | null };

/** Letters by ids (null: any), code and source. */
export type DeadLetterSelection = { ids: readonly number[] | null; code: string | null; source: string | null };

export type DeadLetterCount = {
  source: string | null;
  code: string;
  state: string;
  letters: number;
  oldest: Micros;
  newest: Micros;
};

export interface DeadLettersCatalog {
  /** Stores dead letters outside any other transaction: those of a push that was refused whole. */
  store(deadLetters: readonly DeadLetter[]): Promise<void>;
  /** Dead letters with ids below `before`, newest first. */
  list(query: DeadLettersQuery): Promise<readonly ListedDeadLetter[]>;
  /** One letter; its payload is empty if it is `held`. */
  one(
    id: number,
  ): Promise<(ListedDeadLetter & { receipt: string | null; payload: Uint8Array; held: HeldPayload | null }) | null>;
  /** How many dead letters the folds had per source on this UTC day, and how many were kept; by source, '' without a name. */
  ofFoldToday(): Promise<readonly { source: string; letters: number; kept: number }[]>;
  /** How many letters are open: of all, or of the selection. */
  count(of?: DeadLetterSelection): Promise<number>;
  /** The number of letters by source, code and state. */
  summary(): Promise<readonly DeadLetterCount[]>;
  /** Discards the oldest open letters of the selection, at most `limit`. Returns how many. */
  discard(of: DeadLetterSelection, limit: number): Promise<number>;
  /** The highest id so far; 0 while there is none. */
  newest(): Promise<number>;
  /** Open letters of the selection by id, after `after` and up to `through`. */
  openOf(
    of: DeadLetterSelection,
    ids: { after: number; through: number },
    limit: number,
  ): Promise<readonly DeadLetterToReplay[]>;
  /** The id of the first letter of the same record: it has the whole record. */
  firstOfRecord(letter: DeadLetterToReplay): Promise<number>;
  /** Marks the open ones among these letters as replayed. Returns how many. */
  markReplayed(ids: readonly number[]): Promise<number>;
  /**
   * Marks the letter of a refused element as replayed, if it is open, and stores letters for those of its `parts` that its game did not
   * get. Returns whether the letter was open.
   */
  markReplayedInPart(
    id: number,
    game: { uuid: string; id: string },
    parts: readonly Pick<DeadLetter, 'code' | 'detail' | 'pointer'>[],
  ): Promise<boolean>;
  /** Deletes all letters outside `kept`, with what only they referred to, and counts them. Returns how many. */
  forget(kept: DeadLettersKept): Promise<number>;
  /** How many letters retention has deleted, and when the last was; by source, '' without a name, and code. */
  dropped(): Promise<readonly { source: string; code: string; letters: number; newest: Micros }[]>;
}
