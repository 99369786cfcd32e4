// The console's document (docs/operations.md#console): each check reads ok, warn or unknown by its own facts alone; the late hop is the one
// at which records wait; and a document is bounded whatever the facts are.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type ConsoleFacts, noFacts } from '../../../ops/console/console-facts.ts';
import { consoleState, mostRows } from '../../../ops/console/console-state.ts';
import {
  consoleFacts,
  healthOf,
  hour,
  minute,
  now,
  openLog,
  partition,
  reason,
  second,
} from '../../support/builders/console-facts.ts';

const away = { away: 'no answer within 3000 ms' };
const letters = (code: string, lately: number, source: string | null = 'feed') => ({
  ...{ source, code, letters: 7, lately, newest: now - 2 * minute },
});
const replaced = (ago: number) => ({ scope: 'MLB', dataset: 'injuries', replacedAt: now - ago, epoch: 'e2' });

/** For each check: facts for which it warns, its text then, and the facts without which it is unknown. */
const cases: readonly {
  check: string;
  warns: readonly (readonly [Partial<ConsoleFacts>, RegExp])[];
  needs: Partial<ConsoleFacts>;
}[] = [
  {
    check: 'catalog',
    warns: [[{ catalog: away }, /^PostgreSQL: no answer within 3000 ms$/]],
    needs: { catalog: away, health: away },
  },
  ...['log', 'registry', 'objects', 'ratelimit', 'clock'].map((name) => ({
    check: name,
    warns: [
      [
        { health: healthOf([reason(name)]) },
        new RegExp(`^${name}: what ${name} says \\(seen by ingest, projectors\\)$`),
      ],
    ] as const,
    needs: { health: away },
  })),
  {
    check: 'ticks',
    warns: [
      [{ tick: { answer: { at: now - 11 * second, age: 11 * second } } }, /^the newest tick is 11 s old$/],
      [{ tick: { answer: null }, health: healthOf([reason('ticks')]) }, /^ticks: what ticks says/],
    ],
    needs: { tick: away },
  },
  {
    check: 'feeds',
    warns: [
      [
        { openLogs: { answer: [openLog('G', { A: second, B: 16 * second, C: 20 * second })] } },
        /^2 of 3 sportsbooks late, longest C of feed: last observed 20 s ago$/,
      ],
    ],
    needs: { openLogs: away },
  },
  {
    check: 'folds',
    warns: [
      [
        { health: healthOf([reason('stalled live/1'), reason('stalled live/0')]) },
        /^stalled live\/1: .*; and 1 other$/,
      ],
    ],
    needs: { health: away },
  },
  {
    check: 'partitions',
    warns: [
      [
        { streams: { answer: [partition(), partition({ partition: 3, halted: 'a hole' })] } },
        /^1 partition halted, first live\/3: a hole$/,
      ],
      [{ streams: { answer: [] } }, /^no projector has ever begun$/],
    ],
    needs: { streams: away },
  },
  {
    check: 'publications',
    warns: [[{ outbox: { answer: { records: 1_200, age: 61 * second } } }, /^1,200 records .* the oldest 61 s old$/]],
    needs: { outbox: away },
  },
  {
    check: 'settlement',
    warns: [
      [
        { unsettled: { answer: { games: 2, since: now - 3 * minute, again: 0 } } },
        /^2 closed games .* closed 3 min ago$/,
      ],
      [
        { unsettled: { answer: { games: 2, since: now - 3 * minute, again: 1 } } },
        /^2 closed games .* closed 3 min ago; 1 settled game to be built again$/,
      ],
    ],
    needs: { unsettled: away },
  },
  {
    check: 'dead_letters',
    warns: [
      [
        { deadLetters: { answer: [letters('bad-price', 1), letters('bad-line', 3, null)] } },
        /^4 open ones in the last 15 min, most of them bad-line$/,
      ],
    ],
    needs: { deadLetters: away },
  },
  {
    check: 'epochs',
    warns: [
      [{ epochs: { answer: [replaced(minute)] } }, /^1 stream began a new epoch, last injuries of MLB: its readers/],
    ],
    needs: { epochs: away },
  },
  {
    check: 'keys',
    warns: [
      [
        { feedKeys: { answer: ['bytes', 'games'].map((quota) => keyNear('k', quota as 'bytes')) } },
        /^1 feed key with 80 % of a quota used, or more$/,
      ],
      [{ accounts: { answer: [{ id: 'a', name: 'n', used: 9, most: 10 }] } }, /^1 account with 80 %/],
    ],
    needs: { accounts: away },
  },
];

function keyNear(id: string, quota: 'bytes' | 'letters' | 'games') {
  return { id, sources: ['feed'], quota, used: 4_500 };
}

const statesOf = (facts: ConsoleFacts) =>
  Object.fromEntries(consoleState(facts).checks.map(({ id, state }) => [id, state]));

it('a game that is settled again has its files, so that its close says nothing about them', () => {
  const again = consoleState(consoleFacts({ unsettled: { answer: { games: 0, since: null, again: 3 } } }));
  const found = [...again.checks, ...again.hops].filter(({ id }) => id === 'settlement');
  for (const { state, what } of found) assert.deepEqual([state, what], ['ok', '3 settled games to be built again']);
  assert.equal(again.hops.find(({ id }) => id === 'settlement')?.waiting, 3);
});

