// Which game an event or an id means, remembered: once a game is minted, bound and its start logged, none of that changes but by the
// administrator, of which there is a notice; so a push of known events needs no database. Bounded; what is forgotten is asked again.
import { LRUCache } from 'lru-cache';
import type { GameReference, Resolution, ResolvedGame } from '../../core/ports/catalog/games.ts';
import type { Micros } from '../../core/units.ts';
import type { StoredResolution } from './resolve-games.ts';

type Remembered = { game: ResolvedGame; commenceTime: Micros | null };

const maxReferences = 50_000;
const maxGames = 20_000;
/** A start that another gateway was told meanwhile, and a game that has closed, are noticed after this long. */
const lifeMs = 60_000;

export class KnownGames {
  readonly #references = new LRUCache<string, Remembered>({ max: maxReferences, ttl: lifeMs });
  /** Games whose founding start is in the log. */
  readonly #logged = new LRUCache<string, true>({ max: maxGames });
  /** Counts what was forgotten: an answer of before is not to be remembered. */
  era = 0;

  /** The answers, when all of them are remembered and need nothing stored. */
  answers(source: string, references: readonly GameReference[]): Resolution[] | null {
    const answers: Resolution[] = [];
    for (const reference of references) {
      const known = this.#references.get(keyOf(source, reference));
      if (known === undefined || this.#logged.get(known.game.uuid) === undefined) return null;
      // A start that moved has to be stored, a league that differs to be refused.
      if (reference.by === 'event') {
        if (known.commenceTime !== reference.commenceTime || known.game.league !== reference.league) return null;
      }
      answers.push({ kind: 'resolved', game: known.game });
    }
    return answers;
  }

  /** `era`: as it was before the catalog was asked. */
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

  /** The event is bound to no game any more. */
  forget(source: string, eventId: string): void {
    this.era += 1;
    this.#references.delete(eventKey(source, eventId));
  }

  forgetAll(): void {
    this.era += 1;
    this.#references.clear();
  }

  /** The founding starts of these games are in the log. */
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
