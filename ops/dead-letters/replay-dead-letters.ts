// Replays open dead letters, oldest first: elements that the gateway refused by this release's rules, records that a fold refused as they
// were. The record is appended first, then its letters are marked; if the command is killed in between, it appends the record again, and
// the fold recognises the duplicate. docs/operations.md#replaying-dead-letters.
import { everything, type PushGrant } from '../../core/access/feed-grant.ts';
import type { OutgoingRecord } from '../../core/ports/broker.ts';
import type {
  DeadLetterSelection,
  DeadLettersCatalog,
  DeadLetterToReplay,
} from '../../core/ports/catalog/dead-letters.ts';
import type { CrashPoints } from '../../core/ports/crash-points.ts';
import { type ElementTools, replayQuotes, waitsForClose } from '../../ingest/gateway/replay-quotes.ts';
import { tickRecords } from '../../ingest/ticker/tick-records.ts';
import type { QuotesRecord } from '../../schemas/events/quotes.ts';
import { topics } from '../../schemas/events/topics.ts';
import { loggedRecord } from './logged-record.ts';

export type DeadLetterTools = ElementTools & {
  letters: Pick<DeadLettersCatalog, 'newest' | 'openOf' | 'firstOfRecord' | 'markReplayed' | 'markReplayedInPart'>;
  /** Whether this is still the command that may: see letters-lease.ts. */
  holds(): Promise<boolean>;
  /** The payload of a letter; null if it is damaged or missing. */
  payloadOf(id: number): Promise<Uint8Array | null>;
  /** What the feed keys may push now, by their ids. */
  keys: ReadonlyMap<string, PushGrant>;
  crash: CrashPoints;
  interrupted: AbortSignal;
};

/** `left`: letters that stay open, by reason. */
export type ReplayedDeadLetters = {
  kind: 'done' | 'interrupted' | 'held-by-another';
  replayed: number;
  left: Map<string, number>;
};

/** Codes with which a fold would always refuse the record again. */
const forGood: ReadonlySet<string> = new Set(['late-observation', 'conflict', 'game-settled']);

/** Letters read at once. */
const atOnce = 200;

/**
 * The outcome for an element or record. `marked`: whether its letter is already marked; `parts`: codes of the parts that were refused
 * again.
 */
type Outcome = { appended: boolean; why: string; marked: boolean; parts: readonly string[] };

export async function replayDeadLetters(
  tools: DeadLetterTools,
  of: DeadLetterSelection,
  onProgress: (done: number) => void,
): Promise<ReplayedDeadLetters> {
  const { letters, holds, interrupted } = tools;
  const left = new Map<string, number>();
  // Letters that arise during the replay are not replayed, so that it ends.
  const through = await letters.newest();
  let [after, done, replayed] = [0, 0, 0];
  /** The letters of one element or record are consecutive. */
  let last: { of: string; outcome: Outcome } = { of: '', outcome: leftAs('') };
  for (;;) {
    if (interrupted.aborted) return { kind: 'interrupted', replayed, left };
    if (!(await holds())) return { kind: 'held-by-another', replayed, left };
    const some = await letters.openOf(of, { after, through }, atOnce);
    if (some.length === 0) return { kind: 'done', replayed, left };
    const marked: number[] = [];
    for (const letter of some) {
      if (interrupted.aborted || !(await holds())) break;
      const name = nameOf(letter);
      if (last.of !== name) {
        last = { of: name, outcome: await replayOne(tools, letter) };
        if (last.outcome.marked) replayed += 1;
        for (const code of last.outcome.parts) leave(left, code);
      }
      const { appended, why } = last.outcome;
      if (appended) marked.push(letter.id);
      else leave(left, why);
      after = letter.id;
      done += 1;
      onProgress(done);
    }
    tools.crash('letters:appended');
    replayed += await letters.markReplayed(marked);
  }
}

function leave(left: Map<string, number>, code: string): void {
  left.set(code, (left.get(code) ?? 0) + 1);
}

