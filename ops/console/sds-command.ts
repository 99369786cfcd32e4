// A command of `sds` as the console shows it, to be pasted into a shell as it stands. Names come from feeds, so each word is quoted where a
// shell would read more into it.

/** The command of these words. */
export function sdsCommand(...words: readonly string[]): string {
  return ['./sds', ...words.map(shellWord)].join(' ');
}

/** Whether the word can be shown and pasted as it is: a control or formatting character would hide what is pasted. */
export function isPlainText(word: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(word);
}

function shellWord(word: string): string {
  return /^[\w.,:/@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
