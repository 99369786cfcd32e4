import { archive as archiveBody } from '../../schemas/http/msf.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import { findArchive, isFound } from '../msf/find-archive.ts';
import { bothForms } from '../msf/forms.ts';
import type { GameDirectory } from '../serving/game-directory.ts';

export const archiveRoutes = bothForms(
  { game: 'getArchive', league: 'getLeagueArchive' },
  {
    path: '/archives/:archive_id',
    summary: 'An archive: an immutable baseline, and the revisions after it.',
    details:
      'Rebuild from the files of `baseline`, the state after the first revision, then apply the changes of `revisions` from the second on: that of the first is in the baseline already. A `replace` without rows empties the state. Compare it with `snapshot_digest` after each.',
    query: {},
    ofLeague: 'It is of any game of the league, or of its own stream.',
    answers: { 200: archiveBody, 404: ['not-found'] },
    charge: 'free',
    cache: 'immutable',
    handle: (request, msf, { directory }: { directory: GameDirectory }) =>
      chainMaybeAsync(findArchive(request, msf, directory), (found) => (isFound(found) ? found.document : found)),
  },
);