/**
 * Letters with the same name belong to one element of a push or to one record; a letter for a refused part of an applied record stands
 * alone.
 */
function nameOf(letter: DeadLetterToReplay): string {
  const { id, topic, partition, offset, receipt, pushIndex, sent } = letter;
  if (partition !== null) return isOfApplied(letter) ? String(id) : `${topic}/${partition}/${offset}`;
  return sent === null ? String(id) : `${receipt}/${pushIndex}`;
}

/** Whether the fold has applied the record except for a part: the record is in the log and would be a duplicate. */
function isOfApplied({ topic, code, pointer }: DeadLetterToReplay): boolean {
  return topic === topics.quotes && (code === 'other-source' || quoteOfRecord.test(pointer));
}

const quoteOfRecord = /^\/observation\/operators\/[0-9]{1,9}\/quotes\//;

const operatorOfRecord = /^\/observation\/operators\/[0-9]{1,9}$/;

/** Whether it is of a sportsbook that the fold refused of a game's image, the rest of which it applied. */
function isOfAppliedImage({ topic, pointer }: DeadLetterToReplay, { value }: OutgoingRecord): boolean {
  if (topic !== topics.quotes || !operatorOfRecord.test(pointer)) return false;
  return (value as QuotesRecord).observation?.scope === 'game';
}

async function replayOne(tools: DeadLetterTools, letter: DeadLetterToReplay): Promise<Outcome> {
  return letter.partition === null ? replayElement(tools, letter) : replayRecord(tools, letter);
}

async function replayElement(tools: DeadLetterTools, letter: DeadLetterToReplay): Promise<Outcome> {
  const { source, receipt, pushIndex: index, receivedAt, sent } = letter;
  if (letter.gameUuid !== null) return leftAs('applied-in-part');
  if (sent === null || source === null || receipt === null || index === null) return leftAs('not-replayable');
  const may = sent.key === null ? everything : tools.keys.get(sent.key);
  const payload = await tools.payloadOf(letter.id);
  if (payload === null || may === undefined) return leftAs('not-replayable');
  const answer = await replayQuotes(tools, { source, receipt, index, receivedAt, sent, payload, may });
  if (answer.kind === 'refused') return leftAs(answer.code);
  const parts = answer.still;
  const [{ gameUuid: uuid = null, gameId: id = null } = {}] = parts;
  if (uuid === null || id === null) return appended;
  // The element is now in the log, and repeats of it are duplicates: no later replay could add these parts.
  tools.crash('letters:appended');
  const marked = await tools.letters.markReplayedInPart(letter.id, { uuid, id }, parts);
  return { ...appended, marked, parts: parts.map(({ code }) => code) };
}

async function replayRecord(tools: DeadLetterTools, letter: DeadLetterToReplay): Promise<Outcome> {
  if (forGood.has(letter.code)) return leftAs(letter.code);
  if (isOfApplied(letter)) return leftAs('applied-in-part');
  // The first letter of a record has the whole record.
  const payload = await tools.payloadOf(await tools.letters.firstOfRecord(letter));
  const logged = payload === null ? null : loggedRecord(letter, payload);
  if (logged === null) return leftAs('not-replayable');
  const { record, ticks } = logged;
  if (isOfAppliedImage(letter, record)) return leftAs('applied-in-part');
  if (letter.topic === topics.quotes && (await tools.closesByTicks(record.key))) return leftAs(waitsForClose);
  const records: OutgoingRecord[] = [record];
  if (ticks !== null) {
    const { game_uuid: gameUuid, game_id: gameId, league } = ticks;
    records.push(...tickRecords([{ gameUuid, gameId, league }], tools.now()));
  }
  await tools.broker.produce(letter.topic, records);
  return appended;
}

const appended: Outcome = { appended: true, why: '', marked: false, parts: [] };

function leftAs(why: string): Outcome {
  return { ...appended, appended: false, why };
}
