// The heads of one game as events. A head is absolute, so a head that was never sent loses nothing (docs/interface.md#events).
import { formatCursor } from '../../core/live/cursor.ts';
import { formatCursor as formatStreamCursor } from '../../core/msf/published/cursor.ts';
import { type MsfDataset, msfDatasets } from '../../core/msf/types.ts';
import type { GameHeads, LiveHead, StreamHead } from '../../core/ports/catalog/heads.ts';
import { sportsbookLines } from '../../schemas/datasets/sportsbook-lines.ts';
import type { FinalEvent, HeadEvent, ResetEvent } from '../../schemas/http/events.ts';
import { finalAddress } from '../serving/live-manifests.ts';

/** The datasets in the order of their bits. */
export const eventDatasets = [sportsbookLines.name, ...msfDatasets] as const;
export type EventDataset = (typeof eventDatasets)[number];

/** For each dataset, a bit that it changed and a higher one that it started over. */
export type Moves = number;

const resetShift = 8;

export function movesOf(datasets: readonly EventDataset[]): Moves {
  return datasets.reduce((moves, dataset) => moves | bitOf(dataset) | (bitOf(dataset) << resetShift), 0);
}

function bitOf(dataset: EventDataset): number {
  return 1 << eventDatasets.indexOf(dataset);
}

/** The changes between two states of a game. The newer state may be read before the older one; then nothing changed. */
export function movedBetween(before: GameHeads | null, after: GameHeads): Moves {
  let moves = liveMoves(before, after);
  for (const stream of after.streams) {
    const known = before?.streams.find(({ dataset }) => dataset === stream.dataset) ?? null;
    if (known !== null && known.version >= stream.version) continue;
    if (known?.epoch === stream.epoch && known.revision === stream.revision) continue;
    moves |= bitOf(stream.dataset);
    if (known !== null && known.epoch !== stream.epoch) moves |= bitOf(stream.dataset) << resetShift;
  }
  return moves;
}

function liveMoves(before: GameHeads | null, after: GameHeads): Moves {
  const bit = bitOf(sportsbookLines.name);
  if (before?.final === true) return 0;
  if (after.final) return bit;
  if (after.live === null || (before !== null && before.live !== null && !isNewer(after.live, before.live))) return 0;
  const isReset = before !== null && before.live !== null && before.live.generation !== after.live.generation;
  return isReset ? bit | (bit << resetShift) : bit;
}

function isNewer(a: LiveHead, b: LiveHead): boolean {
  return a.generation > b.generation || (a.generation === b.generation && a.version > b.version);
}

/** The newer of two states, part by part: a final game stays final, and no log goes back. */
export function newerOf(before: GameHeads | null, after: GameHeads): GameHeads {
  if (before === null) return after;
  const live =
    before.live !== null && (after.live === null || isNewer(before.live, after.live)) ? before.live : after.live;
  const known = new Map<MsfDataset, StreamHead>(before.streams.map((stream) => [stream.dataset, stream]));
  for (const stream of after.streams) {
    if (stream.version >= (known.get(stream.dataset)?.version ?? 0)) known.set(stream.dataset, stream);
  }
  return { ...after, live, final: before.final || after.final, streams: [...known.values()] };
}

/** The events of these changes. */
export function textOfMoves(heads: GameHeads, moves: Moves): string {
  let text = '';
  const live = bitOf(sportsbookLines.name);
  if ((moves & (live << resetShift)) !== 0 && !heads.final) text += resetEvent(heads, sportsbookLines.name);
  if ((moves & live) !== 0) text += liveEvent(heads);
  for (const stream of heads.streams) {
    const bit = bitOf(stream.dataset);
    if ((moves & (bit << resetShift)) !== 0) text += resetEvent(heads, stream.dataset);
    if ((moves & bit) !== 0) text += streamEvent(heads, stream);
  }
  return text;
}

function liveEvent({ gameId, live, final }: GameHeads): string {
  const { name: dataset } = sportsbookLines;
  if (final) return eventOf('final', { game_id: gameId, dataset, final: finalAddress(gameId) } satisfies FinalEvent);
  if (live === null) return '';
  return eventOf('head', {
    game_id: gameId,
    dataset,
    cursor: formatCursor({ seq: live.seq, rows: live.rowsOfSegment }),
    rows: live.rows,
    board_version: boardVersion(live),
    final: false,
  } satisfies HeadEvent);
}

/** Differs whenever the boards of a game may differ. */
export function boardVersion({ generation, version }: { generation: number; version: number }): string {
  return `${generation}.${version}`;
}

function streamEvent({ gameId, gameUuid, final }: GameHeads, { dataset, epoch, revision }: StreamHead): string {
  if (revision === 0) return '';
  return eventOf('head', {
    game_id: gameId,
    dataset,
    cursor: formatStreamCursor({ dataset, scopeUuid: gameUuid, epoch, revision }),
    stream_epoch: epoch,
    revision,
    final,
  } satisfies HeadEvent);
}

function resetEvent({ gameId }: GameHeads, dataset: EventDataset): string {
  return eventOf('reset', { game_id: gameId, dataset } satisfies ResetEvent);
}

function eventOf(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
