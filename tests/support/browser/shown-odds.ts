// The odds that the live page shows, and those of the board files: selection, sportsbook, line, price, suspended,
// stale.
import type { Page } from 'playwright-core';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import type { BoardManifest } from '../../../schemas/http/live.ts';

type BoardRow = Readonly<Record<'selection_id' | 'quote_state', string>> & {
  line: number | null;
  price_american: number | null;
  is_open: boolean;
};

const cells = `[...document.querySelectorAll('#odds td[data-operator]')].map((cell) => [
  cell.dataset.selection, cell.dataset.operator, cell.querySelector('small').textContent,
  cell.querySelector('b').textContent, cell.classList.contains('closed'), cell.classList.contains('stale'),
].join(' ')).filter((line) => !line.includes('  ') || !line.endsWith('  false false')).sort()`;

export const shownOn = (page: Page) => page.evaluate<string[]>(cells);

/** The odds on the page with their game and the version of its boards. */
export const shownVersionOn = (page: Page) =>
  page.evaluate<{ game: string; version: string; lines: string[] }>(
    `({ game: location.hash.slice(1), version: document.querySelector('#odds').dataset.boardVersion, lines: ${cells} })`,
  );

/** Reads the boards of a game. `get` answers the body at a path of the API. */
export async function boardsOf(gameId: string, get: (path: string) => Promise<Uint8Array>): Promise<string[]> {
  const manifest = Buffer.from(await get(`/v1/games/${gameId}/sportsbook-lines/board`)).toString('utf8');
  const { board } = JSON.parse(manifest) as BoardManifest;
  const lines: string[] = [];
  for (const { operator, url } of board.files) {
    const rows = parquetWriter.decode('board', await get(url)) as unknown as readonly BoardRow[];
    for (const row of rows) {
      const american = row.price_american;
      const price = american === null ? '–' : `${american > 0 ? '+' : ''}${american}`.replace('-', '−');
      lines.push([row.selection_id, operator, lineOf(row), price, !row.is_open, row.quote_state !== 'live'].join(' '));
    }
  }
  return lines.sort();
}

function lineOf({ selection_id: id, line }: BoardRow): string {
  if (line === null) return '';
  const isHandicap = id.split('/')[0]?.includes('spread') ?? false;
  return `${isHandicap && line >= 0 ? '+' : ''}${line / 1_000}`.replace('-', '−');
}
