// Claim: in the corner cases of docs/quotes.md, which two readers would most likely read differently, the product's pure functions and the
// naive oracle give the same refusals, rows and boards. Each case is one or two pushes; the sentence of the page decides.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { worldTeams } from '../../oracle/generate.ts';
import type { Push } from '../../oracle/pushes.ts';
import { describePushDifference, firstPushDifference } from '../../support/folds/pushes-beside-oracle.ts';

const game =
  '{"league":"NFL","event_id":"e1","home_team":"Philadelphia Eagles","away_team":"Detroit Lions","commence_time":"2025-11-17T01:20:00Z"}';
const nativePush = (events: string, o: Partial<Push> = {}): Push => ({
  step: 0,
  source: 's1',
  scopes: ['push', 'backfill'],
  format: 'quotes',
  query: {},
  at: '2025-11-16T20:00:00Z',
  timed: 'receive',
  idempotencyKey: undefined,
  body: `{"events":[${events}]}`,
  ...o,
});
const oddsPush = (body: string, o: Partial<Push> = {}): Push => ({
  ...nativePush(''),
  format: 'the-odds-api-v4',
  body,
  ...o,
});
const image = (quotes: string, more = '', g = game) =>
  `{"kind":"image","operator":"x","game":${g},${more}"quotes":[${quotes}]}`;
const moneyline = '{"market":"moneyline","selection":"home","price":{"american":-110}}';
const quoteWith = (s: string) => `{"market":"moneyline","selection":"home",${s}}`;
const element = (markets: string, more = '') =>
  `[{"id":"o1","sport_key":"americanfootball_nfl","commence_time":"2025-11-17T01:20:00Z","home_team":"Philadelphia Eagles","away_team":"Detroit Lions"${more},"bookmakers":[{"key":"aa","markets":[${markets}]}]}]`;
const market = (key: string, outcomes = '{"name":"Over","price":-110,"point":1.5}') =>
  `{"key":"${key}","outcomes":[${outcomes}]}`;
