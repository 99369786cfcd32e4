// One reader of events: which games moved since it was sent something. It holds no event, only a few bits for each game that moved, and makes
// no more text at a time than a piece, so that a reader that takes nothing costs little more than one that has nothing to take.
import type { GameHeads } from '../../core/ports/catalog/heads.ts';
import { type Moves, textOfMoves } from './game-heads.ts';

/** A game whose heads memory keeps up to date. */
export type HeldGame = { heads: GameHeads | null };

/** A comment: readers and proxies see that the stream lives. */
const heartbeat = ':\n\n';
/** Characters of a piece, which ends with the game that reaches them. */
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

  /** The game moved. */
  tell(game: HeldGame, moves: Moves): void {
    const wanted = moves & this.#wanted;
    if (wanted === 0) return;
    this.#moved.set(game, (this.#moved.get(game) ?? 0) | wanted);
    this.#wake();
  }

  /** A sign of life is due. */
  beat(): void {
    this.#isDue = true;
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** What to send next, when there is something; null: nothing any more. */
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

  /** The events of the games as they are now, however often each has moved; those that find no room are for the next piece. */
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
