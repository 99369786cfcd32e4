// What a game remembers of the records it applied from one source in one scope, so that it recognises a repeat however old the original
// (docs/quotes.md#duplicates). Kept until the game settles and therefore compact: 20 bytes a record, sorted by time, because a track only
// ever takes newer records. Content and push are 32-bit fingerprints; they are only compared between records of one source, scope and
// microsecond.
import type { Micros } from '../units.ts';
import { packed, unpacked } from './packed.ts';

/** The applied records of one source and scope in one game, oldest first. */
export type Track = {
  size: number;
  times: Float64Array;
  /** Three per record: content, push, index in the push. */
  marks: Uint32Array;
};

/** What distinguishes a record from others of its source and scope. */
export type Sighting = { time: Micros; content: number; push: number; index: number };

export type Verdict = 'new' | 'duplicate' | 'conflict' | 'late';

const marksPerRecord = 3;

export function newTrack(): Track {
  return { size: 0, times: new Float64Array(2), marks: new Uint32Array(2 * marksPerRecord) };
}

/** Remembers an applied record; its time is never before the track's newest. */
export function remember(track: Track, seen: Sighting): void {
  if (track.size === track.times.length) grow(track);
  const at = track.size * marksPerRecord;
  track.times[track.size] = seen.time;
  track.marks[at] = seen.content;
  track.marks[at + 1] = seen.push;
  track.marks[at + 2] = seen.index;
  track.size += 1;
}

/** Classifies a source-timed record: duplicate, conflict, late — checked in this order — or new. docs/quotes.md#duplicates. */
export function judge(track: Track | undefined, seen: Sighting): Verdict {
  if (track === undefined || track.size === 0) return 'new';
  const newest = track.times[track.size - 1]!;
  if (seen.time > newest) return 'new';
  let conflict = false;
  for (let record = firstAt(track, seen.time); record < track.size && track.times[record] === seen.time; record += 1) {
    const at = record * marksPerRecord;
    const samePush = track.marks[at + 1] === seen.push;
    const sameContent = track.marks[at] === seen.content;
    if (sameContent && (!samePush || track.marks[at + 2] === seen.index)) return 'duplicate';
    if (!samePush) conflict = true;
  }
  if (conflict) return 'conflict';
  return seen.time < newest ? 'late' : 'new';
}

/** Index of the first record at or after `time`. */
function firstAt(track: Track, time: Micros): number {
  let low = 0;
  let high = track.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (track.times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function grow(track: Track): void {
  const capacity = Math.max(4, track.times.length * 2);
  const times = new Float64Array(capacity);
  times.set(track.times);
  const marks = new Uint32Array(capacity * marksPerRecord);
  marks.set(track.marks);
  track.times = times;
  track.marks = marks;
}

/** FNV-1a over UTF-16 units: cheap, and enough where collisions are only accidental. */
export function fingerprint(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}

/** Serialised form for saved games. */
export type SavedTrack = { times: string; marks: string };

export function saveTrack(track: Track): SavedTrack {
  return {
    times: packed(track.times.subarray(0, track.size)),
    marks: packed(track.marks.subarray(0, track.size * marksPerRecord)),
  };
}

export function loadTrack(saved: SavedTrack): Track {
  const times = new Float64Array(unpacked(saved.times));
  return { size: times.length, times, marks: new Uint32Array(unpacked(saved.marks)) };
}
