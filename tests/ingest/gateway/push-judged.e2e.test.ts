// What an answer to quotes says beside its counts, and how a push is judged: games, warnings, `strict`, `validate`, remedies, receipts
// (docs/operations.md#warnings). Over real sockets, with a log and a catalog in memory.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { defaultFeedQuotas } from '../../../core/limits/feed-quotas.ts';
import { event, kindOf, quote, type Reply, startGateway, type TestGateway } from '../../support/http/gateway-http.ts';

type Part = { index: number; pointer: string; code: string; detail: string };
type Named = { index: number; event_id: string | null; game_id: string; minted: boolean };

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.close());

const route = '/v1/sources/feed/quotes';
const game = event().game as Record<string, unknown>;
const ofEvent = (event_id: string) => ({ game: { ...game, event_id } });
const partsOf = (listed: unknown) => (listed as Part[]).map(({ index, pointer, code }) => [index, pointer, code]);
const push = (events: readonly unknown[], query = '') => gateway.push({ events }, { path: `${route}${query}` });

/** What the gateway has stored for pushes. */
const kept = () => [gateway.broker.records.length, gateway.catalogs.letters.length, gateway.catalogs.receipts.size];

describe('the games of an answer', () => {
  it('are named once for each name, by the first accepted element', async () => {
    gateway.catalogs.gamesById.set('NFL_DET_PHI_20301116', 'NFL');
    const { body } = await push([
      event({ kind: 'picture', ...ofEvent('a') }),
      event(ofEvent('a')),
      event({ ...ofEvent('a'), operator: 'other' }),
      event({ game: { game_id: 'NFL_DET_PHI_20301116' } }),
      event(ofEvent('b')),
    ]);
    const games = body.games as Named[];
    assert.deepEqual(
      games.map(({ index, event_id }) => [index, event_id]),
      [
        [1, 'a'],
        [3, null],
        [4, 'b'],
      ],
    );
    const records = gateway.broker.records.map(({ record }) => (record.value as { game_id: string }).game_id);
    assert.ok(games.every(({ game_id }) => records.includes(game_id)));
  });

  it('and the warnings are listed as far as a mebibyte reaches; the rest is counted', async () => {
    const events = Array.from({ length: 12_000 }, (_, n) =>
      event({ ...ofEvent(`e${n}`.padEnd(60, 'x')), quotes: [quote({ market: 'h2h' })] }),
    );
    const { status, body } = await push(events);
    const [games, warnings] = [body.games as Named[], body.warnings as Part[]];
    assert.equal(status, 202);
    assert.equal(games.length + (body.games_more as number), 12_000);
    assert.equal(warnings.length + (body.warnings_more as number), 12_000);
    for (const list of [games, warnings]) {
      const size = JSON.stringify(list).length;
      assert.ok(size > 900_000 && size < 1_500_000, String(size));
    }
  });

  it('of more warnings than are kept all are counted', async () => {
    const quotes = Array.from({ length: 3_000 }, (_, n) => quote({ market: 'h2h', selection: `s${n}` }));
    const { body } = await push(Array.from({ length: 9 }, (_, n) => event({ operator: `b${n}`, quotes })));
    assert.equal((body.warnings as Part[]).length + (body.warnings_more as number), 27_000);
    assert.deepEqual([body.accepted, body.rejected], [9, []]);
  });

  it('are left out where a push repeats another', async () => {
    const headers = { 'idempotency-key': 'k' };
    await gateway.push({ events: [event()] }, { headers });
    const { body } = await gateway.push({ events: [event()] }, { headers });
    assert.deepEqual([body.duplicates, body.games, body.warnings], [1, undefined, undefined]);
  });
});

const suspicious = event({
  quotes: [
    quote(),
    quote({ market: 'h2h' }),
    quote({ selection: 'Detroit Lions' }),
    quote({ selection: 'away', price: { american: -110, decimal: 2.5 } }),
  ],
});
const warned = [
  [0, '/quotes/1/market', 'foreign-market'],
  [0, '/quotes/2/selection', 'team-as-selection'],
  [0, '/quotes/3/price', 'prices-disagree'],
];
const ofUnknown = event({ game: { ...game, event_id: 'u', home_team: 'London Monarchs' } });

