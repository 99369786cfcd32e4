// The gateway's `msf` route over HTTP, on a log, a catalog and an object store in memory: what its path, headers and body may be, what goes
// into the log for it, and that nothing is acknowledged that the log does not have (docs/revisions.md#observations;
// docs/operations.md#push-gateway; I17).
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, it } from 'vitest';
import type { JsonObject } from '../../../core/json/value.ts';
import { elementRefusal } from '../../../core/msf/bodies/body.ts';
import { heldElementKey, mostInlineBytes, plainElementKey } from '../../../core/msf/bodies/held-element.ts';
import { msfFeeds } from '../../../core/msf/feeds/feeds.ts';
import { gameUuid, leagueUuid, playerUuid, teamUuid, venueUuid } from '../../../core/msf/ids.ts';
import { frameRefusal } from '../../../core/msf/streams/frame.ts';
import { readElement } from '../../../core/msf/streams/read-element.ts';
import type { MsfFeed } from '../../../core/msf/types.ts';
import { feedScopes } from '../../../core/ports/catalog/keys.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';
import { microsPerSecond } from '../../../core/units.ts';
import { noMsfChanges } from '../../../projectors/revisions/changes.ts';
import { foldRecord } from '../../../projectors/revisions/fold-record.ts';
import { HeldScopes } from '../../../projectors/revisions/held-scopes.ts';
import { receiptFolds } from '../../../projectors/worker/receipts.ts';
import type { GamesRecord } from '../../../schemas/events/games.ts';
import type { ObservationsRecord } from '../../../schemas/events/observations.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import type { League } from '../../../schemas/reference/leagues.ts';
import { heldText } from '../../support/builders/held-element.ts';
import { badBodies } from '../../support/builders/msf-bad-bodies.ts';
import {
  bodyOf,
  gamelogGame,
  gameObject,
  log,
  msfTeam,
  player,
  wholeBodies,
} from '../../support/builders/msf-bodies.ts';
import {
  kindOf,
  type PushOptions,
  type Reply,
  startGateway,
  type TestGateway,
} from '../../support/http/gateway-http.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(async () => {
  await gateway.close();
  // Whatever was pushed: the fold accepts each logged value as a record of its scope and an element of its feed.
  for (const { topic, record } of gateway.broker.records) {
    if (topic !== topics.observations) continue;
    const value = record.value as ObservationsRecord;
    assert.equal(frameRefusal(record.key, value, gateway.clock.now()), null);
    const { held } = value.observation!;
    const attached = await heldText(gateway.objects, held);
    const read = readElement(value.observation!, attached);
    assert.equal(read.kind, 'read');
    if (read.kind !== 'read' || read.element.games !== undefined) continue;
    const { feed, msf_game_id } = value.observation!;
    assert.equal(elementRefusal(feed as MsfFeed, value.league as League, msf_game_id, read.element), null);
  }
});

type Rejected = { index: number; pointer: string; code: string; detail: string }[];
type MsfOptions = PushOptions & { source?: string; league?: string; season?: string; query?: string };

const pushMsf = (feed: string, body: unknown, options: MsfOptions = {}): Promise<Reply> => {
  const { source = 'feed', league = 'nba', season = '2025-2026-regular', query = '', ...more } = options;
  return gateway.push(body, { path: `/v1/sources/${source}/msf/${league}/${season}/${feed}${query}`, ...more });
};
const rejectedOf = (reply: Reply) =>
  (reply.body.rejected as Rejected).map(({ index, pointer, code }) => [index, pointer, code]);
const starts = () => gateway.broker.valuesOf<QuotesRecord>(topics.quotes).filter(({ start }) => start !== null);
const references = () => gateway.broker.valuesOf<GamesRecord>(topics.games);
const elementOf = ({ observation }: ObservationsRecord) => JSON.parse(observation?.element ?? '') as JsonObject;
const payloads = () => gateway.catalogs.letters.map(({ payload }) => Buffer.from(payload).toString());

