// Text that others chose, such as names and details of a feed, as a terminal may be shown it: nothing in it moves the
// cursor, hides what stands before it, or begins a line of its own.

/** Control and format characters, unassigned ones, and the separators of lines and paragraphs. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The text with each of these characters, newlines too, in the form `\u001b`. */
export function inOneLine(text: string): string {
  return text.replaceAll(unprintable, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** As `inOneLine`, of a text of several lines: its newlines stay. */
export function printable(text: string): string {
  return text.split('\n').map(inOneLine).join('\n');
}
