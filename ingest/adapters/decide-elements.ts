// What becomes of each element once the games of its push are resolved: refused, or accepted into a game with the codes of the quotes it
// lost. Unaware of how games are resolved and of what is done with either.
import { type PushGrant, whyNotLeague } from '../../core/access/feed-grant.ts';
import type { GameReference, GameWarning } from '../../core/ports/catalog/games.ts';
import type { QuoteRefusal, RefusalCode } from '../../core/quotes/types.ts';
import type { Steps } from '../../core/steps.ts';
import type { AdaptedElement, ElementFrame } from './adapted.ts';

export type AcceptedElement = Extract<AdaptedElement, { kind: 'accepted' }>;

/**
 * `refusals`: of an accepted element its quotes', of a refused one its own code, or those of all its quotes where it lost them all. Of a refused one
 * nothing else is held than where it stands: the database takes its time for the dead letters of twenty thousand.
 */
export type DecidedElement<Game> =
  | { kind: 'accepted'; element: AcceptedElement; game: Game; refusals: readonly QuoteRefusal[] }
  | { kind: 'refused'; element: ElementFrame; refusals: readonly QuoteRefusal[] };

type ReferenceAnswer<Game> =
  | { kind: 'resolved'; game: Game; league: string; settled?: boolean; warning?: GameWarning | null }
  | { kind: 'refused'; code: RefusalCode; detail: string };

/** The games to resolve for a push, in the order of its elements: those of a refused element's id only to see if it exists. */
export function referencesOf(elements: readonly AdaptedElement[]): GameReference[] {
  return elements.flatMap((element) => referenceOf(element) ?? []);
}

const elementsOfStep = 256;

/**
 * Joins the elements of a push with the answers to `referencesOf` of them. A refused event shows one code, and codes of its
 * quotes are not shown; a game_id that names no game is `bad-event`, and one of a league that the key may not speak of `forbidden-league`,
 * before all that comes later (docs/quotes.md#the-native-event). `strict`: what is probably a mistake of a game is a refusal.
 */
export function* deciding<Game>(
  elements: readonly AdaptedElement[],
  answers: readonly ReferenceAnswer<Game>[],
  may: PushGrant,
  strict = false,
): Steps<DecidedElement<Game>[]> {
  const decided: DecidedElement<Game>[] = [];
  let asked = 0;
  for (const element of elements) {
    const reference = referenceOf(element);
    const answer = reference === null ? null : (answers[asked] as ReferenceAnswer<Game>);
    if (answer !== null) asked += 1;
    decided.push(decide(element, reference, answer, may, strict));
    if (decided.length % elementsOfStep === 0) yield;
  }
  return decided;
}

function decide<Game>(
  element: AdaptedElement,
  reference: GameReference | null,
  answer: ReferenceAnswer<Game> | null,
  may: PushGrant,
  strict: boolean,
): DecidedElement<Game> {
  const pointer = reference?.by === 'id' ? '/game/game_id' : '/game';
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

/** The fold says the same of what it meets (docs/settlement.md#after-the-close). */
const gameSettled: QuoteRefusal = {
  code: 'game-settled',
  pointer: '/game',
  detail: 'the game is closed: its quotes are settled',
};

function referenceOf(element: AdaptedElement): GameReference | null {
  if (element.kind === 'accepted') return element.game;
  return element.gameId === null ? null : { by: 'id', gameId: element.gameId };
}