describe('the checks', () => {
  it('are all ok where the service is well, each with a command', () => {
    const { checks, hops } = consoleState(consoleFacts());
    assert.deepEqual(
      checks.map(({ id }) => id),
      cases.map(({ check }) => check),
    );
    for (const { id, state, command } of checks) {
      assert.equal(state, 'ok', id);
      assert.match(command, /^\.\/sds [a-z]/, id);
    }
    assert.deepEqual(
      hops.map(({ id, state, waiting }) => [id, state, waiting]),
      [
        ['feeds', 'ok', null],
        ['log', 'ok', null],
        ['ticks', 'ok', null],
        ['fold-live', 'ok', 7],
        ['fold-reference', 'ok', 0],
        ['objects', 'ok', null],
        ['publications', 'ok', 2],
        ['settlement', 'ok', 0],
      ],
    );
  });

  for (const { check, warns, needs } of cases) {
    it(`${check} warns of its own fault alone, and is unknown where its facts are away`, () => {
      for (const [change, what] of warns) {
        const facts = consoleFacts(change);
        const found = consoleState(facts).checks.find(({ id }) => id === check);
        assert.deepEqual([found?.state, what.test(found?.what ?? '')], ['warn', true], found?.what);
        const others = Object.entries(statesOf(facts)).filter(([id, state]) => id !== check && state === 'warn');
        assert.deepEqual(others, [], 'other checks stay quiet');
      }
      const unknown = consoleState(consoleFacts(needs)).checks.find(({ id }) => id === check);
      assert.deepEqual([unknown?.state, unknown?.command], ['unknown', './sds status']);
    });
  }

  it('are unknown where only other processes could see the fault, and the database that tells of them is away', () => {
    const states = statesOf(consoleFacts({ catalog: away, health: healthOf([reason('catalog'), reason('log')]) }));
    assert.deepEqual([states.catalog, states.log, states.objects], ['warn', 'warn', 'unknown']);
  });

  it('are unknown where no process runs that looks, and say no more than those that run have seen', () => {
    const of = (lookers: readonly string[], reasons = [] as ReturnType<typeof reason>[]) => {
      const { checks, hops } = consoleState(consoleFacts({ health: healthOf(reasons, {}, lookers) }));
      const found = (id: string) => checks.find((check) => check.id === id);
      return {
        ...{ objects: found('objects'), ratelimit: found('ratelimit'), log: found('log') },
        hop: hops.find(({ id }) => id === 'objects'),
      };
    };
    const alone = of(['ticker']);
    assert.equal(alone.objects?.what, 'no process checks it: none has the role ingest or projectors');
    const states = Object.values(alone).map((each) => each?.state);
    assert.deepEqual(states, ['unknown', 'unknown', 'ok', 'unknown']);
    assert.deepEqual([of(['api', 'ingest']).objects?.what], ['the object store answers']);
    assert.equal(of(['api', 'projectors']).objects?.what, 'the object store gives back what was put');
    assert.equal(of(['projectors']).ratelimit?.state, 'unknown');
    assert.equal(of(['ticker'], [reason('objects')]).objects?.state, 'warn', 'what is reported stands');
  });

  it('say since when, where it is known', () => {
    const { checks } = consoleState(consoleFacts({ health: healthOf([reason('log', now - hour)]) }));
    assert.equal(checks.find(({ id }) => id === 'log')?.since, '2026-08-05T19:00:00.000000Z');
    assert.equal(checks.find(({ id }) => id === 'objects')?.since, null);
  });

  it('know nothing while a process waits for what it depends on', () => {
    const { checks, hops, ...lists } = consoleState(noFacts(now, consoleFacts().quotas, 'it waits'));
    assert.deepEqual(new Set(checks.map(({ state, what }) => `${state}: ${what}`)), new Set(['unknown: it waits']));
    assert.deepEqual(new Set(hops.map(({ state }) => state)), new Set(['unknown']));
    assert.deepEqual(
      [lists.sportsbooks, lists.partitions, lists.dead_letters, lists.epochs, lists.keys],
      [null, null, null, null, null],
    );
  });
});

