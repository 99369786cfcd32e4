// Sizes, ages and patience of the API: one list of defaults, each of which a composition may override.
import type { Micros, Millis } from '../../core/units.ts';
import { microsPerMinute, microsPerSecond } from '../../core/units.ts';

export type ApiLimits = {
  /** Bytes of files kept in memory, and the largest file that is. */
  fileMemoryBytes: number;
  largestKeptFile: number;
  /** Larger files, and large documents, are sent in pieces: of so many bytes, to so many readers of files at once. */
  pieceBytes: number;
  largeFilesAtOnce: number;
  /** How long a reader may take for one piece: a slower one is cut off. */
  slowestPieceMs: Millis;
  /** Bytes of manifests and of what is known of files. */
  answerMemoryBytes: number;
  /** Pages of more than the usual size that are made at once, and compressed bytes of pages that are kept. */
  largePagesAtOnce: number;
  pageMemoryBytes: number;
  /** How old a game's serving version in memory may be when it is answered from; refreshed ahead from half of it on. */
  servingAge: Micros;
  /** How long a key's record is used without asking, at most while asking again, and at most while the catalog is down. */
  keyFresh: Micros;
  keyStale: Micros;
  keyOutage: Micros;
  /** How long an unknown key is remembered as such. */
  unknownKey: Micros;
  /** Segments, and accounts, of which it is remembered what is paid and used. */
  rememberedMarks: number;
  rememberedAccounts: number;
  /** Calls of the ledger that are under way at the same time, and charges that go in one. */
  ledgerCalls: number;
  chargesPerCall: number;
  /** How often a ledger that is away is asked for, and how often old months are dropped and totals compared. */
  ledgerPauseMs: Millis;
  booksEveryMs: Millis;
  catalogDeadlineMs: Millis;
  objectsDeadlineMs: Millis;
  /**
   * Connections at a time, in all and of one address; those of a proxy of ours count in all only. An idle one costs some 20 kB: all of them
   * stay near 300 MB, and no address has more than a sixteenth.
   */
  connections: number;
  connectionsOfAddress: number;
  /** What the HTTP layer accepts: the URL (docs/interface.md#problem-types), and the request line and all header fields together. */
  urlCharacters: number;
  headerBytes: number;
  headersTimeoutMs: Millis;
  requestTimeoutMs: Millis;
  connectionTimeoutMs: Millis;
  keepAliveMs: Millis;
};

export const defaultLimits: ApiLimits = {
  fileMemoryBytes: 48 * 1024 * 1024,
  largestKeptFile: 4 * 1024 * 1024,
  pieceBytes: 256 * 1024,
  largeFilesAtOnce: 512,
  slowestPieceMs: 30_000,
  answerMemoryBytes: 16 * 1024 * 1024,
  largePagesAtOnce: 4,
  pageMemoryBytes: 16 * 1024 * 1024,
  servingAge: 5 * microsPerSecond,
  keyFresh: 10 * microsPerSecond,
  keyStale: microsPerMinute,
  keyOutage: 5 * microsPerMinute,
  unknownKey: 5 * microsPerSecond,
  rememberedMarks: 50_000,
  rememberedAccounts: 10_000,
  ledgerCalls: 4,
  chargesPerCall: 256,
  ledgerPauseMs: 1_000,
  booksEveryMs: 6 * 3_600_000,
  catalogDeadlineMs: 3_000,
  objectsDeadlineMs: 10_000,
  connections: 16_384,
  connectionsOfAddress: 1_024,
  urlCharacters: 8_000,
  headerBytes: 16_384,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  connectionTimeoutMs: 30_000,
  keepAliveMs: 65_000,
};
