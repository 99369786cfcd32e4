// One reader of events: which games moved since it was sent something. It holds no event, only a few bits for each game that moved, so a
// reader that takes nothing costs no more than one that has nothing to take.
import type { GameHeads } from '../../core/ports/catalog/heads.ts';
import { type Moves, textOfMoves } from './game-heads.ts';

/** A game whose heads memory keeps up to date. */
export type HeldGame = { heads: GameHeads | null };

/** A comment: readers and proxies see that the stream lives. */
const heartbeat = ':\n\n';

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

  /** The events of the games as they are now, however often each has moved. */
  #take(): string {
    let text = '';
    for (const [{ heads }, moves] of this.#moved) if (heads !== null) text += textOfMoves(heads, moves);
    this.#moved.clear();
    if (text === '' && this.#isDue) text = heartbeat;
    this.#isDue = false;
    return text;
  }
}
