// A service with content behind every route, and the values with which Schemathesis finds it: a live game of three
// operators, a settled game, streams of MSF data, players, teams, and cursors that lists returned.
import { problemTypes } from '../../../schemas/http/problems.ts';
import { finalDatasets, landFinals } from '../builders/final-files.ts';
import { type Edition, startEdition } from '../editions/edition.ts';
import { getJson, manifestOf } from '../editions/published-game.ts';
import { event, quote, send } from '../http/gateway-http.ts';
import { until } from '../services/until.ts';
import { type Known, pushMsfWorld } from './msf.ts';

type Page = { data: { id: string; [name: string]: unknown }[]; next_cursor: string | null };

export type World = AsyncDisposable & { edition: Edition; values: Values };
export type Values = {
  base_url: string;
  problems: string[];
  operations: Record<string, Known>;
  dates: [string, string][];
  teams: string[];
  team_ids: string[];
};

export async function openWorld(databaseUrl: string): Promise<World> {
  const edition = await startEdition({ environment: { DATABASE_URL: databaseUrl } });
  try {
    const key = await edition.feedKey(['push', 'reference']);
    const push = (route: string, body: unknown) => pushed(edition, key, route, body);
    const game = (number: number) => ({
      league: 'NFL',
      event_id: `e${number}`,
      home_team: ['Philadelphia Eagles', 'Dallas Cowboys'][number],
      away_team: ['Detroit Lions', 'New York Giants'][number],
      commence_time: '2030-11-17T01:20:00Z',
    });
    for (const price of [-110, -115, 120]) {
      const quotes = ['home', 'away'].map((selection) => quote({ selection, price: { american: price } }));
      const events = ['book', 'other', 'third'].flatMap((operator) =>
        [0, 1].map((number) => event({ operator, game: game(number), quotes })),
      );
      await push('quotes', { events });
    }
    const player = (id: number) => ({
      id,
      league: 'NFL',
      first_name: 'A',
      last_name: `B${id}`,
      position: 'QB',
      team: 'PHI',
    });
    await push('reference', { players: Array.from({ length: 30 }, (_, id) => player(id)) });
    const { data } = (await getJson(read(edition), '/v1/games')) as Page;
    const [live = '', settled = ''] = data.map(({ id }) => id);
    for (const id of [live, settled])
      await until('the rows are there', async () => (await manifestOf(read(edition), id)).cursor === '1:18');
    const { objects, catalogs } = edition.drivers;
    const uuid = (await catalogs.games.find(settled))?.uuid ?? '';
    await landFinals({ objects, artifacts: catalogs.artifacts }, { uuid, gameId: settled, league: 'NFL' });
    return {
      edition,
      values: await valuesOf(edition, live, settled, await pushMsfWorld(edition)),
      [Symbol.asyncDispose]: () => edition.stop(),
    };
  } catch (error) {
    await edition.stop();
    throw error;
  }
}

const read = ({ apiUrl, apiKey }: Edition) => ({ apiUrl, apiKey });

async function pushed(edition: Edition, key: string, route: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const url = `${edition.ingestUrl}/v1/sources/feed/${route}`;
  const { status, body: answer } = await send(url, { method: 'POST', body: JSON.stringify(body), headers });
  if (status !== 202 || (answer.rejected as unknown[]).length > 0) throw new Error(JSON.stringify(answer));
  await until('the push is applied', async () => {
    const { body: receipt } = await send(`${edition.ingestUrl}/v1/receipts/${answer.receipt}`, { headers });
    return receipt.state === 'applied';
  });
}

async function valuesOf(edition: Edition, live: string, settled: string, msf: Record<string, Known>): Promise<Values> {
  const api = read(edition);
  const pageCursors = async (path: string, filters: Record<string, string>) => {
    const query = new URLSearchParams({ ...filters, limit: '1' });
    const { next_cursor: cursor } = (await getJson(api, `${path}?${query}`)) as Page;
    return cursor === null ? [] : [{ ...filters, cursor, limit: '2' }];
  };
  const cursorsOf = async (path: string) => [
    ...(await pageCursors(path, {})),
    ...(await pageCursors(path, { league: 'NFL' })),
  ];
  const teams = ((await getJson(api, '/v1/teams?league=NFL')) as Page).data;
  const games = [live, settled, live.toLowerCase()].map((game_id) => ({ game_id }));
  const lines = '/v1/games/{game_id}/sportsbook-lines';
  const cursors = ['0:0', '1:0', '1:18', '1:7', '1:18', '9:9'].map((cursor) => ({ cursor }));
  return {
    base_url: edition.apiUrl,
    problems: Object.keys(problemTypes),
    operations: {
      '/v1/games': { cursors: await cursorsOf('/v1/games') },
      '/v1/teams': { cursors: await cursorsOf('/v1/teams') },
      '/v1/players': { cursors: await cursorsOf('/v1/players') },
      '/v1/games/{game_id}': { paths: games },
      '/v1/games/{game_id}/odds': { paths: [{ game_id: live }] },
      '/v1/games/{game_id}/{dataset}': { paths: finalDatasets.map((dataset) => ({ game_id: settled, dataset })) },
      '/v1/games/{game_id}/{dataset}/versions': {
        paths: finalDatasets.map((dataset) => ({ game_id: settled, dataset })),
      },
      [`${lines}/segments`]: { paths: [{ game_id: live }], cursors },
      [`${lines}/rows`]: { paths: [{ game_id: live }], cursors },
      [`${lines}/segments/{seq}`]: { paths: [{ game_id: live, seq: '1' }] },
      [`${lines}/board`]: { paths: [{ game_id: live }] },
      [`${lines}/board/{operator}`]: {
        paths: ['BOOK', 'other', 'Third'].map((operator) => ({ game_id: live, operator })),
      },
      ...msf,
      '/v1/datasets/{name}/schema': { paths: finalDatasets.map((name) => ({ name })) },
      '/problems/{suffix}': { paths: Object.keys(problemTypes).map((suffix) => ({ suffix })) },
    },
    dates: [
      ['2030-11-01', '2030-11-30'],
      ['2030-01-01', '2030-12-31'],
      ['2026-01-01', '2026-01-01'],
    ],
    teams: ['Philadelphia Eagles', 'dallas cowboys'],
    team_ids: teams.map(({ id }) => id),
  };
}
