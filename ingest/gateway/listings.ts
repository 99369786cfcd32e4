// The lists of an answer besides its counts: refusals, warnings, games; each up to one mebibyte, and the number of further entries. Every
// refusal is also a dead letter.

import type { ResolvedGame } from '../../core/ports/catalog/games.ts';
import type { Rejection } from '../../core/ports/catalog/pushes.ts';
import type { Warning } from '../adapters/adapted.ts';
import type { DecidedElement } from '../adapters/decide-elements.ts';

/** `rejectedMore`: refusals beyond those listed. */
export type ListedRejections = { rejected: readonly Rejection[]; rejectedMore: number };

/**
 * A game of the push, with the index of the first accepted element that names it like this. `event_id`: null if the element names the game
 * by id.
 */
type NamedGame = { index: number; event_id: string | null; game_id: string; minted: boolean };
type ListedWarning = Warning & { index: number };

/** What an answer lists about the accepted elements of a push of quotes. */
export type ListedElements = {
  games: readonly NamedGame[];
  gamesMore: number;
  warnings: readonly ListedWarning[];
  warningsMore: number;
};

/** Characters of a list, counting the variable parts of its entries: about 8,000 refusals. */
const mostCharacters = 1024 * 1024;
const charactersOfFrame = 50;

export function listed(rejections: readonly Rejection[]): ListedRejections {
  const { entries, more } = bounded(rejections, ofPart);
  return { rejected: entries, rejectedMore: more };
}

/** `warningsMore`: warnings that are counted but not kept. */
export function listedElements(decided: readonly DecidedElement<ResolvedGame>[], warningsMore: number): ListedElements {
  const games = bounded(gamesOf(decided), ({ event_id, game_id }) => (event_id ?? '').length + game_id.length);
  const warnings = bounded(warningsOf(decided), ofPart);
  return {
    ...{ games: games.entries, gamesMore: games.more },
    ...{ warnings: warnings.entries, warningsMore: warnings.more + warningsMore },
  };
}

/** The members of a document that contain the list. */
export function membersOf({ rejected, rejectedMore }: ListedRejections): Record<string, unknown> {
  return { rejected, ...more('rejected_more', rejectedMore) };
}

export function membersOfElements({
  games,
  gamesMore,
  warnings,
  warningsMore,
}: ListedElements): Record<string, unknown> {
  return { games, ...more('games_more', gamesMore), warnings, ...more('warnings_more', warningsMore) };
}

function more(name: string, count: number): Record<string, number> {
  return count === 0 ? {} : { [name]: count };
}

function ofPart({ pointer, code, detail }: { pointer: string; code: string; detail: string }): number {
  return pointer.length + code.length + detail.length;
}

/** The first entries that fit, and the number of further ones, which are not kept. */
function bounded<Entry>(
  all: Iterable<Entry>,
  charactersOf: (entry: Entry) => number,
): { entries: Entry[]; more: number } {
  const entries: Entry[] = [];
  let left = mostCharacters;
  let more = 0;
  for (const entry of all) {
    left -= charactersOf(entry) + charactersOfFrame;
    if (left < 0) more += 1;
    else entries.push(entry);
  }
  return { entries, more };
}

function* gamesOf(decided: readonly DecidedElement<ResolvedGame>[]): Generator<NamedGame> {
  const events = new Set<string>();
  const ids = new Set<string>();
  for (const each of decided) {
    if (each.kind === 'refused') continue;
    const { element, game } = each;
    const eventId = element.game.by === 'event' ? element.game.eventId : null;
    const [seen, name] = eventId === null ? [ids, game.uuid] : [events, eventId];
    if (seen.has(name)) continue;
    seen.add(name);
    yield { index: element.index, event_id: eventId, game_id: game.gameId, minted: game.gameId !== game.uuid };
  }
}

function* warningsOf(decided: readonly DecidedElement<ResolvedGame>[]): Generator<ListedWarning> {
  for (const each of decided) {
    if (each.kind === 'refused') continue;
    const { element, game } = each;
    const { index, warnings } = element;
    if (game.warning !== null) yield { index, pointer: '/game', ...game.warning };
    for (const { pointer, code, detail } of warnings) yield { index, pointer, code, detail };
  }
}
