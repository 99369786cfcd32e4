// The page of a dataset of settled games: its columns, the rules of its rows, its versions. Its text is data in datasets/.

import { codeSample, html, type Markup, prose, table } from '../../http/pages/html.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { columnTable } from './column-table.ts';
import type { Block, Chapter } from './datasets/chapter.ts';
import { chaptersOf } from './datasets/chapters.ts';

/** @throws when there is no page of the dataset. */
export function datasetBody(dataset: Dataset): { title: string; body: Markup } {
  const { name, description, primaryKey, sortOrder, columns } = dataset;
  // The columns come after the first chapter.
  const chapters = chaptersOf(name).toSpliced(1, 0, columnsChapter);
  return {
    title: `${name} · Sports Data Service`,
    body: html`<main class="sheet" id="top">
<p class="eyebrow"><a href="/docs">Sports Data Service</a> · Datasets</p>
<h1>${name}</h1>
<p class="lead">${description}</p>
<p class="route"><b>GET</b>/v1/games/<var>{game_id}</var>/${name}</p>
<p>${prose(`Primary key: ${namesOf(primaryKey)}. Sort order: ${namesOf(sortOrder)}.`)} JSON Schema: <a href="/v1/datasets/${name}/schema">/v1/datasets/${name}/schema</a>.</p>
<nav class="chips" aria-label="Contents">${chapters.map(({ id, title }) => html`<a class="chip" href="#${id}">${title}</a>`)}</nav>
${chapters.map((chapter) => html`<section>\n<h2 id="${chapter.id}"><a href="#${chapter.id}">${chapter.title}</a></h2>\n${chapter === columnsChapter ? columnTable(columns) : chapter.blocks.map(blockMarkup)}\n</section>\n`)}
</main>`,
  };
}

const columnsChapter: Chapter = { id: 'columns', title: 'Columns', blocks: [] };

function namesOf(columns: readonly string[]): string {
  return columns.map((column) => `\`${column}\``).join(', ');
}

function blockMarkup(block: Block): Markup {
  if (typeof block === 'string') return html`<p>${prose(block)}</p>\n`;
  if ('codeSample' in block) return html`<pre tabindex="0"><code>${codeSample(block.codeSample)}</code></pre>\n`;
  return html`${tableOfTexts(block.headings, block.rows)}\n`;
}

function tableOfTexts(headings: readonly string[], rows: readonly (readonly string[])[]): Markup {
  return table(
    headings.map(prose),
    rows.map((row) => row.map(prose)),
  );
}