describe('a body of MSF', () => {
  for (const feed of msfFeeds.filter((each) => each !== 'odds_gamelines')) {
    it(`of ${feed} is one observation in the log when it is answered, under its scope`, async () => {
      const reply = await pushMsf(feed, bodyOf(wholeBodies[feed]));
      assert.equal(reply.status, 202, JSON.stringify(reply.body));
      assert.deepEqual(Object.keys(reply.body), ['receipt', 'accepted', 'duplicates', 'rejected']);
      assert.deepEqual([reply.body.accepted, reply.body.duplicates, reply.body.rejected], [1, 0, []]);
      const [record, ...others] = gateway.broker.records.filter(({ topic }) => topic === topics.observations);
      assert.deepEqual(others, []);
      const value = record?.record.value as ObservationsRecord;
      assert.equal(record?.record.key, value.scope_uuid);
      assert.deepEqual(elementOf(value), wholeBodies[feed], 'without lastUpdatedOn and references');
      const ofLeague = feed === 'injuries' || feed === 'players';
      assert.deepEqual(
        { ...value, observation: { ...value.observation, element: null } },
        {
          scope_uuid: ofLeague ? leagueUuid('NBA') : value.scope_uuid,
          scope_id: ofLeague ? 'NBA' : value.scope_uuid,
          league: 'NBA',
          source: 'feed',
          received_at: gateway.clock.now(),
          push: reply.body.receipt,
          push_index: 0,
          observation: {
            season: '2025-2026-regular',
            feed,
            msf_game_id: ofLeague ? null : 900_001,
            observed_at: null,
            request_started_at: null,
            last_updated_on: '2026-01-10T01:00:08.000Z',
            element: null,
            held: null,
            rebuild: null,
          },
          reset: null,
          tick: null,
          status: null,
        },
      );
    });
  }

  it('names its game under MSF, whoever pushes it: a new one is told to the quotes first, once', async () => {
    await pushMsf('playbyplay', bodyOf(wholeBodies.playbyplay), { source: 'one' });
    await pushMsf('boxscore', bodyOf(wholeBodies.boxscore), { source: 'two', league: 'NBA' });
    const [first, second] = gateway.broker.msf();
    assert.equal(first?.scope_uuid, second?.scope_uuid);
    assert.deepEqual([first?.source, second?.source], ['one', 'two']);
    assert.deepEqual(
      gateway.broker.records.map(({ topic }) => topic),
      [topics.quotes, topics.observations, topics.observations],
    );
    assert.deepEqual(
      starts().map(({ game_uuid, source, start }) => ({ game_uuid, source, start })),
      [
        {
          game_uuid: first?.scope_uuid,
          source: 'msf',
          start: { scheduled_start: parseRfc3339(String(gameObject().startTime)), from_schedule: false },
        },
      ],
    );
  });

  it('of several games is one observation each, with the entries of that game alone', async () => {
    const other = gamelogGame({ id: 900_002, startTime: '2026-01-11T00:30:00Z' });
    const gamelogs = [log({ player }), log({ player, game: other }), log({ player: { ...player, id: 72 } })];
    const reply = await pushMsf('player_gamelogs', { lastUpdatedOn: 'x', gamelogs, note: 1.5 });
    assert.equal(reply.body.accepted, 2);
    assert.deepEqual(
      gateway.broker.msf().map((record) => [record.observation?.msf_game_id, record.push_index, elementOf(record)]),
      [
        [900_001, 0, { gamelogs: [gamelogs[0], gamelogs[2]], note: 1.5 }],
        [900_002, 1, { gamelogs: [gamelogs[1]], note: 1.5 }],
      ],
    );
  });

  it('keeps its numbers as they were written, and every member whatever its name', async () => {
    const text = JSON.stringify(bodyOf(wholeBodies.boxscore)).replace(
      '"scoring":{}',
      '"scoring":{"a":1.50,"b":1e999,"c":-0,"d":12345678901234567890.1,"__proto__":{"x":2}},"__proto__":[1]',
    );
    assert.equal((await pushMsf('boxscore', text)).status, 202);
    const { observation } = gateway.broker.msf()[0]!;
    for (const written of [
      '"a":1.50',
      '"b":1e999',
      '"c":-0',
      '"d":12345678901234567890.1',
      '"__proto__":{"x":2}}',
      '"__proto__":[1]',
    ]) {
      assert.ok(observation?.element?.includes(written), `${written} in ${observation?.element}`);
    }
    assert.equal(({} as { x?: number }).x, undefined);
  });

  it('comes compressed, too', async () => {
    const text = JSON.stringify(bodyOf(wholeBodies.playbyplay));
    for (const [encoding, bytes] of [
      ['gzip', gzipSync(text)],
      ['zstd', zstdCompressSync(text)],
    ] as const) {
      const reply = await pushMsf('playbyplay', bytes, { headers: { 'content-encoding': encoding } });
      assert.deepEqual([reply.status, reply.body.accepted], [202, 1], encoding);
    }
    assert.equal((await pushMsf('playbyplay', '{', { headers: { 'content-encoding': 'gzip' } })).status, 400);
    assert.equal((await pushMsf('playbyplay', '{}', { headers: { 'content-type': 'text/csv' } })).status, 415);
  });

  it('sent again under its Idempotency-Key is answered from the first receipt; another body is a conflict', async () => {
    const options = { headers: { 'idempotency-key': 'k1' } };
    const first = await pushMsf('playbyplay', bodyOf(wholeBodies.playbyplay), options);
    const again = await pushMsf('playbyplay', bodyOf(wholeBodies.playbyplay), options);
    assert.deepEqual(
      [again.body.receipt, again.body.accepted, again.body.duplicates],
      [first.body.receipt, 0, first.body.accepted],
    );
    assert.equal(gateway.broker.msf().length, 1);
    assert.equal(kindOf((await pushMsf('lineup', bodyOf(wholeBodies.lineup), options)).body), 'idempotency-conflict');
    await pushMsf('playbyplay', bodyOf(wholeBodies.playbyplay));
    assert.equal(gateway.broker.msf().length, 2, 'without a key it is a new observation');
  });

  it('that has the same bytes is another body under another feed, season or game: its key is no key of both', async () => {
    const options = { headers: { 'idempotency-key': 'hash-of-its-bytes' } };
    const empty = '{"lastUpdatedOn":null,"gamelogs":[]}';
    const push = (feed: string, more: MsfOptions) => pushMsf(feed, empty, { ...options, ...more });
    const first = await push('player_gamelogs', { query: '?game=1' });
    assert.equal(first.status, 202);
    for (const [feed, more] of [
      ['team_gamelogs', { query: '?game=1' }],
      ['player_gamelogs', { query: '?game=2' }],
      ['player_gamelogs', { query: '?game=1', season: '2024-2025-regular' }],
      ['player_gamelogs', { query: '?game=1', league: 'nhl' }],
    ] as const) {
      assert.equal(kindOf((await push(feed, more)).body), 'idempotency-conflict', JSON.stringify([feed, more]));
    }
    const again = await push('player_gamelogs', { query: '?game=1', league: 'NBA' });
    assert.deepEqual([again.status, again.body.receipt, again.body.duplicates], [202, first.body.receipt, 1]);
    assert.equal(gateway.broker.msf().length, 1);
  });
});

