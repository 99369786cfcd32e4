// The content of the dataset pages, as data: chapters of paragraphs, tables and code samples. In every text `…` marks code. Independent of
// HTML.

export type Table = { readonly headings: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** A paragraph, a table or a code sample. */
export type Block = string | Table | { readonly codeSample: string };

/** `id`: its anchor on the page. */
export type Chapter = { readonly id: string; readonly title: string; readonly blocks: readonly Block[] };

/** Names as code, separated. */
export function codes(names: readonly string[], between = ', '): string {
  return names.map((name) => `\`${name}\``).join(between);
}
