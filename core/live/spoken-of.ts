// Who a record speaks of, and whose an operator is (docs/quotes.md#sportsbooks-spoken-of). One operator in one game belongs to one
// source at a time; what another says of it is refused as `other-source` and touches nothing.
import { operatorPointer, quotePointer } from '../quotes/normalise-observation.ts';
import type { NormalObservation, NormalOperator } from '../quotes/types.ts';
import type { Micros } from '../units.ts';
import { microsPerHour, microsPerMinute } from '../units.ts';
import { mostSelections } from './caps.ts';
import type { GameState, OperatorState, SourceState } from './game-state.ts';
import { operatorOf } from './game-state.ts';
import type { RefusedQuote, RowContext } from './offer.ts';
import { foldQuotes } from './offer.ts';
import type { FoldRefusal } from './types.ts';

/** After this long without a record of the owner that names an operator, the image or delta of another source of its rank takes it over. */
const ownerSilence: Micros = 10 * microsPerMinute;

/** Applies what an observation says of each operator, in code order. Returns what of it is refused. */
export function foldOperators(
  game: GameState,
  source: SourceState,
  said: NormalObservation,
  context: RowContext,
): readonly FoldRefusal[] {
  const refusals: FoldRefusal[] = [];
  const named = said.operators.map(({ operator }) => operatorOf(game, operator));
  const ofWholeGame = said.scope === 'game' && said.kind === 'image';
  let next = 0;
  // All named are among the game's operators, and both are in code order.
  for (const operator of ofWholeGame ? game.operators : named) {
    if (operator === named[next]) {
      foldNamed(operator, said.operators[next]!, source, said, context, refusals);
      next += 1;
    } else if (operator.owner === source && covers(said, operator)) {
      operator.inPlay = said.in_play === true;
      foldQuotes(operator, noQuotes, { coverage: said.coverage }, context);
    }
  }
  return refusals;
}

const noQuotes: NormalOperator['quotes'] = [];

/** Whether an image tells of what the operator no longer offers: whether it was asked about it. docs/quotes.md#poll-coverage. */
function covers(said: NormalObservation, operator: OperatorState): boolean {
  return said.covered_operators?.has(operator.code) ?? true;
}

function foldNamed(
  operator: OperatorState,
  named: NormalOperator,
  source: SourceState,
  said: NormalObservation,
  context: RowContext,
  refusals: FoldRefusal[],
): void {
  const time = context.timestamp;
  const speaks = said.kind === 'heartbeat' ? operator.owner === source : owns(operator, source, time);
  noteNamed(operator, source, time);
  if (!speaks) {
    // A heartbeat for an operator that belongs to nobody yet is neither refused nor of any effect on it.
    if (operator.owner !== null) refusals.push(otherSource(operator, named.entry, source, time));
    return;
  }
  operator.inPlay = said.in_play === true;
  if (said.kind === 'heartbeat') {
    if (operator.watermark !== null) operator.watermark = Math.max(operator.watermark, time);
    return;
  }
  operator.watermark = operator.watermark === null ? time : Math.max(operator.watermark, time);
  // What an image names counts whoever was polled; what it leaves out counts only of those who were.
  const image = said.kind === 'image' && covers(said, operator) ? { coverage: said.coverage } : null;
  for (const { index, code } of foldQuotes(operator, named.quotes, image, context)) {
    const detail = `${operator.code} ${named.quotes[index]!.selection_id} ${refusedBecause[code]}`;
    refusals.push({ code, pointer: quotePointer(named.places[index]!), detail, deadLetter: true });
  }
}

const refusedBecause: Record<RefusedQuote['code'], string> = {
  'unknown-selection': 'is not there to be withdrawn',
  'too-many-selections': `is new, and the operator has had ${mostSelections} selections in this game`,
};

/**
 * Whether an image or delta that names the operator speaks for it: its source owns it, founds it, or gains it: by its rank at once.
 * docs/quotes.md#ownership.
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

/** In every receipt, but one dead letter per source, game, operator and hour. docs/quotes.md#ownership. */
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