describe('warnings', () => {
  it('say what is probably a mistake; it is accepted all the same', async () => {
    const { body } = await push([suspicious, ofUnknown, event()]);
    assert.deepEqual([body.accepted, body.rejected], [3, []]);
    assert.deepEqual(partsOf(body.warnings), [...warned, [1, '/game', 'unknown-team']]);
    assert.equal(gateway.broker.observations()[0]?.observation?.operators[0]?.quotes.length, 4);
  });

  it('are none of a refused quote', async () => {
    const { body } = await push([event({ quotes: [quote(), quote({ market: 'h2h', price: { american: 5 } })] })]);
    assert.deepEqual([partsOf(body.rejected), body.warnings], [[[0, '/quotes/1/price', 'bad-price']], []]);
  });

  it('come with The Odds API too, by its own names', async () => {
    const body = [oddsApi([{ key: 'moneyline', outcomes: [{ name: 'PHI', price: -110 }] }])];
    const reply = await gateway.push(body, { path: '/v1/sources/feed/the-odds-api-v4' });
    const place = '/bookmakers/0/markets/0/outcomes/0';
    assert.deepEqual(partsOf(reply.body.warnings), [[0, place, 'foreign-market']]);
    const names = [oddsApi([{ key: 'h2h', outcomes: [{ name: 'PHI', price: -110 }] }])];
    const named = await gateway.push(names, { path: '/v1/sources/feed/the-odds-api-v4' });
    assert.deepEqual(partsOf(named.body.warnings), [[0, `${place}/name`, 'team-as-selection']]);
  });
});

describe('strict=true', () => {
  it('refuses what would be a warning, quote by quote, and the rest goes on', async () => {
    const { body } = await push([suspicious], '?strict=true');
    assert.deepEqual([body.accepted, partsOf(body.rejected), body.warnings], [1, warned, []]);
    assert.equal(gateway.broker.observations()[0]?.observation?.operators[0]?.quotes.length, 1);
    assert.deepEqual(
      gateway.catalogs.letters.map(({ code }) => code),
      warned.map(([, , code]) => code),
    );
  });

  it('refuses the event of an unknown team before its game is founded', async () => {
    const { body } = await push([ofUnknown, event()], '?strict=true');
    assert.deepEqual([body.accepted, partsOf(body.rejected)], [1, [[0, '/game', 'unknown-team']]]);
    assert.equal((await gateway.catalogs.gamesOfEvents('feed', ['u'])).size, 0);
    assert.equal((await gateway.catalogs.gamesOfEvents('feed', ['e1'])).size, 1);
  });

  it('refuses the event that would found a second game, and founds none', async () => {
    const { foresee } = gateway.catalogs;
    gateway.catalogs.foresee = async (source, lookups) => {
      const found = await foresee.call(gateway.catalogs, source, lookups);
      const warning = { code: 'second-game', detail: 'beside another' } as const;
      return found.map((each, at) => {
        const lookup = lookups[at];
        if (lookup?.by !== 'event' || lookup.eventId !== 'second' || each.kind !== 'resolved') return each;
        return { ...each, game: { ...each.game, warning } };
      });
    };
    const { body } = await push([event(ofEvent('second')), event()], '?strict=true');
    assert.deepEqual([body.accepted, partsOf(body.rejected)], [1, [[0, '/game', 'second-game']]]);
    assert.equal((await gateway.catalogs.gamesOfEvents('feed', ['second'])).size, 0);
    assert.equal((await gateway.catalogs.gamesOfEvents('feed', ['e1'])).size, 1);
  });

  it('of nothing else is 400, as without it', async () => {
    const reply = await push([ofUnknown], '?strict=true');
    assert.deepEqual([reply.status, kindOf(reply.body)], [400, 'validation-error']);
    assert.deepEqual(partsOf(reply.body.rejected), [[0, '/game', 'unknown-team']]);
  });
});

