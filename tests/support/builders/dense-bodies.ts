// The most expensive bodies that a gateway accepts: as many valid records as fit, and thousands of refusals.
import { gzipSync } from 'node:zlib';
import { largestBodyBytes } from '../../../ingest/gateway/receive-body.ts';
import { quote } from '../http/gateway-http.ts';
import { eventText, type LargeBody, listed, msf, ndjson, oddsApi, quotes, reference } from './large-bodies.ts';
import { gamelogGame, gameObject, log, player } from './msf-bodies.ts';

const shortQuotes = (index: number) =>
  eventText(index, {
    quotes: Array.from({ length: 5_000 }, (_, at) => ({
      market: 'm',
      selection: at.toString(36),
      price: { american: 100 },
    })),
  });

const usualQuotes = (index: number) =>
  eventText(index, {
    quotes: Array.from({ length: 4_500 }, (_, at) =>
      quote({
        market: 'player_points',
        selection: 'over',
        player: `Player No ${at}`,
        line: at / 2,
        price: { american: -110, decimal: 1.9091 },
        source_timestamp: '2026-01-10T01:00:08.123Z',
      }),
    ),
  });

const bookmaker = (index: number) => ({
  key: `book${index}`,
  last_update: '2026-01-10T01:00:08Z',
  markets: Array.from({ length: 20 }, (_, at) => ({
    key: `player_${at}`,
    outcomes: Array.from({ length: 100 }, (_, no) => ({
      name: 'Over',
      description: `P ${no}`,
      price: -110,
      point: 1.5,
    })),
  })),
});
const oddsEvent = (index: number) =>
  JSON.stringify({
    id: `o${index}`,
    sport_key: 'americanfootball_nfl',
    home_team: 'Philadelphia Eagles',
    away_team: 'Detroit Lions',
    commence_time: '2030-11-17T01:20:00Z',
    bookmakers: [bookmaker(0), bookmaker(1)],
  });

const lineOf = (index: number) =>
  JSON.stringify({
    asOfTime: new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString(),
    moneyLine: { gameSegment: 'FULL', awayLine: { american: 125 }, homeLine: { american: -145 }, drawLine: null },
  });
const linedGame = JSON.stringify({
  id: 7,
  startTime: '2025-11-17T01:20:00.000Z',
  awayTeamAbbreviation: 'DET',
  homeTeamAbbreviation: 'PHI',
});