describe('the hops', () => {
  const hopsOf = (change: Partial<ConsoleFacts>) =>
    Object.fromEntries(consoleState(consoleFacts(change)).hops.map((hop) => [hop.id, hop]));
  const lateOf = (hops: ReturnType<typeof hopsOf>) =>
    Object.values(hops)
      .filter(({ state }) => state === 'late')
      .map(({ id, late_ms }) => [id, late_ms]);

  it('are late where a quote waits, and say for how long', () => {
    const stalled = healthOf([reason('stalled live/1', now - 9 * second)], { 'live/0': 1, 'live/1': 40 });
    const hops = hopsOf({ health: stalled });
    assert.deepEqual(lateOf(hops), [['fold-live', 9_000]]);
    assert.equal(hops['fold-live']?.waiting, 41);
    assert.deepEqual(lateOf(hopsOf({ health: healthOf([reason('partition reference/0')]) })), [
      ['fold-reference', 180_000],
    ]);
    assert.deepEqual(lateOf(hopsOf({ outbox: { answer: { records: 5, age: 90 * second } } })), [
      ['publications', 90_000],
    ]);
    assert.deepEqual(lateOf(hopsOf({ health: healthOf([reason('registry', now - second)]) })), [['log', 1_000]]);
  });

  it('do not count what waits where the log or the catalog does not answer', () => {
    const behind = { 'live/0': 3, 'live/1': 4 };
    for (const name of ['log', 'catalog'])
      assert.equal(hopsOf({ health: healthOf([reason(name)], behind) })['fold-live']?.waiting, null, name);
    assert.equal(hopsOf({ health: healthOf([], { 'live/0': 3, 'live/1': null }) })['fold-live']?.waiting, null);
    assert.equal(hopsOf({ streams: away }).folds?.state, 'unknown');
  });
});

describe('the lists', () => {
  it('have the sportsbooks that are late first: late in all of their games, by the time that its board allows', () => {
    const soon = { ...openLog('SOON', { A: 100 * second, B: 121 * second, D: null }), start: now + hour };
    const logs = [openLog('PLAYS', { A: 16 * second, B: 15 * second, C: 40 * second }), soon];
    const rows = consoleState(consoleFacts({ openLogs: { answer: logs } })).sportsbooks ?? [];
    assert.deepEqual(
      rows.map(({ operator, state, games, late_games, age_ms, game_id }) => [
        ...[operator, state, games, late_games, age_ms, game_id],
      ]),
      [
        ['C', 'late', 1, 1, 40_000, 'PLAYS'],
        ['A', 'ok', 2, 1, 16_000, 'PLAYS'],
        ['B', 'ok', 2, 1, 15_000, 'PLAYS'],
      ],
    );
  });

  it('have the partitions that need the administrator first, with owner, epoch and what they have not committed', () => {
    const streams = [
      partition({ partition: 0 }),
      partition({ partition: 1 }),
      partition({ partition: 2, ownerId: '', ownerEpoch: 0 }),
      partition({ partition: 3, halted: 'a hole' }),
    ];
    const health = healthOf([reason('stalled live/1')], { 'live/0': 0, 'live/1': 40 });
    const rows = consoleState(consoleFacts({ streams: { answer: streams }, health })).partitions ?? [];
    assert.deepEqual(
      rows.map(({ partition, state, owner, owner_epoch, behind }) => [partition, state, owner, owner_epoch, behind]),
      [
        [3, 'halted', '17-ab', 4, null],
        [1, 'late', '17-ab', 4, 40],
        [2, 'unowned', null, 0, null],
        [0, 'ok', '17-ab', 4, 0],
      ],
    );
    const unknown = consoleState(consoleFacts({ streams: { answer: streams }, health: away })).partitions ?? [];
    assert.deepEqual(
      unknown.map(({ state }) => state),
      ['halted', 'unowned', 'unknown', 'unknown'],
    );
  });

  it('have commands that name what they act on, quoted for a shell', () => {
    const state = consoleState(
      consoleFacts({
        deadLetters: { answer: [letters('bad-price', 1, "it's; rm -rf $HOME"), letters('bad-record', 0, 'a\u202eb')] },
        epochs: { answer: [replaced(minute), replaced(2 * hour)] },
        feedKeys: { answer: [keyNear('k1', 'games')] },
        accounts: { answer: [{ id: 'acc', name: 'n', used: 9, most: 10 }] },
      }),
    );
    assert.deepEqual(
      state.dead_letters?.map(({ command, state: one }) => [one, command]),
      [
        ['warn', `./sds dlq replay --code bad-price --source 'it'\\''s; rm -rf $HOME'`],
        ['ok', './sds dlq replay --code bad-record'],
      ],
    );
    assert.deepEqual(
      state.epochs?.map(({ command, state: one }) => [one, command]),
      [
        ['warn', './sds epoch reset --dataset injuries --scope MLB'],
        ['ok', './sds epoch reset --dataset injuries --scope MLB'],
      ],
    );
    assert.deepEqual(
      state.keys?.map(({ kind, id, quota, used, most, command }) => [kind, id, quota, used, most, command]),
      [
        ['feed key', 'k1', 'games', 4_500, 5_000, './sds feed-keys list'],
        ['account', 'acc', 'monthly_rows', 9, 10, './sds usage --account acc'],
      ],
    );
  });

  it('are bounded, and say what they leave out', () => {
    const books = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`B${at}`, at * second]));
    const streams = Array.from({ length: 64 }, (_, at) => partition({ partition: at }));
    const state = consoleState(
      consoleFacts({ openLogs: { answer: [openLog('G', books)] }, streams: { answer: streams } }),
    );
    assert.deepEqual([state.sportsbooks?.length, state.partitions?.length], [mostRows, mostRows]);
    assert.deepEqual(state.left_out, { sportsbooks: 400 - mostRows, partitions: 64 - mostRows });
    assert.equal(state.sportsbooks?.[0]?.operator, 'B399');
  });
});
