// Which revisions a key may read (docs/interface.md#history-windows), by the Eastern date of their `source_updated_at`; the same for
// manifests and files. A revision outside the window is refused, never left out of a list; only a window that has ended also ends a listing
// (docs/interface.md#changes).
import { LRUCache } from 'lru-cache';
import { endsBefore, type HistoryWindow, isWithin, revisionDate } from '../../core/access/history-window.ts';
import type { Revision } from '../../core/msf/types.ts';
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import type { ServedStream } from '../../core/ports/catalog/msf.ts';
import { type Refusal, refuse } from '../../http/refusal.ts';
import { windowInWords } from '../access/window-in-words.ts';
import type { Revisions } from './revisions.ts';

export type Windows = {
  /**
   * The last revision of the stream that the window allows: the one before the first revision after its end. A number below the first
   * listed revision means that there is none. Null: the stream was reset meanwhile and lists none of these revisions.
   */
  readableThrough(window: HistoryWindow, stream: ServedStream, head: Revision): number | null | Promise<number | null>;
};

/** 403, or null if the key may read the revision. */
export function refusalOfRevision(
  { tier }: ApiKey,
  window: HistoryWindow,
  revision: Pick<Revision, 'revision' | 'sourceObservation'>,
): Refusal | null {
  const date = revisionDate(revision);
  if (isWithin(window, date)) return null;
  return refuse('history-restricted', {
    detail: `Revision ${revision.revision} is of ${date}; tier ${tier} reads ${windowInWords(window)}.`,
  });
}

const pageOfSearch = 500;
const rememberedEnds = 5_000;

export function openWindows(revisions: Revisions): Windows {
  /** How far an epoch's revisions were searched for the first one after a month, and whether it was found. */
  const searched = new LRUCache<string, { through: number; ended: boolean }>({ max: rememberedEnds });

  async function search(
    key: string,
    window: HistoryWindow,
    stream: ServedStream,
    head: Revision,
  ): Promise<number | null> {
    const { scopeUuid, dataset, epoch } = stream;
    let through = searched.get(key)?.through ?? stream.listedFrom - 1;
    while (through < head.revision) {
      const page = { scopeUuid, dataset, epoch, after: through, through: head.revision, limit: pageOfSearch };
      const found = await revisions.list(page);
      if (found.length === 0) return null;
      const behind = found.findIndex((revision) => endsBefore(window, revisionDate(revision)));
      through = (behind === -1 ? (found.at(-1) as Revision) : (found[behind] as Revision)).revision;
      if (behind !== -1) {
        searched.set(key, { through: through - 1, ended: true });
        return through - 1;
      }
      searched.set(key, { through, ended: false });
    }
    return through;
  }

  return {
    readableThrough(window, stream, head) {
      if (window.kind !== 'month') return head.revision;
      const key = `${stream.scopeUuid}/${stream.dataset}/${stream.epoch}/${window.month}`;
      const known = searched.get(key);
      if (known !== undefined && (known.ended || known.through >= head.revision)) return known.through;
      return search(key, window, stream, head);
    },
  };
}
