// The parts of the API, opened once and closed together. Only the code that composes the server sees all of them; every step, route or
// writer of an answer names the parts it needs and gets only those.
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Pepper } from '../../core/access/key-format.ts';
import { type RateLimits, rateLimits } from '../../core/limits/tier-limits.ts';
import type { ArtifactsCatalog } from '../../core/ports/catalog/artifacts.ts';
import type { CalendarCatalog } from '../../core/ports/catalog/calendar.ts';
import type { GamesCatalog } from '../../core/ports/catalog/games.ts';
import type { HeadsCatalog } from '../../core/ports/catalog/heads.ts';
import type { KeysCatalog } from '../../core/ports/catalog/keys.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { ReferenceCatalog } from '../../core/ports/catalog/reference.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Journal } from '../../core/ports/journal.ts';
import type { Ledger } from '../../core/ports/ledger.ts';
import { type Meter, noMeter } from '../../core/ports/meter.ts';
import type { NamedObjects } from '../../core/ports/object-store.ts';
import type { ParquetWriter } from '../../core/ports/parquet.ts';
import type { RateLimiter } from '../../core/ports/rate-limiter.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import { noTracer, type Tracer } from '../../core/ports/tracer.ts';
import { type DegradedSince, openDegraded } from '../../http/degraded-since.ts';
import { openProblems, type Problems, type Site } from '../../http/problem-document.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { type HistoryWindows, openHistory } from '../access/history-windows.ts';
import { KeyRing } from '../access/key-ring.ts';
import { type Deadlines, openDeadlines } from '../dependencies/deadlines.ts';
import { type ApiReadiness, openApiReadiness } from '../dependencies/readiness.ts';
import { type Documents, openDocuments } from '../documents/documents.ts';
import { servedDatasets } from '../documents/served-datasets.ts';
import { type EventStreams, openEventStreams } from '../events/event-streams.ts';
import { openFiles } from '../files/files.ts';
import { everyAnswer } from '../http/answer.ts';
import { openPreparedHeads, type PreparedHeads } from '../http/prepared-heads.ts';
import { transportFields } from '../http/transport-fields.ts';
import { type LivePage, openLivePage } from '../live-page/live-page.ts';
import type { Owed } from '../metering/grace.ts';
import type { Metering } from '../metering/metering.ts';
import { openMetering } from '../metering/open-metering.ts';
import { type MsfReads, openMsfReads, type ReadableMsf } from '../msf/reads.ts';
import { openRevisionRows, type RevisionRows } from '../msf/revision-rows.ts';
import { type OddsAnswers, openOddsAnswers } from '../odds/odds-answers.ts';
import { openQuoteFiles } from '../odds/quote-files.ts';
import { pageCursors } from '../pages/page-cursor.ts';
import { openPages, type Pages } from '../pages/pages.ts';
import type { RouteFacts } from '../pipeline/route-facts.ts';
import { openWaiting, type Waiting } from '../pipeline/waiting.ts';
import { type AnswerCache, openAnswerCache } from '../serving/answer-cache.ts';
import { type FinalFiles, openFinalFiles } from '../serving/final-files.ts';
import { GameDirectory } from '../serving/game-directory.ts';
import { type KeptVersions, openKeptVersions } from '../serving/kept-versions.ts';
import { openRowRanges, type RowRanges } from '../serving/row-ranges.ts';
import { openServedGames, type ServedGames } from '../serving/served-games.ts';
import type { ApiLimits } from './resource-limits.ts';

