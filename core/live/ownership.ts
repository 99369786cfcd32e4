// Ownership of sportsbooks, and which sportsbooks a record covers (docs/quotes.md#sportsbooks-a-record-covers). In one game, one source at a time
// owns a sportsbook; the fold refuses what another source reports of it as `other-source`.
import { operatorPointer, quotePointer } from '../quotes/normalise-observation.ts';
import type { NormalObservation, NormalOperator } from '../quotes/types.ts';
import type { Task } from '../scheduling/task.ts';
import type { Micros } from '../units.ts';
import { microsPerHour, microsPerMinute } from '../units.ts';
import { mostSelections } from './game-limits.ts';
import type { GameState, OperatorState, SourceState } from './game-state.ts';
import { operatorOf } from './game-state.ts';
import type { RefusedQuote, RowContext } from './offer.ts';
import { foldQuotes } from './offer.ts';
import type { FoldRefusal } from './types.ts';

/** If the owner has not named a sportsbook for this long, an image or delta of another source of the same rank takes it over. */
const ownerSilence: Micros = 10 * microsPerMinute;

/** Applies an observation to each sportsbook it covers, in code order. Returns the refused parts. */
export function* foldOperators(
  game: GameState,
  source: SourceState,
  normal: NormalObservation,
  context: RowContext,
): Task<readonly FoldRefusal[]> {
  const refusals: FoldRefusal[] = [];
  const named = normal.operators.map(({ operator }) => operatorOf(game, operator));
  const ofWholeGame = normal.scope === 'game' && normal.kind === 'image';
  let next = 0;
  // The game holds every named sportsbook, and both lists are in code order.
  for (const operator of ofWholeGame ? game.operators : named) {
    if (operator === named[next]) {
      yield* foldNamed(operator, normal.operators[next]!, source, normal, context, refusals);
      next += 1;
    } else if (operator.owner === source && covers(normal, operator)) {
      operator.inPlay = normal.in_play === true;
      yield* foldQuotes(operator, noQuotes, { coverage: normal.coverage }, context);
    }
  }
  return refusals;
}

const noQuotes: NormalOperator['quotes'] = [];

/** Whether the poll asked for this sportsbook. If not, its absence from the image means nothing. docs/quotes.md#poll-coverage. */
function covers(normal: NormalObservation, operator: OperatorState): boolean {
  return normal.covered_operators?.has(operator.code) ?? true;
}

function* foldNamed(
  operator: OperatorState,
  named: NormalOperator,
  source: SourceState,
  normal: NormalObservation,
  context: RowContext,
  refusals: FoldRefusal[],
): Task<void> {
  const time = context.timestamp;
  const mayReport = normal.kind === 'heartbeat' ? operator.owner === source : owns(operator, source, time);
  noteNamed(operator, source, time);
  if (!mayReport) {
    // A heartbeat for a sportsbook without an owner has no effect and is not refused.
    if (operator.owner !== null) refusals.push(otherSource(operator, named.entry, source, time));
    return;
  }
  operator.inPlay = normal.in_play === true;
  if (normal.kind === 'heartbeat') {
    if (operator.watermark !== null) operator.watermark = Math.max(operator.watermark, time);
    return;
  }
  operator.watermark = operator.watermark === null ? time : Math.max(operator.watermark, time);
  // Quotes in the image always count; absent quotes count only for sportsbooks that the poll asked for.
  const image = normal.kind === 'image' && covers(normal, operator) ? { coverage: normal.coverage } : null;
  for (const { index, code } of yield* foldQuotes(operator, named.quotes, image, context)) {
    const detail = `${operator.code} ${named.quotes[index]!.selection_id} ${refusedBecause[code]}`;
    refusals.push({ code, pointer: quotePointer(named.places[index]!), detail, deadLetter: true });
  }
}

const refusedBecause: Record<RefusedQuote['code'], string> = {
  'unknown-selection': 'cannot be withdrawn: it was never quoted, or is withdrawn already',
  'too-many-selections': `is new, but the sportsbook has already had ${mostSelections} selections in this game`,
};

/**
 * Whether the source owns the sportsbook, or gains it with this image or delta: it has no owner, the owner has a lower rank, or an owner of
 * equal rank has been silent too long. docs/quotes.md#ownership.
 */
function owns(operator: OperatorState, source: SourceState, time: Micros): boolean {
  const owner = operator.owner;
  if (owner === source) return true;
  if (owner !== null && source.rank < owner.rank) return false;
  if (owner !== null && source.rank === owner.rank) {
    const newest = operator.named.find((mention) => mention.source === owner);
    if (newest === undefined || time - newest.time < ownerSilence) return false;
  }
  operator.owner = source;
  return true;
}

function noteNamed(operator: OperatorState, source: SourceState, time: Micros): void {
  for (const mention of operator.named) {
    if (mention.source !== source) continue;
    if (time > mention.time) mention.time = time;
    return;
  }
  operator.named.push({ source, time });
}

/** Every receipt gets the refusal; the dead letters get one per source, game, sportsbook and hour. docs/quotes.md#ownership. */
function otherSource(operator: OperatorState, entry: number, source: SourceState, time: Micros): FoldRefusal {
  const hour = Math.floor(time / microsPerHour);
  let refused = operator.refusedHours.find((entry) => entry.source === source);
  if (refused === undefined) {
    refused = { source, hours: [] };
    operator.refusedHours.push(refused);
  }
  const deadLetter = !refused.hours.includes(hour);
  if (deadLetter) refused.hours.push(hour);
  const detail = `${operator.code} belongs to ${operator.owner?.name ?? 'nobody'} in this game`;
  return { code: 'other-source', pointer: operatorPointer(entry), detail, deadLetter };
}
