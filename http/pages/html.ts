// HTML as a value: inserted text is escaped, markup is not. Independent of the pages' content.

export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Markup | string | number | readonly Piece[];

/** Markup with inserted values: text is escaped, lists are concatenated. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  return new Markup(parts.reduce((made, part, at) => made + textOf(values[at - 1] as Piece) + part));
}

export const nothing = new Markup('');

function textOf(piece: Piece): string {
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === 'object') return piece.map(textOf).join('');
  return escapeHtml(String(piece));
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] as string);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text in which `…` marks code. */
export function prose(text: string): Markup {
  return new Markup(escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>'));
}

/** How a language begins a line comment. */
export type CommentMark = '#' | '//';

const comments: Readonly<Record<CommentMark, RegExp>> = { '#': /(^|\s)(# .*)$/gm, '//': /(^|\s)(\/\/ .*)$/gm };

/** A code sample, its comments marked up. */
export function codeSample(text: string, mark: CommentMark = '#'): Markup {
  return new Markup(escapeHtml(text).replaceAll(comments[mark], '$1<i>$2</i>'));
}

export function table(headings: readonly Piece[], rows: readonly (readonly Piece[])[]): Markup {
  if (rows.length === 0) return nothing;
  return html`<div class="table columns-${headings.length}"><table><thead><tr>${headings.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;
}
