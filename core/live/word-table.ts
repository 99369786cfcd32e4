// The recurring strings of a saved game, each stored once.

/** Number of a string in the table; -1 for null. */
export type Word = number;

/** Strings in order of first use, so that equal states are saved alike. */
export class WordTable {
  readonly words: string[] = [];
  readonly #numbers = new Map<string, Word>();

  numberOf(word: string | null): Word {
    if (word === null) return -1;
    let number = this.#numbers.get(word);
    if (number === undefined) {
      number = this.words.length;
      this.words.push(word);
      this.#numbers.set(word, number);
    }
    return number;
  }
}
