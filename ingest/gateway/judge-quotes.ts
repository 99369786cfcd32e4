// Decides the elements of a push of quotes: reads them, resolves their games, and accepts or refuses each. Nothing is in the log yet; games
// are founded, unless the push is only validated.
import type { ResolvedGame } from '../../core/ports/catalog/games.ts';
import { type AdaptedElement, mostRefusals } from '../adapters/adapted.ts';
import { type DecidedElement, deciding, lookupsOf } from '../adapters/decide-elements.ts';
import type { Push, PushTools } from './accept-push.ts';

/** `strict`: warnings become refusals; `validate`: the push is only checked, and nothing of it is kept. */
export type Judging = { strict: boolean; validate: boolean };

const usualJudging: Judging = { strict: false, validate: false };

export type Judged =
  | { kind: 'malformed'; detail: string }
  | { kind: 'too-many-refusals'; elements: readonly AdaptedElement[] }
  /** `warningsMore`: warnings that are counted but not kept. `body`: what element positions refer to. `observedAt`: see AdaptedPush. */
  | { kind: 'judged'; decided: readonly Decided[]; warningsMore: number; body: Uint8Array; observedAt?: string };

type Decided = DecidedElement<ResolvedGame>;
type Tools = Pick<PushTools, 'games' | 'scheduler'>;

export async function judgeQuotes(tools: Tools, push: Push): Promise<Judged> {
  const adapted = await tools.scheduler.run(push.schedulingKey, push.adapt());
  if (adapted.kind === 'malformed') return adapted;
  const { warningsMore, bytes: body = push.body, observedAt } = adapted;
  const { strict, validate } = push.judging ?? usualJudging;
  const isBeyond = (elements: readonly AdaptedElement[]): boolean =>
    elements.reduce((sum, { refusals }) => sum + refusals.length, 0) > mostRefusals;
  if (isBeyond(adapted.elements)) return { kind: 'too-many-refusals', elements: adapted.elements };
  // Suspicious games, and a push with too many refusals, are refused before a game is founded.
  const isForeseen = strict || mayBeBeyond(adapted.elements);
  const elements = isForeseen
    ? (await decided(tools, push, adapted.elements, 'foresee')).map(elementOf)
    : adapted.elements;
  if (isBeyond(elements)) return { kind: 'too-many-refusals', elements };
  const judged = await decided(tools, push, elements, validate ? 'foresee' : 'resolve');
  const time = observedAt === undefined ? {} : { observedAt };
  return { kind: 'judged', decided: judged, warningsMore, body, ...time };
}

/** Whether its games could bring the push more refusals than it may have: each element loses one at most for its game. */
function mayBeBeyond(elements: readonly AdaptedElement[]): boolean {
  return elements.reduce((sum, { refusals }) => sum + Math.max(1, refusals.length), 0) > mostRefusals;
}

async function decided(
  { games, scheduler }: Tools,
  { source, eventsOf = source, use, schedulingKey, may, judging = usualJudging }: Push,
  elements: readonly AdaptedElement[],
  how: 'resolve' | 'foresee',
): Promise<Decided[]> {
  const resolved = await games[how](eventsOf, lookupsOf(elements), use.founder(source));
  const answers = resolved.map((each) => {
    if (each.kind === 'refused') return each;
    const { kind, game } = each;
    return { kind, game, league: game.league, settled: game.settled, warning: game.warning };
  });
  return scheduler.run(schedulingKey, deciding(elements, answers, may, judging.strict));
}

/** The element after the decision; the game of a refused one is not resolved again. */
function elementOf(decided: Decided): AdaptedElement {
  if (decided.kind === 'accepted') return decided.element;
  return { ...decided.element, kind: 'refused', refusals: decided.refusals, gameId: null };
}
