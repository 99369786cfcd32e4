// A game whose only quotes are game lines of MySportsFeeds, from the poller to its close (docs/quotes.md#ticks): no feed sends its time, so the
// poller does. A recording of an older game is played beside it. A violation is a game that never settles, or a recording cut off by the
// present.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { easternDate } from '../../../core/time/eastern-date.ts';
import { formatMicros } from '../../../core/time/rfc3339.ts';
import { type Micros, microsPerHour, microsPerMinute } from '../../../core/units.ts';
import type { PulledBody } from '../../../ingest/poller/read-reply.ts';
import { wallClockNow } from '../../../platform/process/clock.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { everythingFolded } from '../../support/editions/everything-folded.ts';
import { pushMsf } from '../../support/editions/msf-client.ts';
import { getJson, getRows, manifestOf } from '../../support/editions/published-game.ts';
import { sampledEditions } from '../../support/editions/two-editions.ts';
import { openMsfServer, type PreparedAnswer } from '../../support/fakes/msf-server.ts';
import { openPolledStage } from '../../support/fakes/polled-stage.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

type Played = { id: number; away: string; home: string; start: Micros };

const scheduled = ({ id, away, home, start }: Played, playedStatus: string) => ({
  id,
  startTime: formatMicros(start),
  awayTeam: { id: 500 + id, abbreviation: away },
  homeTeam: { id: 600 + id, abbreviation: home },
  scheduleStatus: 'NORMAL',
  playedStatus,
});

const gamesAt = (at: Micros, ...games: object[]) => ({
  lastUpdatedOn: formatMicros(at),
  games: games.map((schedule) => ({ schedule, score: {} })),
  references: null,
});

/** One sportsbook's moneyline of the game, as of `asOf`. */
function linesOf({ id, away, home, start }: Played, asOf: Micros) {
  const moneyLine = { gameSegment: 'FULL', awayLine: { american: -120 }, homeLine: { american: 100 } };
  const line = { source: { name: 'Bovada' }, moneyLines: [{ asOfTime: formatMicros(asOf), moneyLine }] };
  const game = { id, startTime: formatMicros(start), awayTeamAbbreviation: away, homeTeamAbbreviation: home };
  return { lastUpdatedOn: formatMicros(asOf), gameLines: [{ game, lines: [line] }], references: null };
}

const answer = (body: object): PreparedAnswer => ({ status: 200, body: JSON.stringify(body) });

async function isClosed(edition: Edition, gameId: string): Promise<boolean> {
  const { games, settlement } = edition.drivers.catalogs;
  const found = (await games.find(gameId)) ?? assert.fail(gameId);
  return ((await settlement.state(found.uuid))?.closedAt ?? null) !== null;
}

async function statesOf(edition: Edition, gameId: string): Promise<unknown[]> {
  const { board } = await manifestOf(edition, gameId);
  const boards = await Promise.all(board.files.map(({ url }) => getRows(edition, url, 'board')));
  return boards.flat().map(({ quote_state }) => quote_state);
}

for (const [name, skip, prepare] of sampledEditions()) {
  it(
    `a polled game with lines of MySportsFeeds alone goes stale and closes, an older recording does not: ${name}`,
    skipFor(skip),
    async () => {
      const from = wallClockNow() - microsPerHour;
      const polled: Played = { id: 42, away: 'BOS', home: 'CLE', start: from - microsPerHour };
      const recorded: Played = { id: 7, away: 'LAL', home: 'MIA', start: from - 30 * 24 * microsPerHour };
      const day = easternDate(polled.start).replaceAll('-', '');
      await using source = await openMsfServer();
      const ended = from + 6 * microsPerMinute;
      const atFirst = gamesAt(from, scheduled(polled, 'LIVE'), scheduled(recorded, 'COMPLETED'));
      const live = answer(gamesAt(from, scheduled(polled, 'LIVE')));
      source.answer('nba/current/games.json', answer(atFirst));
      source.answer(
        `nba/current/date/${day}/games.json`,
        ...Array.from({ length: 7 }, () => live),
        answer(gamesAt(ended, scheduled(polled, 'COMPLETED'))),
      );
      source.answer(`nba/current/date/${day}/odds_gamelines.json`, answer(linesOf(polled, from)));
      const own = await prepare();
      const edition = await startEdition({ ...own, roles: ['api', 'ingest', 'projectors', 'ticker'] });
      try {
        const key = await edition.feedKey(['msf', 'backfill']);
        const pushAt = async (pulled: Pick<PulledBody, 'league' | 'feed' | 'game'>, body: string, at: Micros) => {
          const { league, feed, game } = pulled;
          const target = { league, season: 'current', feed, ...(game === null ? {} : { game }) };
          const headers = { 'x-observed-at': formatMicros(at), 'x-request-started-at': formatMicros(at) };
          await pushMsf(edition, key, target, body, headers);
          await everythingFolded(edition);
        };
        const over = recorded.start + 2 * microsPerHour;
        const ofNba = { league: 'NBA', game: null } as const;
        await pushAt({ ...ofNba, feed: 'odds_gamelines' }, JSON.stringify(linesOf(recorded, recorded.start)), over);
        await pushAt(
          { ...ofNba, feed: 'games' },
          JSON.stringify(gamesAt(over, scheduled(recorded, 'COMPLETED'))),
          over,
        );

        const { broker, catalogs } = edition.drivers;
        await using stage = openPolledStage(source, from, {
          behind: {
            async accept(pulled) {
              await pushAt(pulled, Buffer.from(pulled.body).toString(), stage.clock.now());
              return { kind: 'accepted' };
            },
            live: catalogs.live,
            broker,
          },
        });
        await stage.pass(5 * 60);
        await everythingFolded(edition);
        const { data } = (await getJson(edition, '/v1/games?league=NBA')) as { data: { id: string }[] };
        const idOf = ({ away, home }: Played): string =>
          data.find(({ id }) => id.startsWith(`NBA_${away}_${home}`))?.id ?? assert.fail(JSON.stringify(data));
        assert.deepEqual(await statesOf(edition, idOf(polled)), ['stale_suspect', 'stale_suspect']);
        assert.equal(await isClosed(edition, idOf(polled)), false);
        await stage.pass(15 * 60);
        await everythingFolded(edition);
        assert.equal(await isClosed(edition, idOf(polled)), true);
        assert.equal(await isClosed(edition, idOf(recorded)), false);
        assert.deepEqual(await statesOf(edition, idOf(recorded)), ['live', 'live']);
      } finally {
        await edition.stop();
        await own.drop();
      }
    },
  );
}
