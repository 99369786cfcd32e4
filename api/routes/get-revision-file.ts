import type { KeptRevision } from '../../core/ports/catalog/msf.ts';
import { isRefusal, type Refusal } from '../../http/refusal.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import { type FileKind, parseIndex, parseRevision, pricedFile } from '../msf/files.ts';
import { bothForms, type MsfRequest } from '../msf/forms.ts';
import { judgeStream } from '../msf/judge-stream.ts';
import type { MsfReads } from '../msf/reads.ts';
import { noSuchFile, notRetained, notYetAvailable, type StreamOf } from '../msf/refusals.ts';
import { nameOf } from '../msf/streams.ts';
import { refusalOfRevision } from '../msf/windows.ts';
import type { AnswerCache } from '../serving/answer-cache.ts';

const path = '/revisions/:epoch/:revision/:kind/:index';

export const revisionFileRoutes = bothForms(
  { game: 'getRevisionFile', league: 'getLeagueRevisionFile' },
  {
    path,
    summary: 'One file of a revision: of its change, or of the state after it.',
    details:
      'Fetch the address as a record lists it. Files are immutable; their rows are debited at every read, a range included.',
    query: {},
    ofLeague: "It is of the league's own stream, which `injuries` alone has.",
    answers: { 200: 'parquet', 404: ['not-found', 'not-yet-available'] },
    charge: 'file-rows',
    cache: 'immutable',
    handle(request, msf, { answers }: { answers: AnswerCache }) {
      const { of, params, key, window } = request;
      const place = placeOf(params);
      if (place === null) return noSuchFile();
      return chainMaybeAsync(find(request, place, msf), (revision) => {
        if (isRefusal(revision)) return revision;
        const restricted = refusalOfRevision(key, window, revision);
        if (restricted !== null) return restricted;
        const files = place.kind === 'change' ? revision.changeFiles : revision.snapshotFiles;
        const part = files[place.index];
        if (part !== undefined) {
          const { scope, dataset } = of;
          return pricedFile({ uuid: uuidOf(of), id: scope.id, dataset }, place, part, answers);
        }
        // An archive holds the change of such a baseline, under routes of its own; here it is no longer retained.
        const given = files.length === 0 && place.kind === 'change' && revision.changeRows > 0;
        return given ? notRetained(of) : noSuchFile();
      });
    },
  },
);

type FileAddress = { epoch: string; revision: number; kind: FileKind; index: number };
type Request = MsfRequest<typeof path, Record<never, never>>;

function placeOf({ epoch, revision: number, kind, index: place }: Request['params']): FileAddress | null {
  const [revision, index] = [parseRevision(number), parseIndex(place)];
  if (revision === null || index === null || !/^[A-Za-z0-9_-]{1,128}$/.test(epoch)) return null;
  return kind === 'snapshot' || kind === 'change' ? { epoch, revision, kind, index } : null;
}

/** The revision: the head from memory, any other from the catalog; or the refusal that says why there is none. */
function find(
  request: Request,
  { epoch, revision }: FileAddress,
  msf: MsfReads,
): KeptRevision | Refusal | Promise<KeptRevision | Refusal> {
  const { of, now } = request;
  const name = { scopeUuid: of.scope.uuid, dataset: of.dataset };
  const known = msf.streams.peek(nameOf(name))?.stream;
  if (known?.head?.revision === revision && known.epoch === epoch)
    return { ...known.head, publishedAt: known.publishedAt };
  const found = Number.isSafeInteger(revision) ? msf.revisions.one(name, epoch, revision) : null;
  return chainMaybeAsync(found, (kept) => {
    if (kept !== null) return kept;
    return judgeStream<KeptRevision>(msf.streams, of, async ({ stream, game }) => {
      if (stream === null || stream.head === null) return notYetAvailable('Nothing is published yet.', game, now);
      const last = stream.epoch === epoch ? stream.head.revision : await msf.revisions.lastOfEpoch(name, epoch);
      if (revision > (last ?? 0)) return notYetAvailable('This revision was never published.', game, now);
      // It may have been published since the first look-up.
      const kept = Number.isSafeInteger(revision) ? await msf.revisions.one(name, epoch, revision) : null;
      return kept ?? notRetained(of);
    });
  });
}

function uuidOf({ scope }: StreamOf): string | null {
  return scope.kind === 'league' ? null : scope.uuid;
}
