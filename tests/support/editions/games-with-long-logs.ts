// Games with logs of several segments in a running service. They are pushed as a recording with times of its own, so
// that segments are closed by age.
import assert from 'node:assert/strict';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { send } from '../http/gateway-http.ts';
import type { Edition } from './edition.ts';
import { everythingFolded } from './everything-folded.ts';

const began = Date.parse('2026-01-09T00:00:00Z') * 1_000;
const teams = [
  ['Boston Celtics', 'Cleveland Cavaliers'],
  ['New York Knicks', 'Toronto Raptors'],
  ['Chicago Bulls', 'Indiana Pacers'],
] as const;

/** The public ids of the games, in order. */
export const longGames = ['NBA_BOS_CLE_20260109', 'NBA_NYK_TOR_20260109', 'NBA_CHI_IND_20260109'];

/**
 * Pushes minutes [from, to) of `games` games: in each game, two sportsbooks move forty prices each. Resolves once
 * everything is folded.
 */
export async function pushMinutes(edition: Edition, feedKey: string, from: number, to: number, games = 3) {
  for (let minute = from; minute < to; minute += 1) {
    const events = teams.slice(0, games).flatMap(([away, home], game) =>
      ['draftkings', 'fanduel'].map((operator) => ({
        kind: 'image',
        operator,
        observed_at: formatMicros(began + minute * 60_000_000),
        game: {
          league: 'NBA',
          event_id: `long-${game}`,
          home_team: home,
          away_team: away,
          commence_time: '2026-01-10T00:00:00Z',
        },
        quotes: Array.from({ length: 40 }, (_, point) => ({
          market: 'total',
          selection: 'over',
          line: 180.5 + point,
          alternate: true,
          price: { american: 101 + ((minute + point + game) % 50) },
        })),
      })),
    );
    const reply = await send(`${edition.ingestUrl}/v1/sources/recorder/quotes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${feedKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    assert.deepEqual(reply.body.rejected, []);
  }
  await everythingFolded(edition);
}
