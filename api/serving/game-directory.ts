// Finds the game that a path names. A minted game's ids and league never change, so they are remembered; its date may move with its start,
// so it is read again after a while. An unknown id is not remembered: the catalog is asked each time.
import { LRUCache } from 'lru-cache';
import { isPublicId } from '../../core/games/public-id.ts';
import { isCanonicalUuid } from '../../core/games/uuid.ts';
import type { CatalogGame, GamesCatalog } from '../../core/ports/catalog/games.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { type Micros, microsPerSecond } from '../../core/units.ts';
import type { Deadlines } from '../dependencies/deadlines.ts';

/** The part of a game that routes use from memory. */
export type GameIdentity = Pick<CatalogGame, 'uuid' | 'gameId' | 'minted' | 'league' | 'gameDate'>;

const rememberedGames = 20_000;
/** A date older than this is read again in the background, while the known one is served. */
const dateAge: Micros = 60 * microsPerSecond;

type Remembered = { identity: GameIdentity; askedAt: Micros };

export class GameDirectory {
  readonly #games: Pick<GamesCatalog, 'find'>;
  readonly #deadlines: Deadlines;
  readonly #clock: Clock;
  readonly #unmintedAge: Micros;
  readonly #remembered = new LRUCache<string, Remembered>({ max: rememberedGames });

  constructor(games: Pick<GamesCatalog, 'find'>, deadlines: Deadlines, clock: Clock, unmintedAge: Micros) {
    this.#games = games;
    this.#deadlines = deadlines;
    this.#clock = clock;
    this.#unmintedAge = unmintedAge;
  }

  /** The identity of the game with this public id or UUID, in any case; null: call `record`. */
  remembered(text: string): GameIdentity | null {
    const found = this.#remembered.get(text) ?? this.#remembered.get(canonical(text) ?? '');
    if (found === undefined) return null;
    const age = this.#clock.now() - found.askedAt;
    if (!found.identity.minted) return age >= 0 && age < this.#unmintedAge ? found.identity : null;
    if (age < 0 || age >= dateAge) this.#askAgain(text, found);
    return found.identity;
  }

  /** Once per age; a failed read is retried after the next age. */
  #askAgain(text: string, found: Remembered): void {
    found.askedAt = this.#clock.now();
    this.record(text).catch(() => {});
  }

  /** The whole record as the catalog has it now; null: no such game, or not an id. */
  async record(text: string): Promise<CatalogGame | null> {
    const id = canonical(text);
    if (id === null) return null;
    const askedAt = this.#clock.now();
    const game = await this.#deadlines.catalog(() => this.#games.find(id));
    if (game === null) return null;
    const { uuid, gameId, minted, league, gameDate } = game;
    this.#remembered.set(id, { identity: { uuid, gameId, minted, league, gameDate }, askedAt });
    return game;
  }
}

const plainText = /^[0-9A-Za-z_-]+$/;

/** An id in the catalog's spelling; null for a text that is not an id. */
function canonical(text: string): string | null {
  // The form is tested first, because some letters beyond ASCII become ASCII in the other case.
  if (!plainText.test(text)) return null;
  const upper = text.toUpperCase();
  if (isPublicId(upper)) return upper;
  const lower = text.toLowerCase();
  return isCanonicalUuid(lower) ? lower : null;
}
