// A cache of resolved events and ids. Once a game is minted, bound and its start logged, only the administrator changes that, and a notice
// reports it; so a push of cached events needs no database. Bounded: an evicted entry is resolved again.
import { LRUCache } from 'lru-cache';
import type { GameReference, Resolution, ResolvedGame } from '../../core/ports/catalog/games.ts';
import type { Micros } from '../../core/units.ts';
import type { StoredResolution } from './resolve-games.ts';

type Remembered = { game: ResolvedGame; commenceTime: Micros | null };

const maxReferences = 50_000;
const maxGames = 20_000;
/** A start that another gateway received, or a game's close, is noticed after this time at the latest. */
const lifeMs = 60_000;

export class KnownGames {
  readonly #references = new LRUCache<string, Remembered>({ max: maxReferences, ttl: lifeMs });
  /** Games whose founding start is in the log. */
  readonly #logged = new LRUCache<string, true>({ max: maxGames });
  /** Incremented on each removal: an answer from before it must not be cached. */
  era = 0;

  /** The answers, if all of them are cached and nothing needs to be stored. */
  answers(source: string, references: readonly GameReference[]): Resolution[] | null {
    const answers: Resolution[] = [];
    for (const reference of references) {
      const known = this.#references.get(keyOf(source, reference));
      if (known === undefined || this.#logged.get(known.game.uuid) === undefined) return null;
      // A moved start must be stored; another league must be refused.
      if (reference.by === 'event') {
        if (known.commenceTime !== reference.commenceTime || known.game.league !== reference.league) return null;
      }
      answers.push({ kind: 'resolved', game: known.game });
    }
    return answers;
  }

  /** `era`: its value before the catalog was queried. */
  remember(
    source: string,
    references: readonly GameReference[],
    resolutions: readonly StoredResolution[],
    era: number,
  ): void {
    if (era !== this.era) return;
    references.forEach((reference, index) => {
      const { answer, game } = resolutions[index] as StoredResolution;
      if (answer.kind !== 'resolved' || game === null || game.publicId === null) return;
      if (game.startLogged) this.#logged.set(game.uuid, true);
      const commenceTime = reference.by === 'event' ? reference.commenceTime : null;
      this.#references.set(keyOf(source, reference), {
        game: { ...answer.game, startToLog: null, warning: null },
        commenceTime,
      });
    });
  }

  /** Call when the event is unbound from its game. */
  forget(source: string, eventId: string): void {
    this.era += 1;
    this.#references.delete(eventKey(source, eventId));
  }

  forgetAll(): void {
    this.era += 1;
    this.#references.clear();
  }

  /** Notes that the founding starts of these games are in the log. */
  noteLogged(uuids: readonly string[]): void {
    for (const uuid of uuids) this.#logged.set(uuid, true);
  }
}

function keyOf(source: string, reference: GameReference): string {
  return reference.by === 'id' ? `id ${reference.gameId.toUpperCase()}` : eventKey(source, reference.eventId);
}

function eventKey(source: string, eventId: string): string {
  return `event ${source} ${eventId}`;
}