describe('the path and the headers', () => {
  it('name a league and a feed that there are, and take no parameter but game', async () => {
    for (const [options, feed, status, kind, named] of [
      [{ league: 'xfl' }, 'games', 404, 'not-found', /league/],
      [{}, 'standings', 404, 'not-found', /feed/],
      [{}, 'constructor', 404, 'not-found', /feed/],
      [{ season: 'a b' }, 'games', 404, 'not-found', /season/],
      [{ query: '?season=1' }, 'games', 400, 'validation-error', /season/],
      [{ query: '?game=1' }, 'injuries', 400, 'validation-error', /game.*injuries/],
      [{ query: '?game=1' }, 'odds_gamelines', 400, 'validation-error', /game.*odds_gamelines/],
      [{ query: '?game=a/b' }, 'boxscore', 400, 'validation-error', /game/],
      [{ query: '?game=1&game=2' }, 'boxscore', 400, 'validation-error', /game/],
      [{ method: 'GET' }, 'games', 405, 'method-not-allowed', /POST/],
      [{ source: 'Feed' }, 'games', 404, 'not-found', /source/],
    ] as const) {
      const body = 'method' in options ? undefined : bodyOf(wholeBodies.games);
      const reply = await pushMsf(feed, body, options);
      assert.deepEqual([reply.status, kindOf(reply.body)], [status, kind], JSON.stringify([options, feed]));
      assert.match(String(reply.body.detail), named);
    }
    assert.deepEqual(gateway.broker.records, []);
  });

  it('need a key of the source with the scope msf', async () => {
    const foreign = gateway.mint(['other'], feedScopes).plaintext;
    const other = gateway.mint(['feed'], ['push', 'reference', 'backfill']).plaintext;
    for (const [key, kind] of [
      [null, 'invalid-key'],
      [foreign, 'forbidden'],
      [other, 'forbidden'],
    ] as const) {
      assert.equal(kindOf((await pushMsf('games', bodyOf(wholeBodies.games), { key })).body), kind);
    }
  });

  it('tell when the body was asked for: RFC 3339 and not ahead of the clock, else the header is named', async () => {
    const started = '2026-01-10T01:00:07.1234567+01:00';
    await pushMsf('games', bodyOf(wholeBodies.games), { headers: { 'x-request-started-at': started } });
    assert.equal(gateway.broker.msf()[0]?.observation?.request_started_at, parseRfc3339('2026-01-10T00:00:07.123456Z'));
    const ahead = new Date((gateway.clock.now() + 6 * microsPerSecond) / 1000).toISOString();
    for (const text of [
      '',
      'yesterday',
      '2026-01-10',
      '2026-01-10T01:00:07',
      '1999-01-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '9999-01-01T00:00:00Z',
      ahead,
    ]) {
      for (const header of ['X-Request-Started-At', 'X-Observed-At']) {
        const reply = await pushMsf('games', bodyOf(wholeBodies.games), { headers: { [header]: text } });
        assert.deepEqual([reply.status, kindOf(reply.body)], [400, 'validation-error'], text);
        assert.match(String(reply.body.detail), new RegExp(header));
      }
    }
    assert.equal(gateway.broker.msf().length, 1);
  });

  it('tell a time that stands for the receive time, with the scope backfill alone', async () => {
    const headers = { 'x-observed-at': '2026-01-10T01:00:10Z' };
    const live = gateway.mint(['feed'], ['msf']).plaintext;
    const refused = await pushMsf('games', bodyOf(wholeBodies.games), { headers, key: live });
    assert.deepEqual([refused.status, kindOf(refused.body)], [403, 'forbidden']);
    assert.deepEqual(gateway.broker.records, []);
    await pushMsf('games', bodyOf(wholeBodies.games), { headers });
    const [record] = gateway.broker.msf();
    assert.equal(record?.observation?.observed_at, parseRfc3339('2026-01-10T01:00:10Z'));
    assert.equal(record?.received_at, gateway.clock.now());
  });

  it('let no stamp into the log that could be no time', async () => {
    for (const [lastUpdatedOn, kept] of [
      [null, null],
      [7, null],
      ['soon', 'soon'],
      ['x'.repeat(100_000), null],
    ] as const) {
      await pushMsf('games', { ...wholeBodies.games, lastUpdatedOn });
      assert.equal(gateway.broker.msf().at(-1)?.observation?.last_updated_on, kept);
    }
  });
});

