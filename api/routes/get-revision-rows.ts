// The rows of a revision as JSON, for clients that cannot read Parquet (docs/interface.md#revision-rows).
import { isRefusal } from '../../http/refusal.ts';
import { revisionRows } from '../../schemas/http/msf.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import { parseRevision } from '../msf/files.ts';
import { findRevision } from '../msf/find-revision.ts';
import { bothForms } from '../msf/forms.ts';
import { noSuchFile, notRetained } from '../msf/refusals.ts';
import type { RevisionRows } from '../msf/revision-rows.ts';
import { refusalOfRevision } from '../msf/windows.ts';
import type { PricedFile } from '../pipeline/route.ts';

export const revisionRowsRoutes = bothForms(
  { game: 'getRevisionRows', league: 'getLeagueRevisionRows' },
  {
    path: '/revisions/:epoch/:revision/:kind/rows',
    summary: 'The rows of a revision as JSON: of its change, or of the state after it.',
    details:
      "The rows of the record's files, in one request and without Parquet; rows of a change also have `_op`. Values are written as for the digest. Charged like these files: all rows, at every read.",
    query: {},
    ofLeague: 'This is the stream of the league itself, which only `injuries` has.',
    answers: { 200: revisionRows, 404: ['not-found', 'not-yet-available'] },
    charge: 'file-rows',
    cache: 'immutable',
    handle({ of, params, key, window, now }, msf, { revisionRows: documents }: { revisionRows: RevisionRows }) {
      const { epoch, kind } = params;
      const revision = parseRevision(params.revision);
      if (revision === null || !/^[A-Za-z0-9_-]{1,128}$/.test(epoch) || (kind !== 'snapshot' && kind !== 'change'))
        return noSuchFile();
      return chainMaybeAsync(findRevision({ of, now }, { epoch, revision }, msf), (kept) => {
        if (isRefusal(kept)) return kept;
        const restricted = refusalOfRevision(key, window, kept);
        if (restricted !== null) return restricted;
        const files = kind === 'change' ? kept.changeFiles : kept.snapshotFiles;
        if (files.length === 0 && kind === 'change' && kept.changeRows > 0) return notRetained(of);
        const { scope, dataset } = of;
        const subject = `${epoch}/${revision}/${kind}/rows`;
        const rows = files.reduce((sum, part) => sum + part.rows, 0);
        const gameUuid = scope.kind === 'league' ? null : scope.uuid;
        const read = { kind: 'msf', gameUuid, gameId: scope.id, dataset, subject, rows } as const;
        return chainMaybeAsync(
          documents.document(`${scope.uuid} ${dataset} ${subject}`, files),
          (file): PricedFile => ({ file, read }),
        );
      });
    },
  },
);
