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
      'Load the `baseline` files: the state after the first revision. Then apply the changes of `revisions`, skipping the first, which the baseline already contains. A `replace` without rows empties the state. Compare the state with `snapshot_digest` after each revision.',
    query: {},
    ofLeague: 'The archive may belong to any game of the league, or to the stream of the league itself.',
    answers: { 200: archiveBody, 404: ['not-found'] },
    charge: 'free',
    cache: 'immutable',
    handle: (request, msf, { directory }: { directory: GameDirectory }) =>
      chainMaybeAsync(findArchive(request, msf, directory), (found) => (isFound(found) ? found.document : found)),
  },
);