describe('validate=true', () => {
  it('answers 200 with all that the push would be told, and keeps nothing', async () => {
    const sent = [
      event(ofEvent('new')),
      suspicious,
      event({ kind: 'picture' }),
      event({ quotes: [quote({ price: {} })] }),
    ];
    const headers = { 'idempotency-key': 'k' };
    const before = kept();
    const judged = await gateway.push({ events: sent }, { path: `${route}?validate=true`, headers });
    assert.deepEqual([judged.status, judged.body.receipt, judged.body.accepted], [200, null, 3]);
    assert.deepEqual(kept(), before);
    assert.equal((await gateway.catalogs.gamesOfEvents('feed', ['new', 'e1'])).size, 0);

    const pushed = await gateway.push({ events: sent }, { headers });
    assert.equal(pushed.status, 202, 'the key is not used');
    const { receipt: _, ...answer } = pushed.body;
    assert.deepEqual({ ...judged.body, receipt: undefined }, { ...answer, receipt: undefined });
  });

  it('uses nothing of the quotas of the key', async () => {
    const body = JSON.stringify({ events: [event()] });
    const quotas = { ...defaultFeedQuotas, bytes: Math.floor(1.5 * body.length) };
    const small = await startGateway({ quotas });
    try {
      const statuses: number[] = [];
      for (const query of ['?validate=true', '?validate=true', '?validate=true', '', ''])
        statuses.push((await small.push(body, { path: `${route}${query}` })).status);
      assert.deepEqual(statuses, [200, 200, 200, 202, 429]);
    } finally {
      await small.close();
    }
  });

  it('counts towards the share of the key, as a push does', async () => {
    const small = await startGateway({ feedLimits: { requests: 1e6, bytes: 1e9, elements: 1 } });
    try {
      const ask = (query: string) =>
        small.push({ events: Array.from({ length: 6 }, () => event()) }, { path: `${route}${query}` });
      assert.equal((await ask('?validate=true')).status, 200);
      for (const query of ['?validate=true', '']) {
        const { status, body } = await ask(query);
        assert.deepEqual([status, kindOf(body)], [429, 'rate-limited'], query);
      }
    } finally {
      await small.close();
    }
  });

  it('and strict=true are for pushes of The Odds API too', async () => {
    const body = [oddsApi([{ key: 'h2h', outcomes: ['Detroit Lions', 'PHI'].map((name) => ({ name, price: -110 })) }])];
    const send = (query: string) => gateway.push(body, { path: `/v1/sources/feed/the-odds-api-v4${query}` });
    const named = [[0, '/bookmakers/0/markets/0/outcomes/1/name', 'team-as-selection']];
    const before = kept();
    const judged = await send('?validate=true');
    assert.deepEqual([judged.status, judged.body.receipt, partsOf(judged.body.warnings)], [200, null, named]);
    assert.deepEqual(kept(), before);
    const strict = await send('?strict=true');
    assert.deepEqual([strict.status, partsOf(strict.body.rejected), strict.body.warnings], [202, named, []]);
  });

  it('of a push of which nothing is acceptable is 400, and no dead letter', async () => {
    const reply = await push([7], '?validate=true');
    assert.deepEqual([reply.status, partsOf(reply.body.rejected)], [400, [[0, '', 'bad-event']]]);
    assert.deepEqual(kept(), [0, 0, 0]);
  });

  it('goes with strict, and both take true and false alone', async () => {
    const both = await push([suspicious, ofUnknown], '?validate=true&strict=true');
    assert.deepEqual([both.status, both.body.accepted], [200, 1]);
    assert.deepEqual(partsOf(both.body.rejected), [...warned, [1, '/game', 'unknown-team']]);
    assert.equal((await push([event()], '?validate=false&strict=false')).status, 202);
    for (const name of ['strict', 'validate']) {
      const { status, body } = await push([event()], `?${name}=yes`);
      assert.deepEqual([status, body.detail], [400, `${name} must be true or false`]);
    }
  });
});

