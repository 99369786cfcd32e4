// Compares a record with those applied before it: new, duplicate, conflict or late. Also decides the record's time
// (docs/quotes.md#time-of-a-record). Changes nothing; the fold calls `rememberRecord` once it applies the record.

import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import type { LogPosition } from '../log-position.ts';
import type { NormalObservation } from '../quotes/types.ts';
import type { Micros } from '../units.ts';
import type { GameState, SourceState } from './game-state.ts';
import { sourceOf } from './game-state.ts';
import type { RecordId } from './record-ids.ts';
import { addRecordId, hasRecordId, recordIdOf } from './record-ids.ts';
import type { Sighting, Verdict } from './record-track.ts';
import { fingerprint, judge, newTrack, remember } from './record-track.ts';

type RecordIdentity = { verdict: Verdict; scope: string; sighting: Sighting; recordId: RecordId | null };

/** The key of scope *game*; other scopes are sportsbook codes. */
const wholeGame = '';

export function identify(
  game: GameState,
  record: QuotesRecord,
  position: LogPosition,
  normal: NormalObservation,
): RecordIdentity {
  const { observation } = record;
  const source = game.sources.get(record.source);
  const scope = normal.scope === 'game' ? wholeGame : (normal.operators[0]?.operator ?? wholeGame);
  const sighting: Sighting = {
    time: normal.observed_at ?? receivedAt(record, position, source),
    content: contentOf(record),
    push: fingerprint(record.push ?? `${position.partition}:${position.offset}`),
    index: record.push_index ?? 0,
  };
  const given = observation?.record_id ?? null;
  const recordId = given === null ? null : recordIdOf(record.source, given);
  let verdict: Verdict = 'new';
  if (recordId !== null && hasRecordId(game.recordIds, recordId)) verdict = 'duplicate';
  else if (normal.observed_at !== null) verdict = judge(source?.tracks.get(scope), sighting);
  return { verdict, scope, sighting, recordId };
}

/** Remembers an applied record; returns its source. */
export function rememberRecord(game: GameState, name: string, identity: RecordIdentity): SourceState {
  const { scope, sighting, recordId } = identity;
  const source = sourceOf(game, name);
  let track = source.tracks.get(scope);
  if (track === undefined) {
    track = newTrack();
    source.tracks.set(scope, track);
  }
  remember(track, sighting);
  if (recordId !== null) addRecordId(game.recordIds, recordId);
  if (source.newest === null || sighting.time > source.newest) source.newest = sighting.time;
  return source;
}

/**
 * Time of a receive-timed record. It is never before the newest applied record of the source in this game, even if the gateways' clocks
 * disagree.
 */
function receivedAt(record: QuotesRecord, position: LogPosition, source: SourceState | undefined): Micros {
  const received = record.received_at ?? position.timestamp;
  const newest = source?.newest ?? null;
  return newest !== null && newest > received ? newest : received;
}

const hex = /^[0-9a-f]{64}$/;

/** 32 bits of the element's SHA-256; a direct record may have none, then of its content. */
function contentOf({ observation }: QuotesRecord): number {
  const sha256 = observation?.sha256 ?? null;
  if (sha256 !== null && hex.test(sha256)) return Number.parseInt(sha256.slice(0, 8), 16);
  const content = { ...observation, observed_at: null, record_id: null, history: undefined };
  return fingerprint(sha256 ?? JSON.stringify(content));
}