describe('what is refused of a body', () => {
  it('is bad-body at its pointer, with the body as a dead letter, and nothing in the log', async () => {
    for (const { pointer, feed, league = 'NBA', game, body } of badBodies) {
      const { letters } = gateway.catalogs;
      letters.length = 0;
      const query = game === undefined ? '' : `?game=${game}`;
      const reply = await pushMsf(feed, JSON.stringify(body), { league, query });
      const rejected = rejectedOf(reply);
      assert.deepEqual(
        rejected.map(([, at, code]) => [at, code]),
        [[pointer, 'bad-body']],
        `${feed} ${JSON.stringify(body).slice(0, 200)}`,
      );
      const beside = reply.status === 202 ? Number(reply.body.accepted) : 0;
      assert.deepEqual([rejected[0]?.[0], reply.status], [beside, beside > 0 ? 202 : 400]);
      assert.deepEqual(
        letters.map(({ topic, code, pointer: at, source, pushIndex }) => ({ topic, code, at, source, pushIndex })),
        [{ topic: topics.observations, code: 'bad-body', at: pointer, source: 'feed', pushIndex: beside }],
      );
      assert.equal(gateway.broker.msf().length, beside);
      gateway.broker.records.length = 0;
    }
  });

  it('of a list of games costs the entry alone, and is that entry in the dead letter', async () => {
    const bad = { schedule: gameObject({ id: 'x' }), score: 1 };
    const body = bodyOf({ games: [bad, { schedule: gameObject(), score: {} }, 7] });
    const reply = await pushMsf('games', body);
    assert.deepEqual([reply.status, reply.body.accepted], [202, 1]);
    assert.deepEqual(rejectedOf(reply), [
      [1, '/games/0/schedule/id', 'bad-body'],
      [2, '/games/2/schedule/id', 'bad-body'],
    ]);
    assert.deepEqual(payloads(), [JSON.stringify(bad), '7']);
    const receipt = gateway.catalogs.receipts.get(String(reply.body.receipt));
    assert.deepEqual(receipt?.acceptedIndexes, [0]);
  });

  for (const [name, body, pointer] of [
    ['is cut off', JSON.stringify(bodyOf(wholeBodies.playbyplay)).slice(0, -20), ''],
    ['is empty', '', ''],
    ['is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), ''],
    ['has a NaN', '{"game":{"id":NaN},"plays":[]}', ''],
    ['nests too deep', `{"plays":[],"x":${'{"x":'.repeat(40)}1${'}'.repeat(40)}}`, ''],
    ['nests too deep in a play', `{"plays":[{},${'['.repeat(40)}${']'.repeat(40)}]}`, '/plays/1'],
    ['nests too deep in another list', `{"plays":[],"a/b":[${'['.repeat(40)}${']'.repeat(40)}]}`, '/a~1b/0'],
    ['nests beyond all stacks', '['.repeat(1_000_000), ''],
  ] as const) {
    it(`which ${name} is the whole of it: 400 at ${JSON.stringify(pointer)}, and a dead letter`, async () => {
      const reply = await pushMsf('playbyplay', body);
      assert.deepEqual([reply.status, kindOf(reply.body)], [400, 'validation-error']);
      assert.deepEqual(rejectedOf(reply), [[0, pointer, 'bad-body']]);
      assert.deepEqual(payloads(), [Buffer.from(body as string).toString()]);
      assert.deepEqual(gateway.broker.records, []);
    });
  }

  it('what is let through nests no deeper than the fold reads', async () => {
    for (let depth = 26; depth <= 36; depth += 1) {
      const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      // Levels of the body outside of a list's entry, or of the entry.
      for (const [body, levels] of [
        [`{"players":[],"x":${deep}}`, depth - 1],
        [`{"players":[],"x":{"y":${deep}}}`, depth + 2],
        [`{"players":[{"x":${deep}}]}`, depth + 1],
        [`{"players":[${deep}]}`, depth],
      ] as const) {
        assert.equal((await pushMsf('players', body)).status, levels <= 30 ? 202 : 400, body);
      }
    }
  });

  it('a game of the list that nests too deep costs itself', async () => {
    const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
    const text = JSON.stringify(bodyOf({ games: [{ schedule: gameObject(), score: {} }, 0] })).replace(
      ',0]',
      `,${deep}]`,
    );
    const reply = await pushMsf('games', text);
    assert.deepEqual([reply.body.accepted, rejectedOf(reply)], [1, [[1, '/games/1/schedule/id', 'bad-body']]]);
    assert.deepEqual(payloads(), [deep]);
  });

  it('a game that the catalog refuses is named by its own pointer and code', async () => {
    const schedule = gameObject({ awayTeam: { id: 501, abbreviation: 'B\0S' }, id: 900_002 });
    gateway.catalogs.refusesEvent = 'game/NBA/900002';
    const reply = await pushMsf('games', bodyOf({ games: [{ schedule: gameObject() }, { schedule }] }));
    assert.deepEqual([reply.body.accepted, rejectedOf(reply)], [1, [[1, '/games/1/schedule', 'game-conflict']]]);
    assert.deepEqual(payloads(), [JSON.stringify({ games: [{ schedule }] })]);
  });

  it('more games, references or bytes than a push may have are none of them accepted', async () => {
    const games = Array.from({ length: 20_001 }, (_, id) => ({
      schedule: {
        id,
        startTime: '2026-01-10T00:30:00Z',
        awayTeam: { id: 1 },
        homeTeam: { id: 2 },
        scheduleStatus: '',
        playedStatus: '',
      },
    }));
    const many = { ...wholeBodies.players, references: { venueReferences: Array(20_001).fill({}) } };
    for (const [feed, body] of [
      ['games', { games }],
      ['players', many],
      ['games', { games: Array(20_001).fill({}) }],
      ['players', `{"players":[],"x":"${'x'.repeat(8 * 1024 * 1024)}"}`],
    ] as const) {
      const reply = await pushMsf(feed, body);
      assert.deepEqual([reply.status, kindOf(reply.body)], [413, 'payload-too-large']);
    }
    assert.deepEqual([gateway.broker.records, gateway.catalogs.letters], [[], []]);
  });
});

describe('an empty list', () => {
  it('is an observation of the game that game= names by its number, known or not', async () => {
    await pushMsf('boxscore', bodyOf(wholeBodies.boxscore));
    const known = gateway.broker.msf()[0]?.scope_uuid;
    for (const [feed, game, uuid] of [
      ['player_gamelogs', 900_001, known],
      ['games', 900_001, known],
      ['team_gamelogs', 42, gameUuid('NBA', 42)],
    ] as const) {
      const list = feed === 'games' ? { games: [] } : { gamelogs: [] };
      const reply = await pushMsf(feed, bodyOf(list), { query: `?game=${game}` });
      assert.deepEqual([reply.status, reply.body.accepted], [202, 1], feed);
      const record = gateway.broker.msf().at(-1);
      assert.deepEqual([record?.scope_uuid, record?.observation?.msf_game_id], [uuid, game]);
      assert.deepEqual(elementOf(record!), list);
    }
  });

  it('is of no game without one, or with one by another name: 202 and nothing', async () => {
    for (const query of ['', '?game=20171017-BOS-CLE']) {
      const reply = await pushMsf('player_gamelogs', bodyOf({ gamelogs: [] }), { query });
      assert.deepEqual([reply.status, reply.body.accepted, reply.body.rejected], [202, 0, []]);
      assert.equal((await gateway.get(`/v1/receipts/${reply.body.receipt}`)).body.state, 'applied');
    }
    const lines = await pushMsf('odds_gamelines', { lastUpdatedOn: null, gameLines: [], references: null });
    assert.deepEqual([lines.status, lines.body.accepted], [202, 0]);
    assert.deepEqual(gateway.broker.records, []);
  });

  it('of injuries is evidence, of the league and of each of its games', async () => {
    gateway.catalogs.unsettled.push(gameOfTeams('NBA_BOS_CLE_20260109', 'BOS', 'CLE'));
    const reply = await pushMsf('injuries', bodyOf({ players: [] }));
    assert.equal(reply.body.accepted, 2);
    for (const record of gateway.broker.msf()) assert.deepEqual(elementOf(record), { players: [] });
  });
});

const gameOfTeams = (gameId: string, away: string, home: string) => ({
  uuid: gameUuid('NBA', Buffer.from(gameId).readUInt32BE(4)),
  gameId,
  homeTeamId: teamUuid('NBA', home, 0),
  awayTeamId: teamUuid('NBA', away, 0),
});

describe('injuries', () => {
  const injured = (id: number, team: JsonObject | null) => ({
    ...player,
    id,
    currentTeam: team,
    currentInjury: { description: 'knee', playingProbability: 'OUT' },
  });
  const players = [
    injured(1, msfTeam(501, 'BOS')),
    injured(2, msfTeam(503, 'NYK')),
    injured(3, null),
    injured(4, msfTeam(504, 'CLE')),
  ];

  it('are the league’s, and those of its two teams for each game that has not settled', async () => {
    const game = gameOfTeams('NBA_BOS_CLE_20260109', 'BOS', 'CLE');
    gateway.catalogs.unsettled.push(game);
    const reply = await pushMsf('injuries', bodyOf({ players, note: 1.5 }), {
      headers: { 'x-observed-at': '2026-01-10T04:59:59Z', 'x-request-started-at': '2026-01-10T04:59:58Z' },
    });
    assert.deepEqual([reply.status, reply.body.accepted], [202, 2]);
    const [ofLeague, ofGame] = gateway.broker.msf();
    assert.deepEqual([ofLeague?.scope_uuid, ofLeague?.scope_id], [leagueUuid('NBA'), 'NBA']);
    assert.deepEqual([ofGame?.scope_uuid, ofGame?.scope_id, ofGame?.push_index], [game.uuid, game.gameId, 1]);
    assert.deepEqual(elementOf(ofLeague!), { players, note: 1.5 });
    assert.deepEqual(elementOf(ofGame!), { players: [players[0], players[3]], note: 1.5 });
    assert.deepEqual(ofGame?.observation, {
      ...ofLeague?.observation,
      element: ofGame?.observation?.element,
    });
    assert.equal(gateway.catalogs.dayAsked, '2026-01-09', 'the Eastern day of the receive time');
  });

  it('of hundreds of games are not held at once, and are held in the store once where they are alike', async () => {
    const { catalogs, broker, objects } = gateway;
    const games = Array.from({ length: 60 }, (_, nth) =>
      gameOfTeams(`NBA_A${10 + nth}_HOM_20260109`, `A${10 + nth}`, 'HOM'),
    );
    catalogs.unsettled.push(...games, gameOfTeams('NBA_BOS_CLE_20260109', 'BOS', 'CLE'));
    const appended: number[] = [];
    const produce = broker.produce.bind(broker);
    broker.produce = (topic, records) => {
      const values = topic === topics.observations ? records.map(({ value }) => value as ObservationsRecord) : [];
      appended.push(values.reduce((sum, { observation }) => sum + (observation?.element?.length ?? 0), 0));
      return produce(topic, records);
    };
    const carried = 800_000;
    const inline = await pushMsf('injuries', bodyOf({ players, ballast: 'x'.repeat(carried) }));
    assert.deepEqual([inline.status, inline.body.accepted], [202, 62]);
    assert.equal(broker.msf().length, 62);
    assert.ok(Math.max(...appended) < 7 * carried, `${Math.max(...appended)} characters were appended at once`);

    const puts: string[] = [];
    const put = objects.put.bind(objects);
    objects.put = (key, bytes) => {
      puts.push(key);
      return put(key, bytes);
    };
    const held = await pushMsf('injuries', bodyOf({ players, ballast: 'x'.repeat(mostInlineBytes) }));
    assert.deepEqual([held.status, held.body.accepted], [202, 62]);
    const shas = broker
      .msf()
      .slice(62)
      .map(({ observation }) => observation?.held?.sha256);
    assert.equal(new Set(shas).size, 3, 'of the league, of no player, of BOS and CLE');
    assert.equal(puts.length, 3);
  });

  it('are those of a game whose team is found by a name that was added to the catalog', async () => {
    const { teams, unsettled } = gateway.catalogs;
    teams.addAlias('bxn', teams.find('NBA', 'BOS')!);
    unsettled.push(gameOfTeams('NBA_BOS_CLE_20260109', 'BOS', 'CLE'));
    const renamed = [...players, injured(5, msfTeam(501, 'BXN'))];
    assert.equal((await pushMsf('injuries', bodyOf({ players: renamed }))).status, 202);
    assert.deepEqual(elementOf(gateway.broker.msf()[1]!), { players: [players[0], players[3], renamed[4]] });
  });

  it('sent again when other games are near: the receipt waits for each of those', async () => {
    const [one, two, three] = [
      gameOfTeams('NBA_BOS_CLE_20260109', 'BOS', 'CLE'),
      gameOfTeams('NBA_NYK_MIA_20260109', 'NYK', 'MIA'),
      gameOfTeams('NBA_LAL_DEN_20260109', 'LAL', 'DEN'),
    ];
    const { catalogs, broker } = gateway;
    const push = () => pushMsf('injuries', bodyOf({ players }), { headers: { 'idempotency-key': 'injuries' } });
    catalogs.unsettled.splice(0, 9, one, two);
    catalogs.acknowledgeFails = true;
    assert.equal((await push()).status, 503);
    catalogs.acknowledgeFails = false;
    const lost = broker.msf();
    catalogs.unsettled.splice(0, 9, two, three);
    const { status, body } = await push();
    assert.deepEqual([status, body.accepted], [202, 3]);
    const accepted = new Set(catalogs.receipts.get(String(body.receipt))?.acceptedIndexes);
    assert.equal(accepted.size, 3);

    const changes = noMsfChanges();
    const partition = { partition: 0, scopes: new HeldScopes() };
    const folded = () =>
      receiptFolds(changes)
        .flatMap(({ applied, duplicates, refused }) => [...applied, ...duplicates, ...refused])
        .filter((place) => accepted.has(place));
    for (const [offset, value] of broker.msf().entries()) {
      const frame = { offset, timestamp: gateway.clock.now(), key: value.scope_uuid, headers: {}, undecodable: null };
      foldRecord(partition, changes, { ...frame, value, bytes: new Uint8Array() });
      if (offset < lost.length) assert.ok(new Set(folded()).size < accepted.size, 'the third game is not folded');
    }
    assert.deepEqual(new Set(folded()), accepted);
  });

  it('of a body that is refused are nobody’s', async () => {
    gateway.catalogs.unsettled.push(gameOfTeams('NBA_BOS_CLE_20260109', 'BOS', 'CLE'));
    assert.equal((await pushMsf('injuries', bodyOf({ injuries: [] }))).status, 400);
    assert.deepEqual(gateway.broker.records, []);
  });
});

describe('an element too large for a record', () => {
  const bodyWith = (bytes: number) => {
    const content = { ...wholeBodies.playbyplay, note: '' };
    const more = bytes - JSON.stringify(content).length;
    return { ...content, note: 'n'.repeat(more) };
  };

  it('is held under its hash before its record is in the log, whole; one that fits is not', async () => {
    await pushMsf('playbyplay', bodyWith(mostInlineBytes));
    assert.equal(gateway.broker.msf()[0]?.observation?.element?.length, mostInlineBytes);
    assert.equal(gateway.objects.held.size, 0);
    const held = Promise.withResolvers<void>();
    gateway.broker.gate = held.promise;
    const content = bodyWith(3_000_000);
    const pushed = pushMsf('playbyplay', { lastUpdatedOn: null, ...content });
    const text = JSON.stringify(content);
    const sha256 = createHash('sha256').update(text).digest('hex');
    while (gateway.objects.held.size === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(gateway.broker.msf().length, 1);
    held.resolve();
    assert.equal((await pushed).status, 202);
    const { element, held: place } = gateway.broker.msf()[1]?.observation ?? {};
    assert.deepEqual([element, place], [null, { sha256, size: 3_000_000 }]);
    assert.equal(Buffer.from((await heldText(gateway.objects, place))!).toString(), text);
    const stored = gateway.objects.held.get(heldElementKey(sha256))!.length;
    assert.ok(stored < 3_000_000 / 100, `${stored} bytes of a text that is 99 % one letter`);
  });

  it('that another release of the compressor holds already is held; beside a damaged object it is held plain', async () => {
    const content = bodyWith(2_000_000);
    const text = JSON.stringify(content);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const [key, plainKey] = [heldElementKey(sha256), plainElementKey(sha256)];
    const otherwise = zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });
    await gateway.objects.put(key, otherwise);
    assert.equal((await pushMsf('playbyplay', content)).status, 202);
    gateway.objects.held.set(key, zstdCompressSync('another'));
    assert.equal((await pushMsf('playbyplay', content)).status, 202);
    assert.equal(Buffer.from(gateway.objects.held.get(plainKey) ?? []).toString(), text);
    gateway.objects.held.set(plainKey, zstdCompressSync('another'));
    assert.equal((await pushMsf('playbyplay', content)).status, 500);
    gateway.objects.held.set(key, otherwise);
  });

  it('that cannot be held is not acknowledged: 503, nothing in the log, and the retry is accepted', async () => {
    gateway.objects.down = true;
    const options = { headers: { 'idempotency-key': 'k' } };
    const lost = await pushMsf('playbyplay', bodyWith(mostInlineBytes + 1), options);
    assert.deepEqual([lost.status, lost.headers.get('retry-after')], [503, '1']);
    assert.deepEqual(gateway.broker.records, []);
    gateway.objects.down = false;
    const again = await pushMsf('playbyplay', bodyWith(mostInlineBytes + 1), options);
    assert.deepEqual([again.status, again.body.accepted], [202, 1]);
  });
});

