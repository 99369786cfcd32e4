// Cursors of the MSF routes. A stream's cursor names the position after a revision, and the stream it belongs to; the cursor of an archive
// listing names a catalog page. Cursors are unsigned: an invented one can only name something that exists, or nothing.
import { isCanonicalUuid } from '../../games/uuid.ts';
import { type MsfDataset, msfDatasets } from '../types.ts';

export type StreamCursor = { dataset: MsfDataset; scopeUuid: string; epoch: string; revision: number };

/** `<dataset>:<scope uuid>:<epoch>:<revision>`. */
export function formatCursor({ dataset, scopeUuid, epoch, revision }: StreamCursor): string {
  return `${dataset}:${scopeUuid}:${epoch}:${revision}`;
}

const epochForm = /^[0-9A-Za-z_-]{1,128}$/;
const revisionForm = /^[1-9][0-9]{0,15}$/;

/** The position that a cursor names; null for a text that is not a cursor. */
export function parseCursor(text: string): StreamCursor | null {
  const [name, scopeUuid = '', epoch = '', number = '', ...more] = text.split(':');
  const dataset = msfDatasets.find((each) => each === name);
  if (dataset === undefined || more.length > 0 || !isCanonicalUuid(scopeUuid) || !epochForm.test(epoch)) return null;
  const revision = revisionForm.test(number) ? Number(number) : Number.NaN;
  return Number.isSafeInteger(revision) ? { dataset, scopeUuid, epoch, revision } : null;
}

/** `p` and the number of a page of archives: `p0` is the first, which needs no cursor. docs/interface.md#archive-descriptor. */
export function formatArchivesCursor(page: number): string {
  return `p${page}`;
}

/** The page that a cursor of an archive listing names; null for a text that is not a cursor. */
export function parseArchivesCursor(text: string): number | null {
  return /^p(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text.slice(1)) : null;
}
