// One reader of events: which games changed since the last text was taken. It keeps no events, only a few bits per changed game, and makes
// at most one text at a time, so that a reader that takes nothing costs little more than an idle one.
import type { GameHeads } from '../../core/ports/catalog/heads.ts';
import { type Moves, textOfMoves } from './game-heads.ts';

/** A game whose heads are kept up to date in memory. */
export type HeldGame = { heads: GameHeads | null };

/** A comment, which shows readers and proxies that the stream is alive. */
const heartbeat = ':\n\n';
/** EventSource clients reconnect after this many milliseconds. */
const opening = 'retry: 1000\n\n';
/** Characters of a text; it ends with the game that reaches them. */
const textLength = 16_384;

export class EventReader {
  readonly #wanted: Moves;
  readonly #moved = new Map<HeldGame, Moves>();
  #isOpened = false;
  #isDue = false;
  #isEnded = false;
  #isWaking = false;
  #wake: () => void = () => {};

  constructor(wanted: Moves) {
    this.#wanted = wanted;
  }

  /** The game changed. */
  noteMoves(game: HeldGame, moves: Moves): void {
    const wanted = moves & this.#wanted;
    if (wanted === 0) return;
    this.#moved.set(game, (this.#moved.get(game) ?? 0) | wanted);
    void this.#wakeSoon();
  }

  /** A heartbeat is due. */
  beat(): void {
    this.#isDue = true;
    void this.#wakeSoon();
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    void this.#wakeSoon();
  }

  /** From now on calls `wake` once behind each turn of the event loop that has changes. */
  whenNews(wake: () => void): void {
    this.#wake = wake;
  }

  /** Wakes after this turn of the event loop, so that all its changes are in one text. */
  async #wakeSoon(): Promise<void> {
    if (this.#isWaking) return;
    this.#isWaking = true;
    await null;
    this.#isWaking = false;
    this.#wake();
  }

  /**
   * The next text to send; '': there is none now; null: the stream has ended. It has the events of the games as they are now, however often
   * each changed; those that do not fit are in the next text.
   */
  take(): string | null {
    if (this.#isEnded) return null;
    let text = this.#isOpened ? '' : opening;
    this.#isOpened = true;
    for (const [game, moves] of this.#moved) {
      if (text.length >= textLength) break;
      this.#moved.delete(game);
      if (game.heads !== null) text += textOfMoves(game.heads, moves);
    }
    if (text === '' && this.#isDue) text = heartbeat;
    this.#isDue = false;
    return text;
  }
}