describe('references', () => {
  const team = { id: 501, city: 'Boston', name: 'Celtics', abbreviation: 'BOS' };
  const venue = { id: 31, name: 'Small Hall', city: 'Boston, MA', country: 'USA' };
  const referred = { ...player, currentTeam: msfTeam(501, 'BOS'), primaryPosition: 'C', jerseyNumber: 4 };
  const body = (given: JsonObject = {}) => ({
    ...bodyOf(wholeBodies.playbyplay),
    references: { teamReferences: [team], venueReferences: [venue], playerReferences: [{ ...referred, ...given }] },
  });

  it('are reference data of the source msf, under the ids that rows carry, and no records of the push', async () => {
    const reply = await pushMsf('playbyplay', body());
    assert.equal(reply.body.accepted, 1);
    assert.deepEqual(
      references().map(({ id, source, source_id, push, push_index }) => ({ id, source, source_id, push, push_index })),
      [
        [teamUuid('NBA', 'BOS', 501), '501'],
        [venueUuid('NBA', 31), '31'],
        [playerUuid('NBA', 71), '71'],
      ].map(([id, source_id]) => ({ id, source: 'msf', source_id, push: reply.body.receipt, push_index: null })),
    );
    assert.deepEqual(references()[2]?.player, {
      first_name: 'F71',
      last_name: 'L71',
      position: 'C',
      jersey_number: 4,
      is_active: true,
      current_team_id: teamUuid('NBA', 'BOS', 501),
    });
  });

  it('are told again only when they say something else', async () => {
    await pushMsf('playbyplay', body());
    await pushMsf('boxscore', { ...body(), ...wholeBodies.boxscore }, { source: 'other' });
    assert.equal(references().length, 3);
    await pushMsf('playbyplay', body({ jerseyNumber: 5 }));
    assert.deepEqual(
      references()
        .slice(3)
        .map((each) => [each.source_id, each.player?.jersey_number]),
      [['71', 5]],
    );
  });

  it('are told again when it is not known that the log has them', async () => {
    gateway.broker.down = true;
    assert.equal((await pushMsf('playbyplay', body())).status, 503);
    gateway.broker.down = false;
    await pushMsf('playbyplay', body());
    assert.equal(references().length, 3);
  });

  it('that are wrong cost themselves, and are dead letters with their pointer in the body', async () => {
    const wrong = { ...bodyOf(wholeBodies.playbyplay), references: { venueReferences: [{ id: 'x' }, venue] } };
    const reply = await pushMsf('playbyplay', wrong);
    assert.deepEqual([reply.status, reply.body.accepted, reply.body.rejected], [202, 1, []]);
    assert.deepEqual(
      gateway.catalogs.letters.map(({ topic, code, pointer, receipt, pushIndex }) => [
        topic,
        code,
        pointer,
        receipt,
        pushIndex,
      ]),
      [[topics.games, 'bad-venue', '/references/venueReferences/0/id', reply.body.receipt, null]],
    );
    assert.equal(references().length, 1);
    await pushMsf('playbyplay', wrong);
    assert.equal(gateway.catalogs.letters.length, 1, 'one dead letter as long as the refusal stays the same');
  });

  it('come with the players of a league, and not with a body that is refused', async () => {
    const reply = await pushMsf('players', bodyOf({ players: [{ player: referred, teamAsOfDate: null }] }));
    assert.equal(reply.body.accepted, 1);
    assert.deepEqual(
      references().map(({ id }) => id),
      [playerUuid('NBA', 71)],
    );
    await pushMsf('playbyplay', { ...body(), plays: null });
    assert.equal(references().length, 1);
  });
});

