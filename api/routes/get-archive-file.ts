import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import { parseIndex, parseRevision, pricedFile } from '../msf/files.ts';
import { findArchive, isFound } from '../msf/find-archive.ts';
import { bothForms } from '../msf/forms.ts';
import { noSuchFile } from '../msf/refusals.ts';
import type { AnswerCache } from '../serving/answer-cache.ts';
import type { GameDirectory } from '../serving/game-directory.ts';

type Needs = { directory: GameDirectory; answers: AnswerCache };

export const archiveFileRoutes = bothForms(
  { game: 'getArchiveFile', league: 'getLeagueArchiveFile' },
  {
    path: '/archives/:archive_id/changes/:revision/:index',
    summary: 'One file of the change of a revision, from an archive.',
    details: 'Fetch the URL as the archive lists it. All its rows are charged at every read, also of a range.',
    query: {},
    ofLeague: 'The archive may belong to any game of the league, or to the stream of the league itself.',
    answers: { 200: 'parquet', 404: ['not-found'] },
    charge: 'file-rows',
    cache: 'immutable',
    handle(request, msf, { directory, answers }: Needs) {
      const { params } = request;
      return chainMaybeAsync(findArchive(request, msf, directory), (found) => {
        if (!isFound(found)) return found;
        const { scopeUuid, scopeId, league, dataset, epoch, changes } = found.archive;
        const [revision, index] = [parseRevision(params.revision), parseIndex(params.index)];
        const files = changes.find((change) => change.revision === revision)?.files;
        const part = index === null ? undefined : files?.[index];
        if (part === undefined || revision === null || index === null) return noSuchFile();
        const of = { uuid: scopeId === league ? null : scopeUuid, id: scopeId, dataset };
        return pricedFile(of, { epoch, revision, kind: 'change', index }, part, answers);
      });
    },
  },
);
