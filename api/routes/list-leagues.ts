import type { Dataset } from '../../schemas/datasets/column.ts';
import { limitParameter, pageCursorParameter } from '../../schemas/http/parameters.ts';
import { type LeagueDocument, leaguesPage } from '../../schemas/http/reference.ts';
import { leagues, leagueTable } from '../../schemas/reference/leagues.ts';
import { route } from '../pipeline/route.ts';

/** The list always fits one page, so it returns no cursor and accepts none (docs/interface.md#page-envelope). */
export const listLeagues = route({
  path: '/v1/leagues',
  id: 'listLeagues',
  tag: 'Discovery',
  summary: 'The leagues, each with the datasets that are served for it.',
  key: 'required',
  game: 'none',
  query: { limit: limitParameter.optional(), cursor: pageCursorParameter.optional() },
  answers: { 200: leaguesPage },
  charge: 'free',
  cache: 'revalidated',
  check: ({ cursor }) => (cursor === undefined ? null : 'cursor is not one that this list returned: it has one page'),
  handle(_request, { datasets }: { datasets: readonly Dataset[] }) {
    const names = datasets.map(({ name }) => name);
    const data = leagues.toSorted().map((id): LeagueDocument => {
      const { name, sport } = leagueTable[id];
      return { id, name, sport, is_active: true, datasets: names };
    });
    return { document: { data, next_cursor: null } };
  },
});