const corners: Record<string, Push[]> = {
  'commence_time beside game_id': [
    nativePush(image(moneyline)),
    nativePush(
      image(
        '{"market":"moneyline","selection":"home","price":{"american":-120}}',
        '',
        '{"game_id":"NFL_DET_PHI_20251116","commence_time":"2025-11-16T19:00:00Z"}',
      ),
      { at: '2025-11-16T20:01:00Z' },
    ),
  ],
  'bad commence_time beside game_id': [
    nativePush(image(moneyline)),
    nativePush(image(moneyline, '', '{"game_id":"NFL_DET_PHI_20251116","commence_time":"soon"}')),
  ],
  'bad other members beside game_id': [
    nativePush(image(moneyline)),
    nativePush(image(moneyline, '', '{"game_id":"NFL_DET_PHI_20251116","league":7,"event_id":""}')),
  ],
  'game_id of a game created in the same push': [
    nativePush(`${image(moneyline)},${image(moneyline, '', '{"game_id":"NFL_DET_PHI_20251116"}')}`),
  ],
  'game_id of a game created later in the same push': [
    nativePush(`${image(moneyline, '', '{"game_id":"NFL_DET_PHI_20251116"}')},${image(moneyline)}`),
  ],
  'league lower case': [nativePush(image(moneyline, '', game.replace('NFL', 'nfl')))],
  'event_id a number': [nativePush(image(moneyline, '', game.replace('"e1"', '5')))],
  'time lower case z': [nativePush(image(moneyline, '"observed_at":"2025-11-16t19:59:00z",'))],
  'time second 60': [nativePush(image(moneyline, '"observed_at":"2016-12-31T23:59:60Z",'))],
  'time with space': [nativePush(image(moneyline, '"observed_at":"2025-11-16 19:59:00Z",'))],
  'time offset -00:00': [nativePush(image(moneyline, '"observed_at":"2025-11-16T19:59:00-00:00",'))],
  'time offset +24:00': [nativePush(image(moneyline, '"observed_at":"2025-11-16T19:59:00+24:00",'))],
  'american 1e400': [nativePush(image(quoteWith('"price":{"american":1e400}')))],
  'decimal 1e-400': [nativePush(image(quoteWith('"price":{"decimal":1e-400}')))],
  'line 1e999999999999': [nativePush(image(quoteWith('"price":{"american":-110},"line":1e999999999999')))],
  'line 0e999999999999': [nativePush(image(quoteWith('"price":{"american":-110},"line":0e999999999999')))],
  'duplicate member': [nativePush(image(quoteWith('"price":{"american":-110},"price":{"american":-120}')))],
  'quote null': [nativePush(image(`${moneyline},null`))],
  'event null': [nativePush(`null,${image(moneyline)}`)],
  'markets Moneyline': [nativePush(image(moneyline, '"markets":["Moneyline"],'))],
  'markets with null': [nativePush(image(moneyline, '"markets":[null,"moneyline"],'))],
  'suspended with price {}': [nativePush(image(quoteWith('"state":"suspended","price":{}')))],
  'suspended with price of nulls': [nativePush(image(quoteWith('"state":"suspended","price":{"american":null}')))],
  'suspended with bad price': [nativePush(image(quoteWith('"state":"suspended","price":{"american":5}')))],
  'suspended with price 7': [nativePush(image(quoteWith('"state":"suspended","price":7')))],
  'withdrawn with price of a wrong shape': [
    nativePush(image(moneyline)),
    nativePush(image(quoteWith('"state":"withdrawn","price":7')).replace('image', 'delta')),
  ],
  'withdrawn with bad line': [
    nativePush(image(moneyline)),
    nativePush(image(quoteWith('"state":"withdrawn","line":"x"')).replace('image', 'delta')),
  ],
  'withdrawn alternate without line': [
    nativePush(image(moneyline)),
    nativePush(image(quoteWith('"state":"withdrawn","alternate":true')).replace('image', 'delta')),
  ],
  'player_id number': [nativePush(image(quoteWith('"price":{"american":-110},"player_id":5')))],
  'player_id upper case uuid': [
    nativePush(image(quoteWith('"price":{"american":-110},"player_id":"0F8FAD5B-D9CB-469F-A165-70867728950E"'))),
  ],
  'player_id empty': [nativePush(image(quoteWith('"price":{"american":-110},"player_id":""')))],
  'heartbeat with markets wrong': [nativePush(`{"kind":"heartbeat","operator":"x","game":${game},"markets":7}`)],
  'heartbeat quotes null': [nativePush(`{"kind":"heartbeat","operator":"x","game":${game},"quotes":null}`)],
  'state wrong type': [nativePush(image(quoteWith('"price":{"american":-110},"state":5')))],
  'kind in a wrong case': [nativePush(image(moneyline).replace('image', 'Image'))],
  'delta empty': [nativePush(image('').replace('image', 'delta'))],
  'operator with spaces': [nativePush(image(moneyline).replace('"x"', '" x"'))],
  'outcome description empty': [
    oddsPush(element(market('player_points', '{"name":"Over","description":"","price":-110,"point":1.5}'))),
  ],
  'outcome description null': [
    oddsPush(element(market('player_points', '{"name":"Over","description":null,"price":-110,"point":1.5}'))),
  ],
  'market key missing': [oddsPush(element('{"outcomes":[{"name":"Over","price":-110}]}'))],
  'market key empty': [oddsPush(element(market('')))],
  alternate_btts_q1: [oddsPush(element(market('alternate_btts_q1')))],
  btts_alternate_q1: [oddsPush(element(market('btts_alternate_q1')))],
  btts_q1_alternate: [oddsPush(element(market('btts_q1_alternate')))],
  alternate_spreads_q1: [oddsPush(element(market('alternate_spreads_q1')))],
  spreads_q1_alternate: [oddsPush(element(market('spreads_q1_alternate')))],
  alternate_spreads_alternate: [oddsPush(element(market('alternate_spreads_alternate')))],
  alternate_: [oddsPush(element(market('alternate_')))],
  _alternate: [oddsPush(element(market('_alternate')))],
  spreads_h1_q1: [oddsPush(element(market('spreads_h1_q1')))],
  player_h1: [oddsPush(element(market('player_h1')))],
  player_: [oddsPush(element(market('player_')))],
  Player_points: [oddsPush(element(market('Player_points')))],
  player_Points: [oddsPush(element(market('player_Points')))],
  H2H: [oddsPush(element(market('H2H')))],
  totals_1st_3_innings: [oddsPush(element(market('totals_1st_3_innings')))],
  alternate_totals_1st_5_innings: [oddsPush(element(market('alternate_totals_1st_5_innings')))],
  'x_ key': [oddsPush(element(market('x_foo')))],
  'home name with description home': [
    oddsPush(
      element(market('btts', '{"name":"Philadelphia Eagles","description":"Philadelphia Eagles","price":-110}')),
    ),
  ],
  'over lower case': [oddsPush(element(market('totals', '{"name":"over","price":-110,"point":1.5}')))],
  'outcome name case': [oddsPush(element(market('h2h', '{"name":"philadelphia eagles","price":-110}')))],
  'outcome null': [oddsPush(element(market('h2h', 'null')))],
  'markets null entry': [oddsPush(element('null'))],
  'odds in_play ignored': [oddsPush(element(market('h2h', '{"name":"Draw","price":-110}'), ',"in_play":true'))],
  'odds observed_at ignored': [
    oddsPush(element(market('h2h', '{"name":"Draw","price":-110}'), ',"observed_at":"2020-01-01T00:00:00Z"')),
  ],
  'query markets empty': [
    oddsPush(element(market('h2h', '{"name":"Draw","price":-110}'))),
    oddsPush(element(''), { query: { markets: '' } }),
  ],
  'an operator that the poll did not cover, named all the same': [
    oddsPush(element(market('h2h', '{"name":"Draw","price":-110}'))),
    oddsPush(element(market('h2h', '{"name":"Over","price":-110}')), { query: { bookmakers: 'bb' } }),
    oddsPush(element(market('h2h', '{"name":"Over","price":-110}')), { query: { bookmakers: 'bb' } }),
  ],
  'query bookmakers with bad': [
    oddsPush(element(market('h2h', '{"name":"Draw","price":-110}'))),
    oddsPush(element('').replace('"aa"', '"bb"'), { query: { bookmakers: 'b.b,aa' } }),
  ],
  'wrapper forbidden': [
    oddsPush(`{"timestamp":"2025-11-16T19:00:00Z","data":${element(market('h2h', '{"name":"Draw","price":-110}'))}}`, {
      scopes: ['push'],
    }),
  ],
  'wrapper null timestamp': [
    oddsPush(`{"timestamp":null,"data":${element(market('h2h', '{"name":"Draw","price":-110}'))}}`, {
      scopes: ['push'],
    }),
  ],
  'wrapper over header': [
    oddsPush(`{"timestamp":"2025-11-16T19:00:00Z","data":${element(market('h2h', '{"name":"Draw","price":-110}'))}}`, {
      timed: 'source',
    }),
  ],
  'ncaam abbreviation as a name': [
    nativePush(
      image(
        moneyline,
        '',
        game.replace('NFL', 'NCAAM').replace('Philadelphia Eagles', 'Miami (FL)').replace('Detroit Lions', 'Duke'),
      ),
    ),
    nativePush(
      image(
        moneyline,
        '',
        game.replace('NFL', 'NCAAM').replace('Philadelphia Eagles', 'MIAMIFL').replace('Detroit Lions', 'duke'),
      ),
      { source: 's2' },
    ),
  ],
  'ncaam two new colliding in one event': [
    nativePush(
      image(
        moneyline,
        '',
        game.replace('NFL', 'NCAAM').replace('Philadelphia Eagles', 'Miami FL').replace('Detroit Lions', 'Miami (FL)'),
      ),
    ),
  ],
  'ncaam nameless': [
    nativePush(image(moneyline, '', game.replace('NFL', 'NCAAM').replace('Philadelphia Eagles', '東京'))),
  ],
  'ncaam one letter collision': [
    nativePush(
      image(
        moneyline,
        '',
        game.replace('NFL', 'NCAAM').replace('Philadelphia Eagles', 'A').replace('Detroit Lions', 'A!'),
      ),
    ),
  ],
  'identity collision player/line': [
    nativePush(
      image(
        '{"market":"total","selection":"over","line":21.5,"alternate":true,"price":{"american":-110}},{"market":"total","selection":"over","line":1,"player":"21.5","price":{"american":-110}}',
      ),
    ),
  ],
  'too many quotes and bad kind': [
    nativePush(image(Array.from({ length: 5001 }, () => moneyline).join(',')).replace('image', 'picture')),
  ],
  'heartbeat with 5001 quotes': [
    nativePush(image(Array.from({ length: 5001 }, () => moneyline).join(',')).replace('image', 'heartbeat')),
  ],
  'element exactly 900000': [
    nativePush(image(moneyline, `"pad":"${'x'.repeat(900000 - image(moneyline, '"pad":"",').length)}",`)),
  ],
  'element 900001': [
    nativePush(image(moneyline, `"pad":"${'x'.repeat(900001 - image(moneyline, '"pad":"",').length)}",`)),
  ],
  'element 900001 bytes by é': [nativePush(image(moneyline, `"pad":"${'é'.repeat(450000)}",`))],
  'array of event': [nativePush('[]')],
};

describe('corners of the rules of quotes, beside the oracle', () => {
  for (const [name, pushes] of Object.entries(corners)) {
    it(name, () => {
      const difference = firstPushDifference(
        pushes.map((push, step) => ({ ...push, step })),
        worldTeams,
      );
      assert.equal(difference === undefined ? '' : describePushDifference(difference), '');
    });
  }
});
