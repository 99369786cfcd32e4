import { formatArchivesCursor, parseArchivesCursor } from '../../core/msf/published/cursor.ts';
import { msfSchemaVersion, scopeRecord } from '../../core/msf/published/record.ts';
import { refuse } from '../../http/refusal.ts';
import { archivesPage as archivesPageBody } from '../../schemas/http/msf.ts';
import { archivesCursorParameter } from '../../schemas/http/msf-parameters.ts';
import { leagueForm } from '../msf/forms.ts';
import { archiveDescriptor } from '../msf/manifests.ts';
import { notYetAvailable } from '../msf/refusals.ts';

export const listArchives = leagueForm('listArchives', {
  path: '/archives',
  summary: 'The archives of a dataset, in the order in which they were committed.',
  details: 'Pages have 64 descriptors. One that is full never changes: it names the next one, which may be empty yet.',
  ofLeague: 'The archives of all games of the league, and those of the stream of the league itself.',
  query: { cursor: archivesCursorParameter.optional() },
  answers: { 200: archivesPageBody, 404: ['not-found', 'not-yet-available'] },
  charge: 'free',
  cache: 'revalidated',
  check: ({ cursor }) =>
    cursor === undefined || parseArchivesCursor(cursor) !== null
      ? null
      : 'cursor must be a next_cursor of this list, verbatim',
  async handle({ of, query, now }, msf) {
    const { scope, dataset } = of;
    const number = query.cursor === undefined ? 0 : (parseArchivesCursor(query.cursor) as number);
    const page = await msf.archives.page(scope.league, dataset, number);
    if (page === null) {
      return query.cursor === undefined
        ? notYetAvailable('No archive is published yet.', null, now)
        : refuse('not-found', { title: 'No such page', detail: 'The cursor names no page of this list.' });
    }
    return {
      document: {
        dataset,
        scope: scopeRecord(scope),
        schema_version: msfSchemaVersion,
        archives: page.archives.map(archiveDescriptor),
        next_cursor: page.next ? formatArchivesCursor(number + 1) : null,
      },
    };
  },
});
