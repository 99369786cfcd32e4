import { isRefusal } from '../../http/refusal.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import { type FileKind, parseIndex, parseRevision, pricedFile } from '../msf/files.ts';
import { findRevision } from '../msf/find-revision.ts';
import { bothForms, type MsfRequest } from '../msf/forms.ts';
import { noSuchFile, notRetained, type StreamOf } from '../msf/refusals.ts';
import { refusalOfRevision } from '../msf/windows.ts';
import type { AnswerCache } from '../serving/answer-cache.ts';

const path = '/revisions/:epoch/:revision/:kind/:index';

export const revisionFileRoutes = bothForms(
  { game: 'getRevisionFile', league: 'getLeagueRevisionFile' },
  {
    path,
    summary: 'One file of a revision: of its change, or of the state after it.',
    details:
      'Fetch the URL as a record lists it. Files are immutable; all their rows are charged at every read, also of a range.',
    query: {},
    ofLeague: 'This is the stream of the league itself, which only `injuries` has.',
    answers: { 200: 'parquet', 404: ['not-found', 'not-yet-available'] },
    charge: 'file-rows',
    cache: 'immutable',
    handle(request, msf, { answers }: { answers: AnswerCache }) {
      const { of, params, key, window } = request;
      const place = placeOf(params);
      if (place === null) return noSuchFile();
      return chainMaybeAsync(findRevision(request, place, msf), (revision) => {
        if (isRefusal(revision)) return revision;
        const restricted = refusalOfRevision(key, window, revision);
        if (restricted !== null) return restricted;
        const files = place.kind === 'change' ? revision.changeFiles : revision.snapshotFiles;
        const part = files[place.index];
        if (part !== undefined) {
          const { scope, dataset } = of;
          return pricedFile({ uuid: uuidOf(of), id: scope.id, dataset }, place, part, answers);
        }
        // An archive has the change of such a baseline, on routes of its own; here it is no longer retained.
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

function uuidOf({ scope }: StreamOf): string | null {
  return scope.kind === 'league' ? null : scope.uuid;
}