const statistics = Object.fromEntries(
  ['rushing', 'passing', 'receiving', 'tackles'].map((group) => [
    group,
    Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${group}Att${at}`, at / 2])),
  ]),
);

const badQuote = (at: number) => quote({ selection: `s${at}`, price: { american: 1 } });

export const denseBodies: readonly LargeBody[] = [
  {
    name: '50,000 lines',
    path: quotes,
    headers: ndjson,
    make: () => Buffer.from(`${eventText(0, {})}\n`.repeat(35_000).slice(0, 8e6)),
    statuses: [202, 413],
  },
  {
    name: '19,999 refused elements',
    path: quotes,
    make: () => Buffer.from(`{"events":[${eventText(0, {})},${Array(19_998).fill('{}').join()}]}`),
    statuses: [202],
  },
  {
    name: '19,996 refused quotes',
    path: quotes,
    make: () =>
      listed(
        '{"events":[',
        (index) => eventText(index, { quotes: [quote(), ...Array.from({ length: 4_999 }, (_, at) => badQuote(at))] }),
        ']}',
        7e6,
        4,
      ),
    statuses: [202],
  },
  {
    name: 'more refusals than a push may have',
    path: quotes,
    make: () =>
      listed(
        '{"events":[',
        (index) => eventText(index, { quotes: [quote(), ...Array.from({ length: 4_999 }, (_, at) => badQuote(at))] }),
        ']}',
        7e6,
      ),
    statuses: [413],
  },
  {
    name: 'good quotes, as short as they are',
    path: quotes,
    make: () => listed('{"events":[', shortQuotes, ']}'),
    statuses: [202],
  },
  {
    name: 'good quotes, in usual words',
    path: quotes,
    make: () => listed('{"events":[', usualQuotes, ']}'),
    statuses: [202],
  },
  { name: 'good quotes of The Odds API', path: oddsApi, make: () => listed('[', oddsEvent, ']'), statuses: [202] },
  {
    name: 'good quotes, gzip',
    path: quotes,
    headers: { 'content-encoding': 'gzip' },
    make: () => gzipSync(listed('{"events":[', usualQuotes, ']}')),
    statuses: [202],
  },
  {
    name: 'good quotes, one an event',
    path: quotes,
    make: () => listed('{"events":[', (index) => eventText(index, {}), ']}'),
    statuses: [202],
  },
  {
    name: 'players of one league',
    path: msf('players'),
    make: () =>
      listed(
        '{"players":[',
        (index) => JSON.stringify({ player: { ...player, id: index, primaryPosition: 'QB', x: 'y'.repeat(400) } }),
        ']}',
        largestBodyBytes,
        19_000,
      ),
    statuses: [202],
  },
  {
    name: 'injuries of one league',
    path: msf('injuries'),
    make: () =>
      listed(
        '{"players":[',
        (index) =>
          JSON.stringify({
            ...player,
            id: index,
            currentInjury: { description: 'knee' },
            x: Array(20).fill(index),
            y: 'y'.repeat(200),
          }),
        ']}',
        largestBodyBytes,
        19_000,
      ),
    statuses: [202],
  },
  {
    name: 'games of one league',
    path: msf('games'),
    make: () =>
      listed(
        '{"games":[',
        (index) => JSON.stringify({ schedule: gameObject({ id: index }), score: {} }),
        ']}',
        largestBodyBytes,
        19_000,
      ),
    statuses: [202],
  },
  {
    name: "players' logs of many games",
    path: msf('player_gamelogs'),
    make: () =>
      listed(
        '{"gamelogs":[',
        (index) => JSON.stringify(log({ game: gamelogGame({ id: index % 3_000 }), player: { ...player, id: index } })),
        ']}',
        largestBodyBytes,
        19_000,
      ),
    statuses: [202],
  },
  {
    name: 'references beside few games',
    path: msf('games'),
    make: () =>
      listed(
        `{"games":[${JSON.stringify({ schedule: gameObject({ id: 1 }), score: {} })}],"references":{"playerReferences":[`,
        (index) => JSON.stringify({ ...player, id: index }),
        ']}}',
        largestBodyBytes,
        19_000,
      ),
    statuses: [202],
  },
  {
    name: 'lines of one game',
    path: msf('odds_gamelines'),
    make: () =>
      listed(
        `{"gameLines":[{"game":${linedGame},"lines":[{"source":{"name":"A"},"moneyLines":[`,
        lineOf,
        ']}]}]}',
        largestBodyBytes,
        19_000,
      ),
    statuses: [202, 400, 413],
  },
  {
    name: 'plays of one game',
    path: msf('playbyplay'),
    make: () =>
      listed(
        `{"game":${JSON.stringify(gameObject())},"plays":[`,
        (index) =>
          JSON.stringify({
            description: `play ${index} ${'of '.repeat(60)}`,
            timeout: {},
            playStatus: { quarter: 1, secondsElapsed: Math.floor(index / 500) },
          }),
        ']}',
      ),
    statuses: [202],
  },
  {
    name: 'boxscore of one game',
    path: msf('boxscore'),
    make: () =>
      listed(
        `{"game":${JSON.stringify(gameObject())},"stats":{"home":{"players":[]},"away":{"players":[`,
        (index) => JSON.stringify({ player: { ...player, id: index }, playerStats: [statistics] }),
        ']}}}',
      ),
    statuses: [202],
  },
  {
    name: 'bad games of one league',
    path: msf('games'),
    make: () => listed('{"games":[', () => '{}', ']}', largestBodyBytes, 19_000),
    statuses: [400],
  },
  {
    name: 'players of a source',
    path: reference,
    make: () =>
      listed(
        '{"players":[',
        (index) => JSON.stringify({ league: 'NFL', id: String(index), name: `Player ${index}`, x: 'y'.repeat(300) }),
        ']}',
        largestBodyBytes,
        19_000,
      ),
    statuses: [202, 400],
  },
];
