// Everything that the MSF routes read, opened once: streams, revisions, archives, and the history windows.
import type { GamesCatalog } from '../../core/ports/catalog/games.ts';
import type { MsfCatalog } from '../../core/ports/catalog/msf.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Log } from '../../core/ports/telemetry.ts';
import type { Tracer } from '../../core/ports/tracer.ts';
import type { Micros } from '../../core/units.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';
import { type Archives, openArchives } from './archives.ts';
import { openRevisions, type Revisions } from './revisions.ts';
import { openStreams, type Streams } from './streams.ts';
import { openWindows, type Windows } from './windows.ts';

/** The part of the catalog that the routes read. */
export type ReadableMsf = Pick<
  MsfCatalog,
  'stream' | 'lastOfEpoch' | 'revisions' | 'revision' | 'archivesPage' | 'archive' | 'watch'
>;

export type MsfReads = {
  streams: Streams;
  revisions: Revisions;
  archives: Archives;
  windows: Windows;
  close(): Promise<void>;
};

export function openMsfReads(options: {
  msf: ReadableMsf;
  games: Pick<GamesCatalog, 'find'>;
  deadlines: Deadlines;
  clock: Clock;
  log: Log;
  tracer: Tracer;
  maxAge: Micros;
}): MsfReads {
  const streams = openStreams(options);
  const revisions = openRevisions(options);
  return {
    streams,
    revisions,
    archives: openArchives(options),
    windows: openWindows(revisions),
    close: () => streams.close(),
  };
}
