// One reader of events: which games changed since the last piece was sent. It keeps no events, only a few bits per changed game, and makes
// at most one piece of text at a time, so that a reader that takes nothing costs little more than an idle one.
import type { GameHeads } from '../../core/ports/catalog/heads.ts';
import { type Moves, textOfMoves } from './game-heads.ts';

/** A game whose heads are kept up to date in memory. */
export type HeldGame = { heads: GameHeads | null };

/** A comment, which shows readers and proxies that the stream is alive. */
const heartbeat = ':\n\n';
/** Characters of a piece; it ends with the game that reaches them. */
const pieceLength = 16_384;

export class EventReader {
  readonly #wanted: Moves;
  readonly #moved = new Map<HeldGame, Moves>();
  #isDue = false;
  #isEnded = false;
  #wake: () => void = () => {};

  constructor(wanted: Moves) {
    this.#wanted = wanted;
  }

  /** The game changed. */
  noteMoves(game: HeldGame, moves: Moves): void {
    const wanted = moves & this.#wanted;
    if (wanted === 0) return;
    this.#moved.set(game, (this.#moved.get(game) ?? 0) | wanted);
    this.#wake();
  }

  /** A heartbeat is due. */
  beat(): void {
    this.#isDue = true;
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** The next text to send, once there is one; null: the stream has ended. */
  async next(): Promise<string | null> {
    for (;;) {
      if (this.#isEnded) return null;
      const text = this.#take();
      if (text !== '') return text;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The events of the games as they are now, however often each changed; those that do not fit go into the next piece. */
  #take(): string {
    let text = '';
    for (const [game, moves] of this.#moved) {
      if (text.length >= pieceLength) break;
      this.#moved.delete(game);
      if (game.heads !== null) text += textOfMoves(game.heads, moves);
    }
    if (text === '' && this.#isDue) text = heartbeat;
    this.#isDue = false;
    return text;
  }
}
