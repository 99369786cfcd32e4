// Pushes one price of one game as a native image: the smallest push that makes a row.
import assert from 'node:assert/strict';

type Target = { gateway: string; key: string };
type PushedGame = { eventId: string; home: string; away: string; commenceTime: string };

const usualGame: PushedGame = { eventId: 'e1', home: 'NYY', away: 'BOS', commenceTime: '2040-08-05T23:00:00Z' };

/** Pushes this American price on the home team; answers the gateway's response, whatever its status. */
export function sendMoneyline(to: Target, american: number, game: Partial<PushedGame> = {}): Promise<Response> {
  const { eventId, home, away, commenceTime } = { ...usualGame, ...game };
  const event = {
    kind: 'image',
    operator: 'book',
    game: { league: 'MLB', event_id: eventId, home_team: home, away_team: away, commence_time: commenceTime },
    quotes: [{ market: 'moneyline', selection: 'home', price: { american } }],
  };
  return fetch(`${to.gateway}/v1/sources/feed/quotes`, {
    method: 'POST',
    body: JSON.stringify({ events: [event] }),
    headers: { authorization: `Bearer ${to.key}`, 'content-type': 'application/json' },
  });
}

/** Pushes and answers the receipt; rejects unless the gateway acknowledges the push. */
export async function pushMoneyline(to: Target, american: number, game: Partial<PushedGame> = {}): Promise<string> {
  const answer = await sendMoneyline(to, american, game);
  const text = await answer.text();
  assert.equal(answer.status, 202, text);
  return (JSON.parse(text) as { receipt: string }).receipt;
}
