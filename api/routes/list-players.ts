import type { ReferenceCatalog } from '../../core/ports/catalog/reference.ts';
import {
  leagueParameter,
  limitParameter,
  pageCursorParameter,
  teamIdParameter,
} from '../../schemas/http/parameters.ts';
import { playersPage } from '../../schemas/http/reference.ts';
import type { Pages } from '../pages/pages.ts';
import { route } from '../pipeline/route.ts';

type Needs = { pages: Pages; reference: Pick<ReferenceCatalog, 'players'> };

const path = '/v1/players';

export const listPlayers = route({
  path,
  id: 'listPlayers',
  tag: 'Discovery',
  summary: 'Players that the sources have reported, by id.',
  key: 'required',
  game: 'none',
  query: {
    league: leagueParameter.optional(),
    team_id: teamIdParameter.optional(),
    limit: limitParameter.optional(),
    cursor: pageCursorParameter.optional(),
  },
  answers: { 200: playersPage },
  charge: 'free',
  cache: 'revalidated',
  check: ({ league = null, team_id = null, cursor }, { pages }: Needs) =>
    pages.faultOfCursor(path, { league, team_id }, cursor),
  handle({ query }, { pages, reference }: Needs) {
    const { league = null, team_id = null } = query;
    return pages.page(
      {
        name: path,
        filters: { league, team_id },
        read: (after, limit) => reference.players({ league, teamId: team_id, after: after?.[0] ?? null, limit }),
        positionOf: (player) => [player.id],
        show: (player) => player,
      },
      query,
    );
  },
});
