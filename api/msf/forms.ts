// The two forms of an MSF route: below a game, and below a league (docs/interface.md#routes). Declared once: they answer alike, and differ in
// whose stream the path names. What each request is judged by — the key's window and the catalog's time — is found here.
import type { HistoryWindow } from '../../core/access/history.ts';
import { leagueUuid } from '../../core/msf/ids.ts';
import { type MsfDataset, msfDatasets, type Scope } from '../../core/msf/types.ts';
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import type { Micros } from '../../core/units.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { Services } from '../compose/services.ts';
import { goOn } from '../dependencies/at-once.ts';
import type { QueryShape, QueryValues } from '../http/query.ts';
import { type Outcome, type ParameterNames, type Route, route } from '../pipeline/route.ts';
import type { RouteFacts } from '../pipeline/route-facts.ts';
import type { GameIdentity } from '../serving/game-directory.ts';
import type { MsfReads } from './reads.ts';
import type { StreamOf } from './refusals.ts';

export type MsfRequest<Path extends string, Query extends QueryShape> = {
  of: StreamOf;
  key: ApiKey;
  params: Readonly<Record<ParameterNames<Path>, string>>;
  query: QueryValues<Query>;
  /** What the key may read, and what time it is by the catalog's clock. */
  window: HistoryWindow;
  now: Micros;
};

export type MsfDeclaration<Path extends string, Query extends QueryShape> = Pick<
  RouteFacts,
  'details' | 'answers' | 'charge' | 'cache'
> & {
  /** What follows the dataset. */
  path: Path;
  summary: string;
  /** What there is to know of the form below a league. */
  ofLeague: string;
  query: Query;
  /** What of the shape concerns several parameters, or the dataset: the fault, or null. */
  check?(query: QueryValues<Query>, dataset: string): string | null;
  /** What is wrong with a cursor, given whose stream the path names: the fault, or null. */
  checkCursor?(of: StreamOf, query: QueryValues<Query>, msf: MsfReads): string | null | Promise<string | null>;
  handle(request: MsfRequest<Path, Query>, msf: MsfReads, services: Services): Outcome | Promise<Outcome>;
};

/** The route below a game and that below a league, under these names in the documents. */
export function bothForms<const Path extends string, const Query extends QueryShape>(
  ids: { game: string; league: string },
  declared: MsfDeclaration<Path, Query>,
): readonly [game: Route, league: Route] {
  return [formOf(declared, gameForm, ids.game), leagueForm(ids.league, declared)];
}

/** The route below a league alone. */
export function leagueForm<const Path extends string, const Query extends QueryShape>(
  id: string,
  declared: MsfDeclaration<Path, Query>,
): Route {
  const { summary, details = '', ofLeague } = declared;
  const told = { summary: `${summary.replace(/\.$/, '')}, below a league.`, details: `${details} ${ofLeague}`.trim() };
  return formOf({ ...declared, ...told }, leaguesForm, id);
}

type Form = { game: 'identity' | 'league'; prefix: string; scope(game: unknown): Scope };

const gameForm: Form = {
  game: 'identity',
  prefix: '/v1/games/:game_id/:dataset',
  scope(game) {
    const { uuid, gameId, league } = game as GameIdentity;
    return { kind: 'game', uuid, id: gameId, league: league as League };
  },
};

const leaguesForm: Form = {
  game: 'league',
  prefix: '/v1/leagues/:league/:dataset',
  scope: (game) => ({ kind: 'league', uuid: leagueUuid(game as League), id: game as League, league: game as League }),
};

type Given = { params: unknown; query: unknown; game: unknown; key: unknown };

function formOf<Path extends string, Query extends QueryShape>(
  declared: MsfDeclaration<Path, Query>,
  form: Form,
  id: string,
): Route {
  const { summary, details, query, answers, charge, cache, check, checkCursor } = declared;
  const ofRequest = ({ params, game }: Given): StreamOf => ({
    scope: form.scope(game),
    dataset: (params as { dataset: MsfDataset }).dataset,
  });
  return route<string, QueryShape, 'identity' | 'league'>({
    path: form.prefix + declared.path,
    id,
    tag: 'MSF',
    summary,
    ...(details === undefined ? {} : { details }),
    key: 'required',
    game: form.game,
    query,
    answers: { ...answers, 403: ['history-restricted'] },
    charge,
    cache,
    datasets: msfDatasets,
    archived: true,
    ...(check === undefined
      ? {}
      : {
          check: (values, _services, params) =>
            check(values as QueryValues<Query>, (params as { dataset: string }).dataset),
        }),
    ...(checkCursor === undefined
      ? {}
      : {
          checkCursor: (given, services) =>
            checkCursor(ofRequest(given), given.query as QueryValues<Query>, readsOf(services)),
        }),
    handle(given, services) {
      const key = given.key as ApiKey;
      const of = ofRequest(given);
      const params = given.params as MsfRequest<Path, Query>['params'];
      return goOn(services.history.window(key.tier), (window) =>
        goOn(services.history.now(), (now) => {
          const request = { of, key, params, query: given.query as QueryValues<Query>, window, now };
          return declared.handle(request, readsOf(services), services);
        }),
      );
    },
  });
}

/** The routes are served where MSF serving is on, and nowhere else. */
function readsOf({ msf }: Services): MsfReads {
  if (msf === null) throw new Error('an MSF route is served where MSF serving is off');
  return msf;
}
