// The table of a dataset's columns in the documents.

import { html, type Markup, prose, table } from '../../http/pages/html.ts';
import type { Column } from '../../schemas/datasets/column.ts';
import { columnTypes } from '../../schemas/datasets/row-schema.ts';

export function columnTable(columns: readonly Column[]): Markup {
  return table(
    ['Column', 'Type', 'Meaning'],
    columns.map(({ name, type, nullable, description, unit }) => {
      const { type: stored, logicalType } = columnTypes(type);
      const values = type.kind === 'utf8' ? (type.values ?? []) : [];
      return [
        html`<code>${name}</code>`,
        html`${logicalType ?? stored}${nullable ? html`<span class="quiet"> or null</span>` : ''}`,
        html`${prose(description)}${unit === null ? '' : html`<span class="quiet"> Unit: ${unit}.</span>`}${
          values.length === 0
            ? ''
            : html` <span class="quiet">One of ${prose(values.map((value) => `\`${value}\``).join(', '))}.</span>`
        }`,
      ];
    }),
  );
}
