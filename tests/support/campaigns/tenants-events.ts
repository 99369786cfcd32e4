// Two special games of the honest sources in a campaign of tenants. A hostile key founds one with swapped teams before
// its sources push, until the administrator unbinds its event. The other is closed and settled by a manual score.
import assert from 'node:assert/strict';
import type { Scores } from '../../../core/settlement/evidence.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { until } from '../services/until.ts';
import { endGame, gameWords } from './load.ts';
import { honestBooks, operatorOf, type Tenant } from './tenants-grants.ts';
import type { World } from './world.ts';

type Words = { home_team: string; away_team: string; event_id: string };
type Answer = { status: number; codes: string[] };

/** Pushes one image; repeats it while the gateway has no room. */
async function pushImage(gatewayUrl: string, { source, key }: Tenant, game: object): Promise<Answer> {
  const quotes = [{ market: 'moneyline', selection: 'home', price: { american: -110 } }];
  const event = { kind: 'image', operator: operatorOf(source).replaceAll('-', '_'), game, quotes };
  let answer: Answer | null = null;
  const isAnswered = async (): Promise<boolean> => {
    const response = await fetch(`${gatewayUrl}/v1/sources/${source}/quotes`, {
      method: 'POST',
      body: JSON.stringify({ events: [event] }),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(20_000),
    });
    const { rejected = [] } = (await response.json()) as { rejected?: { code: string }[] };
    answer = { status: response.status, codes: rejected.map(({ code }) => code) };
    return response.status !== 429 && response.status !== 503;
  };
  await until(`an image of ${source} is answered`, isAnswered, { everyMs: 200 });
  return answer ?? assert.fail(source);
}

/**
 * A hostile key founds the game with swapped teams, which keeps the honest source out. The administrator unbinds the
 * event, and from then on the game belongs to the honest source.
 */
export async function turnRound(
  { api, gatewayUrl }: World,
  { hostile, honest }: { hostile: Tenant; honest: Tenant },
  game: number,
  startsAt: string,
): Promise<void> {
  const words = gameWords(game, startsAt) as Words;
  const { home_team, away_team } = words;
  const turned = { ...words, event_id: 'turned-first', home_team: away_team, away_team: home_team };
  assert.deepEqual(await pushImage(gatewayUrl, hostile, turned), { status: 202, codes: [] });
  const refused = await pushImage(gatewayUrl, honest, words);
  assert.deepEqual(refused, { status: 400, codes: ['game-conflict'] }, 'the game exists with swapped teams');
  const unbound = await api.drivers.catalogs.games.unbind(hostile.source, turned.event_id, 'campaign');
  assert.ok(unbound !== null, 'unbinding removes the event of the hostile key');
}

export type SettledGame = { uuid: string; id: string; scores: Scores };

/** Sets a manual score and closes the game, as `sds games settle` does. */
export async function settleByHand({ api, sql }: World, game: number, startsAt: string): Promise<SettledGame> {
  const { event_id } = gameWords(game, startsAt) as Words;
  const { rows } = await sql.query(
    `select g.id, g.public_id, g.league from games g join game_events e on e.game_uuid = g.id where e.source = $1 and e.event_id = $2`,
    [honestBooks[0], event_id],
  );
  const [row = assert.fail(`the game of ${event_id}`)] = rows;
  const [uuid, id, league] = [String(row.id), String(row.public_id), String(row.league)];
  const { broker, catalogs } = api.drivers;
  const scores = { away: 3, home: 5, awayPeriods: [], homePeriods: [] };
  const partition = await broker.partitionOf(topics.quotes, uuid);
  await catalogs.settlement.orderScore({ uuid, gameId: id, partition }, scores, 'campaign');
  await endGame(broker, { uuid, id, league });
  return { uuid, id, scores };
}
