// The limits of an API process — sizes, ages, deadlines — with one list of defaults, each of which may be overridden. What an account or a
// key may do is core/limits/tier-limits.ts.
import type { Micros, Millis } from '../../core/units.ts';
import { microsPerMinute, microsPerSecond } from '../../core/units.ts';
import type { ListenerLimits } from '../../http/listener.ts';
import type { KeyLimits } from '../access/key-ring.ts';
import type { EventLimits } from '../events/event-streams.ts';
import type { MeteringLimits } from '../metering/open-metering.ts';

/** Limits of a single part are declared beside that part. */
export type ApiLimits = KeyLimits & MeteringLimits & EventLimits & ListenerLimits & CommonLimits;

type CommonLimits = {
  /** Bytes of files kept in memory, and the largest file that is kept. */
  fileMemoryBytes: number;
  largestKeptFile: number;
  /** Larger files, and large documents, are sent in pieces of `pieceBytes`; files to at most `largeFilesAtOnce` readers at a time. */
  pieceBytes: number;
  largeFilesAtOnce: number;
  /** Bytes of cached manifests, and of header lists of files. */
  answerMemoryBytes: number;
  /** Bytes of decoded quotes, and of cached answers of the odds routes. */
  oddsQuoteBytes: number;
  oddsAnswerBytes: number;
  /** Quotes on a page of odds, about 200 bytes of JSON each; further games are on the next page. */
  oddsPageRows: number;
  /** Bytes of cached ranges of rows, as JSON and as files. */
  rangeMemoryBytes: number;
  /** Pages above the usual size that are made at once, and compressed bytes of cached pages. */
  largePagesAtOnce: number;
  pageMemoryBytes: number;
  /** How old a game's version in memory may be to answer from; from half of that age on it is refreshed in advance. */
  servingAge: Micros;
  /** The longest time, in seconds, that a request may wait for changes. */
  longestWait: number;
  /** How often the catalog and the object store are checked. */
  readinessEveryMs: Millis;
  catalogDeadlineMs: Millis;
  objectsDeadlineMs: Millis;
  /**
   * Connections at a time, in total and per address; those of our own proxies count only in the total. An idle one takes about 20 kB: all
   * together stay near 300 MB, and no address has more than a sixteenth.
   */
  connections: number;
  connectionsOfAddress: number;
};

export const defaultLimits: ApiLimits = {
  fileMemoryBytes: 48 * 1024 * 1024,
  largestKeptFile: 4 * 1024 * 1024,
  pieceBytes: 256 * 1024,
  largeFilesAtOnce: 512,
  answerMemoryBytes: 16 * 1024 * 1024,
  oddsQuoteBytes: 24 * 1024 * 1024,
  oddsAnswerBytes: 8 * 1024 * 1024,
  oddsPageRows: 50_000,
  rangeMemoryBytes: 16 * 1024 * 1024,
  largePagesAtOnce: 4,
  pageMemoryBytes: 16 * 1024 * 1024,
  servingAge: 5 * microsPerSecond,
  longestWait: 25,
  eventStreams: 10_000,
  eventStreamsOfKey: 100,
  heartbeatMs: 15_000,
  eventStreamLifeMs: { least: 300_000, most: 600_000 },
  headsRoundMs: 5_000,
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
  readinessEveryMs: 1_000,
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