export type ApiDependencies = {
  games: Pick<GamesCatalog, 'find' | 'list' | 'offered'>;
  reference: Pick<ReferenceCatalog, 'teams' | 'players'>;
  live: Pick<LiveCatalog, 'tailVersion' | 'watchServing'>;
  artifacts: Pick<ArtifactsCatalog, 'served' | 'versions'>;
  heads: HeadsCatalog;
  keys: Pick<KeysCatalog, 'apiKeyByMac'>;
  ledger: Ledger;
  /** The journal of reads that are served while the ledger is unreachable. */
  owed: Journal<Owed>;
  /** The weight of a board's row, in millionths of a row; left out: 0. */
  boardWeightMillionths?: number;
  objects: NamedObjects;
  /** Decodes boards and logs for the odds, and cuts ranges of rows. */
  parquet: Pick<ParquetWriter, 'batches' | 'slice' | 'cut' | 'decodeOwnColumns'>;
  clock: Clock;
  log: Log;
  /** Left out: nothing is measured. */
  meter?: Meter;
  /** Left out: nothing is traced. */
  tracer?: Tracer;
  /** `{base_url}` of problem types and links; null: the address it listens on. */
  baseUrl: string | null;
  /** Further reasons why the service is degraded, from the program that runs the API. */
  degraded?: () => readonly DegradedSince[];
  /** Streams of MSF data; null: MSF serving is off. */
  msf: ReadableMsf | null;
  /** Newest first; at least one. */
  peppers: readonly Pepper[];
  limits?: Partial<ApiLimits>;
  calendar: CalendarCatalog;
  /** The DEMO tier's month, `YYYY-MM`; default: the newest past month with a settled game. */
  demoMonth?: string | null;
  limiter: RateLimiter;
  /** Requests per minute that differ from those of the tiers. */
  rateLimits?: Partial<RateLimits>;
  /** The number of our own proxies in front of each request; left out: none. */
  proxyHops?: number;
  /** Cuts the connections of a listener whose reader takes too little. */
  cutSlowReaders(server: Server): void;
  /** The key that the live page offers to browsers on this machine; left out: none. */
  demoKey?: string | null;
};

export type Services = {
  site: Site;
  /** How refusals are answered. */
  problems: Problems;
  /** The parts that are degraded now. */
  degraded(): readonly DegradedSince[];
  keys: KeyRing;
  limiter: RateLimiter;
  rateLimits: RateLimits;
  directory: GameDirectory;
  games: Pick<GamesCatalog, 'list' | 'offered'>;
  reference: Pick<ReferenceCatalog, 'teams' | 'players'>;
  /** The datasets that `/v1/datasets` lists. */
  datasets: readonly Dataset[];
  servedGames: ServedGames;
  finals: FinalFiles;
  /** Null if MSF serving is off. */
  msf: MsfReads | null;
  kept: KeptVersions;
  answers: AnswerCache;
  odds: OddsAnswers;
  oddsPageRows: number;
  ranges: RowRanges;
  revisionRows: RevisionRows;
  /** Prepared heads of frequent answers. */
  heads: PreparedHeads;
  pages: Pages;
  metering: Metering;
  history: HistoryWindows;
  /** Whether the dependencies were reachable a moment ago. */
  readiness: ApiReadiness;
  /** The documents about the service itself. */
  documents: Documents;
  livePage: LivePage;
  /** Calls of the catalog and of the object store. */
  deadlines: Deadlines;
  /** Requests that wait for changes, and event streams. */
  waiting: Waiting;
  events: EventStreams;
  clock: Clock;
  close(): Promise<void>;
};

/** A problem document depends on the key, so it must not be cached for others. */
const fieldsOfProblems = ['Vary', 'Authorization', ...everyAnswer];

