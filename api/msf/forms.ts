// Declares the two forms of an MSF route: below a game, and below a league (docs/interface.md#routes). Both answer alike and differ only in
// the stream that the path names. The key's window and the catalog's time are looked up here.
import type { HistoryWindow } from '../../core/access/history-window.ts';
import { leagueUuid } from '../../core/msf/ids.ts';
import { type MsfDataset, msfDatasets, type Scope } from '../../core/msf/types.ts';
import type { ApiKey } from '../../core/ports/catalog/keys.ts';
import type { Micros } from '../../core/units.ts';
import type { League } from '../../schemas/reference/leagues.ts';
import type { HistoryWindows } from '../access/history-windows.ts';
import { chainMaybeAsync } from '../dependencies/maybe-async.ts';
import type { QueryShape, QueryValues } from '../http/query.ts';
import { type Games, type ParameterNames, type Route, type RouteOutcome, route } from '../pipeline/route.ts';
import type { RouteFacts } from '../pipeline/route-facts.ts';
import type { MsfReads } from './reads.ts';
import type { StreamOf } from './refusals.ts';
import { nameOf } from './streams.ts';

export type MsfRequest<Path extends string, Query extends QueryShape> = {
  of: StreamOf;
  key: ApiKey;
  params: Readonly<Record<ParameterNames<Path>, string>>;
  query: QueryValues<Query>;
  /** The history that the key may read, and the time by the catalog's clock. */
  window: HistoryWindow;
  now: Micros;
};

/** What all of these routes need; a route may need more. */
type MsfNeeds = { msf: MsfReads; history: HistoryWindows };

type MsfDeclaration<Path extends string, Query extends QueryShape, Needs> = Pick<
  RouteFacts,
  'details' | 'answers' | 'charge' | 'cache'
> & {
  /** The path after the dataset. */
  path: Path;
  summary: string;
  /** Details of the form below a league. */
  ofLeague: string;
  query: Query;
  /** The fault of the parameters in combination, or with the dataset; or null. */
  check?(query: QueryValues<Query>, dataset: string): string | null;
  /** The fault of a cursor, given the stream that the path names; or null. */
  checkCursor?(of: StreamOf, query: QueryValues<Query>, msf: MsfReads): string | null | Promise<string | null>;
  handle(request: MsfRequest<Path, Query>, msf: MsfReads, needs: Needs): RouteOutcome | Promise<RouteOutcome>;
  /** Whether requests may wait for the stream to change. */
  waits?: boolean;
};

/** The routes below a game and below a league, under these names in the documents. */
export function bothForms<const Path extends string, const Query extends QueryShape, Needs>(
  ids: { game: string; league: string },
  declared: MsfDeclaration<Path, Query, Needs>,
): readonly [game: Route<MsfNeeds & Needs>, league: Route<MsfNeeds & Needs>] {
  return [formOf(declared, gameForm, ids.game), leagueForm(ids.league, declared)];
}

/** Only the route below a league. */
export function leagueForm<const Path extends string, const Query extends QueryShape, Needs>(
  id: string,
  declared: MsfDeclaration<Path, Query, Needs>,
): Route<MsfNeeds & Needs> {
  const { summary, details = '', ofLeague } = declared;
  const described = {
    summary: `${summary.replace(/\.$/, '')}, below a league.`,
    details: `${details} ${ofLeague}`.trim(),
  };
  return formOf({ ...declared, ...described }, leaguesForm, id);
}

/** Whether the path names a game or a league, and the scope that it stands for. */
type Form<Game extends 'identity' | 'league'> = { game: Game; prefix: string; scope(game: Games[Game]): Scope };

const gameForm: Form<'identity'> = {
  game: 'identity',
  prefix: '/v1/games/:game_id/:dataset',
  scope: ({ uuid, gameId, league }) => ({ kind: 'game', uuid, id: gameId, league: league as League }),
};

const leaguesForm: Form<'league'> = {
  game: 'league',
  prefix: '/v1/leagues/:league/:dataset',
  scope: (league) => ({ kind: 'league', uuid: leagueUuid(league), id: league, league }),
};

function formOf<Path extends string, Query extends QueryShape, Game extends 'identity' | 'league', Needs>(
  declared: MsfDeclaration<Path, Query, Needs>,
  form: Form<Game>,
  id: string,
): Route<MsfNeeds & Needs> {
  const { summary, details, query, answers, charge, cache, check, checkCursor, waits = false } = declared;
  return route<string, Query, Game, 'required', MsfNeeds & Needs>({
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
    ...(check === undefined ? {} : { check: (values, _needs, params) => check(values, params.dataset ?? '') }),
    ...(checkCursor === undefined
      ? {}
      : {
          checkCursor: ({ params, game, query }, { msf }) =>
            checkCursor({ scope: form.scope(game), dataset: datasetOf(params) }, query, msf),
        }),
    ...(waits
      ? {
          watch: ({ params, game }, { msf }, moved) =>
            msf.streams.watch(nameOf({ scopeUuid: form.scope(game).uuid, dataset: datasetOf(params) }), moved),
        }
      : {}),
    handle({ key, params, game, query }, needs) {
      const { msf, history } = needs;
      const of = { scope: form.scope(game), dataset: datasetOf(params) };
      return chainMaybeAsync(history.window(key.tier), (window) =>
        chainMaybeAsync(history.now(), (now) => declared.handle({ of, key, params, query, window, now }, msf, needs)),
      );
    },
  });
}

/** The dataset in the path; the dataset check has already refused any other. */
function datasetOf({ dataset: name }: Readonly<Record<string, string>>): MsfDataset {
  const dataset = msfDatasets.find((each) => each === name);
  if (dataset === undefined) throw new Error(`${name} is no dataset of MSF`);
  return dataset;
}
