import type { ReferenceCatalog } from '../../core/ports/catalog/reference.ts';
import { leagueParameter, limitParameter, pageCursorParameter } from '../../schemas/http/parameters.ts';
import { teamsPage } from '../../schemas/http/reference.ts';
import type { Pages } from '../pages/pages.ts';
import { route } from '../pipeline/route.ts';

type Needs = { pages: Pages; reference: Pick<ReferenceCatalog, 'teams'> };

const path = '/v1/teams';

export const listTeams = route({
  path,
  id: 'listTeams',
  tag: 'Discovery',
  summary: 'Teams, by league and then by abbreviation.',
  key: 'required',
  game: 'none',
  query: {
    league: leagueParameter.optional(),
    limit: limitParameter.optional(),
    cursor: pageCursorParameter.optional(),
  },
  answers: { 200: teamsPage },
  charge: 'free',
  cache: 'revalidated',
  check: ({ league = null, cursor }, { pages }: Needs) => pages.faultOfCursor(path, { league }, cursor),
  handle({ query }, { pages, reference }: Needs) {
    const { league = null } = query;
    return pages.page(
      {
        name: path,
        filters: { league },
        read: (after, limit) =>
          reference.teams({
            league,
            after: after === null ? null : { league: after[0] ?? '', abbreviation: after[1] ?? '' },
            limit,
          }),
        positionOf: (team) => [team.league, team.abbreviation],
        show: (team) => team,
      },
      query,
    );
  },
});