export function openServices(
  dependencies: ApiDependencies,
  limits: ApiLimits,
  routes: readonly RouteFacts[],
): Services {
  const { games, reference, live, artifacts, keys, objects, clock, log, peppers, limiter } = dependencies;
  const { meter = noMeter, tracer = noTracer } = dependencies;
  const deadlines = openDeadlines(clock, log, { catalog: limits.catalogDeadlineMs, objects: limits.objectsDeadlineMs });
  const files = openFiles({
    objects,
    deadlines,
    log,
    memoryBytes: limits.fileMemoryBytes,
    largestKept: limits.largestKeptFile,
    pieceBytes: limits.pieceBytes,
    largeAtOnce: limits.largeFilesAtOnce,
    meter,
  });
  const kept = openKeptVersions({ live, deadlines, clock });
  const servedGames = openServedGames({
    artifacts,
    live,
    deadlines,
    clock,
    ...{ log, tracer },
    maxAge: limits.servingAge,
    onServed: (served) => kept.remember(served),
  });
  const msf =
    dependencies.msf === null
      ? null
      : openMsfReads({
          ...{ msf: dependencies.msf, games, deadlines, clock, log, tracer },
          maxAge: limits.servingAge,
        });
  const events = openEventStreams({
    ...{ heads: dependencies.heads, live, msf: dependencies.msf },
    ...{ deadlines, clock, log, limits },
  });
  const site: Site = { baseUrl: dependencies.baseUrl ?? '' };
  const datasets = servedDatasets(routes);
  const limitsOfRates = rateLimits(dependencies.rateLimits);
  const metering = openMetering({
    ledger: dependencies.ledger,
    journal: dependencies.owed,
    boardWeightMillionths: dependencies.boardWeightMillionths ?? 0,
    newChargeId: randomUUID,
    site,
    deadlines,
    clock,
    log,
    limits,
  });
  const degraded = openDegraded(
    clock,
    () => [...deadlines.degraded(), ...(limiter.degraded() ? ['ratelimit'] : [])],
    dependencies.degraded,
  );
  const ring = new KeyRing({ keys, deadlines, clock, log, peppers, limits });
  return {
    site,
    problems: openProblems(site, () => [...fieldsOfProblems, ...transportFields(site.baseUrl)]),
    degraded,
    limiter,
    rateLimits: limitsOfRates,
    keys: ring,
    directory: new GameDirectory(games, deadlines, clock, limits.servingAge),
    games,
    reference,
    datasets,
    servedGames,
    finals: openFinalFiles({ artifacts, servedGames, deadlines }),
    msf,
    kept,
    answers: openAnswerCache({ files, memoryBytes: limits.answerMemoryBytes, meter }),
    odds: openOddsAnswers({
      quotes: openQuoteFiles({
        ...{ files, parquet: dependencies.parquet, clock, meter },
        memoryBytes: limits.oddsQuoteBytes,
      }),
      clock,
      memoryBytes: limits.oddsAnswerBytes,
    }),
    oddsPageRows: limits.oddsPageRows,
    ranges: openRowRanges({ files, parquet: dependencies.parquet, memoryBytes: limits.rangeMemoryBytes }),
    revisionRows: openRevisionRows({ files, parquet: dependencies.parquet, memoryBytes: limits.rangeMemoryBytes }),
    heads: openPreparedHeads({ clock, keepAliveMs: limits.keepAliveMs }),
    pages: openPages({
      cursors: pageCursors(peppers),
      deadlines,
      atOnce: limits.largePagesAtOnce,
      memoryBytes: limits.pageMemoryBytes,
    }),
    metering,
    readiness: openApiReadiness({
      calendar: dependencies.calendar,
      ...{ objects, deadlines, clock, log },
      everyMs: limits.readinessEveryMs,
      answersFromMemory: () => ring.answersFromMemory(),
      // Called here too, so that a degradation is dated correctly even if no probe comes.
      looked: degraded,
    }),
    livePage: openLivePage(dependencies.demoKey ?? null),
    documents: openDocuments({ routes, datasets, rateLimits: limitsOfRates, site }),
    history: openHistory({
      calendar: dependencies.calendar,
      deadlines,
      clock,
      demoMonth: dependencies.demoMonth ?? null,
    }),
    deadlines,
    waiting: openWaiting({ clock, longestWait: limits.longestWait }),
    events,
    clock,
    async close() {
      await events.close();
      await servedGames.close();
      await msf?.close();
      await metering.close();
    },
  };
}