describe('game lines', () => {
  const lineOf = (american: number) => ({ american, decimal: null, fractional: null });
  const entry = (asOfTime: string, away: number) => ({
    asOfTime,
    moneyLine: { gameSegment: 'FULL', awayLine: lineOf(away), homeLine: lineOf(-145), drawLine: null },
  });
  const body = (...moneyLines: unknown[]) => ({
    lastUpdatedOn: '2026-01-10T01:00:08.000Z',
    gameLines: [{ game: gamelogGame(), lines: [{ source: { name: 'Bovada' }, moneyLines }] }],
    references: { teamReferences: [{ id: 501, city: 'Boston', name: 'Celtics', abbreviation: 'BOS' }] },
  });
  const [t1, t2] = ['2026-01-09T20:00:00.000Z', '2026-01-09T21:00:00.000Z'] as const;

  it('go the quotes’ way, of a game that MSF names and times long past, without the scope backfill', async () => {
    await pushMsf('playbyplay', bodyOf(wholeBodies.playbyplay), { source: 'other' });
    const live = gateway.mint(['feed'], ['msf']).plaintext;
    const reply = await pushMsf('odds_gamelines', body(entry(t2, 120), entry(t1, 125)), { key: live });
    assert.deepEqual([reply.status, reply.body.accepted, reply.body.rejected], [202, 2, []]);
    assert.deepEqual(
      gateway.broker.observations().map(({ game_uuid, source, push, push_index, observation }) => ({
        game: game_uuid === gateway.broker.msf()[0]?.scope_uuid,
        source,
        push: push === reply.body.receipt,
        push_index,
        at: observation?.observed_at,
        history: observation?.history,
      })),
      [t1, t2].map((at, push_index) => ({
        game: true,
        source: 'feed',
        push: true,
        push_index,
        at: parseRfc3339(at),
        history: true,
      })),
    );
    assert.equal(references().length, 1);
  });

  it('that are wrong are refused as quotes are, their pointers from the body, their entries the dead letters', async () => {
    const reply = await pushMsf('odds_gamelines', body(entry(t1, 5), entry('?', 120)));
    assert.deepEqual([reply.status, reply.body.accepted], [202, 1]);
    assert.deepEqual(rejectedOf(reply), [
      [0, '/gameLines/0/lines/0/moneyLines/1/asOfTime', 'bad-time'],
      [1, '/gameLines/0/lines/0/moneyLines/0/moneyLine/awayLine', 'bad-price'],
    ]);
    assert.deepEqual(payloads(), [JSON.stringify(entry('?', 120)), JSON.stringify([entry(t1, 5)])]);
    const none = await pushMsf('odds_gamelines', body(entry('?', 120)));
    assert.deepEqual([none.status, rejectedOf(none).length], [400, 1]);
  });

  it('sent again with more behind them are the same elements', async () => {
    await pushMsf('odds_gamelines', body(entry(t1, 125)));
    await pushMsf('odds_gamelines', body(entry(t1, 125), entry(t2, 120)));
    const [first, same, next] = gateway.broker.observations().map(({ observation }) => observation?.sha256);
    assert.equal(first, same);
    assert.notEqual(first, next);
  });
});

describe('an outage', () => {
  it('acknowledges nothing that the log or the catalog does not have: 503, and the retry is accepted', async () => {
    const options = { headers: { 'idempotency-key': 'retry' } };
    for (const part of [gateway.broker, gateway.catalogs]) {
      part.down = true;
      const lost = await pushMsf('playbyplay', bodyOf(wholeBodies.playbyplay), options);
      assert.deepEqual([lost.status, lost.headers.get('retry-after')], [503, '1']);
      part.down = false;
    }
    assert.deepEqual(gateway.broker.msf(), []);
    gateway.catalogs.acknowledgeFails = true;
    assert.equal((await pushMsf('playbyplay', bodyOf(wholeBodies.playbyplay), options)).status, 503);
    gateway.catalogs.acknowledgeFails = false;
    const again = await pushMsf('playbyplay', bodyOf(wholeBodies.playbyplay), options);
    assert.deepEqual([again.status, again.body.accepted], [202, 1]);
    const pushes = gateway.broker.msf().map(({ push, push_index }) => `${push} ${push_index}`);
    assert.equal(new Set(pushes).size, 1, 'copies in the log can be recognised as one record');
  });
});
