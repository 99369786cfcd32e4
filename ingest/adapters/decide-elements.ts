// Decides each element once the games of its push are resolved: refused, or accepted into a game with the codes of its refused quotes.
// Independent of how games are resolved and of what happens to the elements next.
import { type PushGrant, whyNotLeague } from '../../core/access/feed-grant.ts';
import type { GameLookup, GameWarning } from '../../core/ports/catalog/games.ts';
import type { QuoteRefusal, RefusalCode } from '../../core/quotes/types.ts';
import type { Task } from '../../core/scheduling/task.ts';
import type { AdaptedElement, ElementFrame } from './adapted.ts';

export type AcceptedElement = Extract<AdaptedElement, { kind: 'accepted' }>;

/**
 * `refusals`: for an accepted element, those of its quotes; for a refused one, its own code, or those of its quotes if all were refused. A
 * refused element keeps nothing but its position, because storing the dead letters of twenty thousand elements takes the database a while.
 */
export type DecidedElement<Game> =
  | { kind: 'accepted'; element: AcceptedElement; game: Game; refusals: readonly QuoteRefusal[] }
  | { kind: 'refused'; element: ElementFrame; refusals: readonly QuoteRefusal[] };

type LookupAnswer<Game> =
  | { kind: 'resolved'; game: Game; league: string; settled?: boolean; warning?: GameWarning | null }
  | { kind: 'refused'; code: RefusalCode; detail: string };

/** The games to resolve for a push, in the order of its elements. A refused element's game id is only checked for existence. */
export function lookupsOf(elements: readonly AdaptedElement[]): GameLookup[] {
  return elements.flatMap((element) => lookupOf(element) ?? []);
}

const elementsOfStep = 256;

/**
 * Joins the elements of a push with the answers for `lookupsOf`. A refused event has one code, without those of its quotes. A game_id of
 * no game is `bad-event`, and one of a league that the key may not push is `forbidden-league`, before any later reason
 * (docs/quotes.md#the-native-event). `strict`: warnings about games become refusals.
 */
export function* deciding<Game>(
  elements: readonly AdaptedElement[],
  answers: readonly LookupAnswer<Game>[],
  may: PushGrant,
  strict = false,
): Task<DecidedElement<Game>[]> {
  const decided: DecidedElement<Game>[] = [];
  let asked = 0;
  for (const element of elements) {
    const lookup = lookupOf(element);
    const answer = lookup === null ? null : (answers[asked] as LookupAnswer<Game>);
    if (answer !== null) asked += 1;
    decided.push(decide(element, lookup, answer, may, strict));
    if (decided.length % elementsOfStep === 0) yield;
  }
  return decided;
}

function decide<Game>(
  element: AdaptedElement,
  lookup: GameLookup | null,
  answer: LookupAnswer<Game> | null,
  may: PushGrant,
  strict: boolean,
): DecidedElement<Game> {
  const pointer = lookup?.by === 'id' ? '/game/game_id' : '/game';
  if (answer?.kind === 'refused') return refused(element, [{ code: answer.code, pointer, detail: answer.detail }]);
  const forbidden = answer === null ? null : whyNotLeague(may, answer.league);
  if (forbidden !== null) return refused(element, [{ code: 'forbidden-league', pointer, detail: forbidden }]);
  if (element.kind === 'refused') return refused(element, element.refusals);
  if (answer === null) throw new Error('an accepted element has no game');
  if (answer.settled === true) return refused(element, [gameSettled]);
  const suspicious = strict ? (answer.warning ?? null) : null;
  if (suspicious !== null) return refused(element, [{ ...suspicious, pointer }]);
  return { kind: 'accepted', element, game: answer.game, refusals: element.refusals };
}

function refused<Game>(
  { index, start, end, sha256 }: ElementFrame,
  refusals: readonly QuoteRefusal[],
): DecidedElement<Game> {
  return { kind: 'refused', element: { index, start, end, sha256 }, refusals };
}

/** The fold refuses records with the same code (docs/settlement.md#after-the-close). */
const gameSettled: QuoteRefusal = {
  code: 'game-settled',
  pointer: '/game',
  detail: 'the game is closed: its quotes are settled',
};

function lookupOf(element: AdaptedElement): GameLookup | null {
  if (element.kind === 'accepted') return element.game;
  return element.gameId === null ? null : { by: 'id', gameId: element.gameId };
}
