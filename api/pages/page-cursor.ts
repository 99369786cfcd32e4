// Cursors of paged lists: the position after the last record of a page, authenticated and bound to the list and its filters, so that a
// forged, edited or foreign cursor is refused (docs/interface.md#page-cursors). The page size may change from page to page.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Pepper } from '../../core/access/key-format.ts';

export type PageCursors = {
  /** The token of a position: the values of the list's sort key. */
  issue(list: string, filters: Filters, position: readonly string[]): string;
  /** The position of a token; null unless it was issued for this list and these filters. */
  read(list: string, filters: Filters, token: string): readonly string[] | null;
};

export type Filters = Readonly<Record<string, string | null>>;

const macLength = 16;

/** Cursors under the secrets of `peppers`, newest first; tokens under older ones are still accepted. */
export function pageCursors(peppers: readonly Pepper[]): PageCursors {
  const secrets = peppers.map(({ secret }) => createHmac('sha256', secret).update('page cursors').digest());

  function macOf(secret: Buffer, list: string, filters: Filters, position: Buffer): Buffer {
    const bound = JSON.stringify([list, Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))]);
    return createHmac('sha256', secret).update(bound).update('\n').update(position).digest().subarray(0, macLength);
  }

  return {
    issue(list, filters, position) {
      const [newest] = secrets;
      if (newest === undefined) throw new Error('page cursors need a pepper');
      const bytes = Buffer.from(JSON.stringify(position), 'utf8');
      return Buffer.concat([macOf(newest, list, filters, bytes), bytes]).toString('base64url');
    },
    read(list, filters, token) {
      const bytes = Buffer.from(token, 'base64url');
      // Base64 has several spellings of some bytes; only the issued one is accepted.
      if (bytes.length <= macLength || bytes.toString('base64url') !== token) return null;
      const mac = bytes.subarray(0, macLength);
      const position = bytes.subarray(macLength);
      const genuine = secrets.some((secret) => timingSafeEqual(macOf(secret, list, filters, position), mac));
      return genuine ? (JSON.parse(position.toString('utf8')) as string[]) : null;
    },
  };
}
