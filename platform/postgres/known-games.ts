// A cache of resolved events and ids. Once a game is minted, bound and its start logged, only the administrator changes that, and a notice
// reports it; so a push of cached events needs no database. Bounded: an evicted entry is resolved again.
import { LRUCache } from 'lru-cache';
import type { GameLookup, Resolution, ResolvedGame } from '../../core/ports/catalog/games.ts';
import type { Micros } from '../../core/units.ts';
import type { StoredResolution } from './resolve-games.ts';

type Remembered = { game: ResolvedGame; commenceTime: Micros | null };

const maxLookups = 50_000;
const maxGames = 20_000;
/** A start that another gateway received, or a game's close, is noticed after this time at the latest. */
const lifeMs = 60_000;

export class KnownGames {
  readonly #lookups = new LRUCache<string, Remembered>({ max: maxLookups, ttl: lifeMs });
  /** Games whose founding start is in the log. */
  readonly #logged = new LRUCache<string, true>({ max: maxGames });
  /** Incremented on each removal: an answer from before it must not be cached. */
  era = 0;

  /** The answers, if all of them are cached and nothing needs to be stored. */
  answers(source: string, lookups: readonly GameLookup[]): Resolution[] | null {
    const answers: Resolution[] = [];
    for (const lookup of lookups) {
      const known = this.#lookups.get(keyOf(source, lookup));
      if (known === undefined || this.#logged.get(known.game.uuid) === undefined) return null;
      // A moved start must be stored; another league must be refused.
      if (lookup.by === 'event') {
        if (known.commenceTime !== lookup.commenceTime || known.game.league !== lookup.league) return null;
      }
      answers.push({ kind: 'resolved', game: known.game });
    }
    return answers;
  }

  /** `era`: its value before the catalog was queried. */
  remember(
    source: string,
    lookups: readonly GameLookup[],
    resolutions: readonly StoredResolution[],
    era: number,
  ): void {
    if (era !== this.era) return;
    lookups.forEach((lookup, index) => {
      const { answer, game } = resolutions[index] as StoredResolution;
      if (answer.kind !== 'resolved' || game === null || game.publicId === null) return;
      if (game.startLogged) this.#logged.set(game.uuid, true);
      const commenceTime = lookup.by === 'event' ? lookup.commenceTime : null;
      this.#lookups.set(keyOf(source, lookup), {
        game: { ...answer.game, startToLog: null, warning: null },
        commenceTime,
      });
    });
  }

  /** Call when the event is unbound from its game. */
  forget(source: string, eventId: string): void {
    this.era += 1;
    this.#lookups.delete(eventKey(source, eventId));
  }

  forgetAll(): void {
    this.era += 1;
    this.#lookups.clear();
  }

  /** Notes that the founding starts of these games are in the log. */
  noteLogged(uuids: readonly string[]): void {
    for (const uuid of uuids) this.#logged.set(uuid, true);
  }
}

function keyOf(source: string, lookup: GameLookup): string {
  return lookup.by === 'id' ? `id ${lookup.gameId.toUpperCase()}` : eventKey(source, lookup.eventId);
}

function eventKey(source: string, eventId: string): string {
  return `event ${source} ${eventId}`;
}