describe('a delta of which every quote is refused', () => {
  const bad = quote({ price: { american: 5 } });
  it('is an accepted record that names its sportsbook, and lists what was refused', async () => {
    const reply = await push([
      event({ kind: 'delta', quotes: [bad, bad] }),
      event({ kind: 'delta', quotes: [bad, quote()] }),
    ]);
    assert.deepEqual([reply.status, reply.body.accepted], [202, 2]);
    assert.deepEqual(partsOf(reply.body.rejected), [
      [0, '/quotes/0/price', 'bad-price'],
      [0, '/quotes/1/price', 'bad-price'],
      [1, '/quotes/0/price', 'bad-price'],
    ]);
  });
});

describe('a receipt', () => {
  it('counts and names each refused quote', async () => {
    const bad = quote({ selection: 'away', price: { american: 5 } });
    const { body } = await push([event({ quotes: [quote(), bad] }), event({ kind: 'picture' })]);
    const { body: receipt } = await gateway.get(`/v1/receipts/${body.receipt}`);
    assert.deepEqual(receipt.rejected, body.rejected);
    assert.deepEqual(receipt.counts, { accepted: 1, applied: 0, duplicates: 0, refused: 2 });
  });
});

describe('a refusal says what to change', () => {
  const detailOf = (reply: Reply) => (reply.body.rejected as Part[])[0]?.detail ?? '';
  const { operator: _, ...nameless } = event();
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    [
      'an American price',
      event({ quotes: [quote({ price: { american: 50 } })] }),
      /^price\.american must be ≤ -100 or ≥ 100/,
    ],
    ['a decimal price', event({ quotes: [quote({ price: { decimal: 1 } })] }), /^price\.decimal must be .*1\.0001/],
    [
      'a fraction',
      event({ quotes: [quote({ price: { fractional: '5:4' } })] }),
      /^price\.fractional must be like "5\/4"/,
    ],
    ['no price', event({ quotes: [quote({ price: null })] }), /^price is missing/],
    ['no operator', nameless, /^operator is missing: it must be/],
    [
      'an operator of another spelling',
      { ...nameless, operater: 'book' },
      /^operator is missing: "operater" was probably meant/,
    ],
    ['an operator that is none', event({ operator: 'a-b' }), /^operator must be 1 to 32 of/],
    [
      'a home team of another spelling',
      event({ game: { ...game, home_team: undefined, homeTeam: 'x' } }),
      /"homeTeam"/,
    ],
    ['a league of its own', event({ game: { ...game, league: 'KBO' } }), /^league must be .*NFL/],
    [
      'a market of another spelling',
      event({ quotes: [quote({ market: undefined, markt: 'x' })] }),
      /"markt" was probably/,
    ],
    ['a kind of its own', event({ kind: 'snapshot' }), /^kind must be image, delta or heartbeat/],
    ['a spread without a line', event({ quotes: [quote({ market: 'spread' })] }), /^line is missing/],
  ];
  for (const [what, sent, detail] of cases)
    it(what, async () => assert.match(detailOf(await push([sent, event()])), detail));

  it('a decimal price where American ones are told', async () => {
    const body = [oddsApi([{ key: 'h2h', outcomes: [{ name: 'Detroit Lions', price: 1.91 }] }])];
    const reply = await gateway.push(body, { path: '/v1/sources/feed/the-odds-api-v4' });
    assert.match(detailOf(reply), /^price must be ≤ -100 or ≥ 100.*odds_format=decimal/);
  });

  it('a parameter of another spelling', async () => {
    const reply = await gateway.push([], { path: '/v1/sources/feed/the-odds-api-v4?oddsFormat=decimal' });
    assert.match(String(reply.body.detail), /'oddsFormat': did you mean odds_format\?/);
  });
});

function oddsApi(markets: readonly unknown[]): Record<string, unknown> {
  return {
    id: 'o1',
    sport_key: 'americanfootball_nfl',
    commence_time: '2030-11-17T01:20:00Z',
    home_team: 'Philadelphia Eagles',
    away_team: 'Detroit Lions',
    bookmakers: [{ key: 'book', markets }],
  };
}
