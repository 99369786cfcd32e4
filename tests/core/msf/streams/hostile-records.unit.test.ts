// Records that any producer may have written to the topic (docs/operations.md#topics): each is refused for its fault, and affects nothing
// else.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { gameUuid } from '../../../../core/msf/ids.ts';
import { applyObservation } from '../../../../core/msf/streams/apply.ts';
import { frameRefusal, scopeOf } from '../../../../core/msf/streams/frame.ts';
import { factsOf, newScope } from '../../../../core/msf/streams/scope-state.ts';
import type { Micros } from '../../../../core/units.ts';
import type { MsfObservation, ObservationsRecord } from '../../../../schemas/events/observations.ts';
import { cases } from '../../../support/arbitraries/cases.ts';
import { microsPerDay, scopesOf } from '../../../support/arbitraries/msf.ts';
import { gameObject, wholeBodies } from '../../../support/builders/msf-bodies.ts';
import { frameOf, observationRecord, PureMsf } from '../../../support/folds/msf-log.ts';

const at: Micros = Date.UTC(2026, 0, 10, 1) * 1_000;
const { game, league } = scopesOf('NBA');
const element = { game: gameObject(), plays: [] };
const good = observationRecord(game, { feed: 'playbyplay', requested: at - 1, at, body: element }, 900001, element);
const said = (given: Partial<MsfObservation>): Partial<ObservationsRecord> => ({
  observation: { ...good.observation!, ...given },
});
const ofLeague = observationRecord(league, { feed: 'injuries', requested: at, at, body: {} }, null, { players: [] });
const resetting = { id: 'r', dataset: 'plays', phase: 'begin', gaps: [] as string[] };
const reset = (given: object) => ({ observation: null, reset: { ...resetting, ...given } });

const byHand = (given: object) => ({
  observation: null,
  status: { from: 'STARTED', to: 'CANCELLED', at, ...given },
});

type Case = [what: string, given: Partial<ObservationsRecord>, code: string, pointer: string];

const frames: readonly Case[] = [
  ['no UUID', { scope_uuid: 'NBA' }, 'bad-key', '/scope_uuid'],
  ['another key', { scope_uuid: league.uuid }, 'bad-key', '/scope_uuid'],
  ['no league', { league: 'XFL' }, 'bad-record', '/league'],
  ['another league', { league: 'NFL' }, 'bad-record', '/scope_id'],
  ['an id of another league', { scope_id: 'NFL_BAL_KC_20240905' }, 'bad-record', '/scope_id'],
  ['an id that is none', { scope_id: 'NBA' }, 'bad-record', '/scope_id'],
  ['nothing said', { observation: null }, 'bad-record', ''],
  ['two things said', { tick: { at } }, 'bad-record', ''],
  ['a receive time that is none', { received_at: -1 }, 'bad-record', '/received_at'],
  ['an index below 0', { push_index: -1 }, 'bad-record', '/push_index'],
  ['no source', { source: 'M S F' }, 'bad-record', '/source'],
  ['a tick of no time', { observation: null, tick: { at: -1 } }, 'bad-record', '/tick/at'],
  ['no feed', said({ feed: 'standings' }), 'bad-record', '/observation/feed'],
  ['a feed of leagues', said({ feed: 'players' }), 'bad-record', '/observation/feed'],
  ['lines', said({ feed: 'odds_gamelines' }), 'bad-record', '/observation/feed'],
  ['no game', said({ msf_game_id: null }), 'bad-record', '/observation/msf_game_id'],
  ['a game that no double holds', said({ msf_game_id: 2 ** 53 }), 'bad-record', '/observation/msf_game_id'],
  ['neither element nor object', said({ element: null }), 'bad-record', '/observation'],
  ['both', said({ held: { sha256: '', size: 1 } }), 'bad-record', '/observation'],
  ['a request before 1970', said({ request_started_at: -1 }), 'bad-record', '/observation/request_started_at'],
  ['a rebuild of no id', said({ rebuild: '' }), 'bad-record', '/observation/rebuild'],
  ['a time before 2000', said({ observed_at: 1 }), 'bad-time', '/observation/observed_at'],
  ['a time from the future', said({ observed_at: at + 5_000_001 }), 'future-observation', '/observation/observed_at'],
  ['a reset of no id', reset({ id: 'a b' }), 'bad-record', '/reset/id'],
  ['a reset of no dataset', reset({ dataset: 'board' }), 'bad-record', '/reset/dataset'],
  ['a reset half-way', reset({ phase: 'middle' }), 'bad-record', '/reset/phase'],
  ['a gap without a reason', reset({ gaps: ['2026-01-10T01:00:00Z/..'] }), 'bad-record', '/reset/gaps'],
  ['a gap without a beginning', reset({ gaps: ['../2026-01-10T01:00:00Z lost'] }), 'bad-record', '/reset/gaps'],
  ['a gap of no time', reset({ gaps: ['2026-01-10T01:00:00Z/soon lost'] }), 'bad-record', '/reset/gaps'],
  ['gaps without end', reset({ gaps: Array(1_001).fill('2026-01-10T01:00:00Z/.. lost') }), 'bad-record', '/reset/gaps'],
  ['a status that is none', byHand({ to: 'OVER' }), 'bad-record', '/status'],
  ['a status from none', byHand({ from: '' }), 'bad-record', '/status'],
  ['a move that nobody may make', byHand({ from: 'CANCELLED', to: 'STARTED' }), 'bad-record', '/status'],
  ['a status of no time', byHand({ at: -1 }), 'bad-record', '/status/at'],
];

describe('the frame of a record', () => {
  it('is sound in every record of the gateway, the ticker and the administrator', () => {
    for (const record of [
      good,
      ofLeague,
      { ...good, scope_id: game.uuid },
      { ...good, ...said({ feed: 'injuries', msf_game_id: null }) },
      { ...good, source: '', observation: null, tick: { at } },
      { ...good, source: 'service', ...byHand({ from: 'COMPLETED', to: 'STARTED' }) },
      {
        ...good,
        source: '',
        ...reset({ gaps: ['2026-01-10T01:00:00Z/.. lost', '2026-01-10T01:00:00.000001Z/2026-01-11T01:00:00Z x y'] }),
      },
    ]) {
      assert.equal(frameRefusal(record.scope_uuid, record, at), null);
      assert.ok(scopeOf(record) !== null);
    }
    assert.deepEqual(scopeOf(ofLeague), league);
    assert.deepEqual(scopeOf(good), game);
  });

  for (const [what, given, code, pointer] of frames) {
    it(`refuses ${what}`, () => {
      const refusal = frameRefusal(game.uuid, { ...good, ...given }, at);
      assert.deepEqual([refusal?.code, refusal?.pointer], [code, pointer]);
    });
  }

  it('refuses a key of something else, and a league with a game in it', () => {
    assert.equal(frameRefusal(null, good, at)?.code, 'bad-key');
    assert.equal(frameRefusal(gameUuid('NBA', 1), good, at)?.code, 'bad-key');
    const withGame = { ...ofLeague, observation: { ...ofLeague.observation!, msf_game_id: 1 } };
    assert.equal(frameRefusal(league.uuid, withGame, at)?.pointer, '/observation/msf_game_id');
    const playByPlay = { ...ofLeague, observation: { ...ofLeague.observation!, feed: 'playbyplay' } };
    assert.equal(frameRefusal(league.uuid, playByPlay, at)?.pointer, '/observation/feed');
    assert.equal(frameRefusal(league.uuid, { ...ofLeague, ...byHand({}) }, at)?.pointer, '/scope_id');
  });
});

const held = (text: string) => {
  const bytes = new TextEncoder().encode(text);
  return { bytes, held: { sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length } };
};

type ElementCase = [
  what: string,
  given: Partial<MsfObservation>,
  attached: Uint8Array | null,
  code: string,
  pointer: string,
];
const text = JSON.stringify(element);
const stored = held(text);
const deep = `${'{"a":'.repeat(32)}1${'}'.repeat(32)}`;

const elements: readonly ElementCase[] = [
  ['no JSON', { element: '{' }, null, 'bad-element', '/observation/element'],
  ['no object', { element: '[]' }, null, 'bad-element', '/observation/element'],
  ['nested too deep', { element: `{"a":${deep}}` }, null, 'bad-element', '/observation/element'],
  ['an abyss', { element: `{"a":${'['.repeat(300_000)}` }, null, 'bad-element', '/observation/element'],
  [
    'a deep abyss that closes',
    { element: `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}` },
    null,
    'bad-element',
    '/observation/element',
  ],
  ['a list that is not there', { element: '{}' }, null, 'bad-body', '/plays'],
  ['another game', { msf_game_id: 900002 }, null, 'bad-body', '/game/id'],
  ['half a character', { element: text.replace('Small Hall', '\\ud800') }, null, 'bad-body', ''],
  ['an object that is not to be had', { element: null, held: stored.held }, null, 'bad-element', '/observation/held'],
  ['other bytes', { element: null, held: stored.held }, held(`${text} `).bytes, 'bad-element', '/observation/held'],
  [
    'other bytes of that size',
    { element: null, held: stored.held },
    held(text.replace('BOS', 'BOZ')).bytes,
    'bad-element',
    '/observation/held',
  ],
  [
    'bytes that are no text',
    {
      element: null,
      held: {
        sha256: createHash('sha256')
          .update(new Uint8Array([0xff]))
          .digest('hex'),
        size: 1,
      },
    },
    new Uint8Array([0xff]),
    'bad-element',
    '/observation/held',
  ],
];

describe('an element', () => {
  it('is read alike from its object and from its record', () => {
    const msf = new PureMsf();
    const { effects } = msf.fold({ ...good, ...said({ element: null, held: stored.held }) }, at, stored.bytes);
    assert.equal(effects.outcome?.result, 'applied');
    assert.equal(msf.fold(good, at).effects.outcome?.result, 'same');
  });

  for (const [what, given, attached, code, pointer] of elements) {
    it(`is refused that is ${what}, and changes nothing`, () => {
      const msf = new PureMsf();
      msf.fold(good, at);
      const before = factsOf(msf.scopes.get(game.uuid)!);
      const { effects } = msf.fold({ ...good, ...said(given) }, at, attached);
      assert.deepEqual(
        effects.refusals.map((refusal) => [refusal.code, refusal.pointer]),
        [[code, pointer]],
      );
      assert.deepEqual(effects.outcome, { result: 'refused', refusals: effects.refusals });
      assert.deepEqual([effects.revisions, effects.touched], [[], []]);
      assert.deepEqual(factsOf(msf.scopes.get(game.uuid)!), before);
    });
  }
});

describe('a record of another scope', () => {
  for (const [what, given] of [
    ['by its league', { league: 'NFL', scope_id: 'NFL_BAL_KC_20240905' }],
    ['by its id', { scope_id: 'NBA_BOS_CLE_20260111' }],
  ] as const) {
    it(`is refused ${what}`, () => {
      const msf = new PureMsf();
      msf.fold(good, at);
      const { effects } = msf.fold({ ...good, ...given }, at);
      assert.deepEqual(
        effects.refusals.map(({ code, pointer }) => [code, pointer]),
        [['bad-record', '/scope_id']],
      );
    });
  }
});

describe('a request start', () => {
  it('in the far future is not used, so that later observations are not late', () => {
    const msf = new PureMsf();
    const future = { ...good, ...said({ request_started_at: at + microsPerDay }) };
    const { effects } = msf.fold(future, at);
    assert.deepEqual(
      effects.revisions.map(({ sourceObservation }) => sourceObservation.request_started_at),
      [at, at],
    );
    assert.equal(
      msf.fold({ ...good, received_at: at + 1, ...said({ request_started_at: at + 1 }) }, at + 1).effects.outcome
        ?.result,
      'same',
    );
  });
});

describe('a clock that is ahead of the broker’s', () => {
  it('is not used, and no observation is lost by it', () => {
    const msf = new PureMsf();
    const { effects } = msf.fold(
      { ...good, received_at: at + microsPerDay, ...said({ request_started_at: null }) },
      at,
    );
    assert.deepEqual(
      effects.revisions.map(({ sourceObservation }) => sourceObservation.request_started_at),
      [at, at],
    );
    msf.fold({ ...good, source: '', observation: null, tick: { at: at + microsPerDay } }, at + 1);
    assert.equal(msf.scopes.get(game.uuid)?.logTime, at + 1);
    const later = { ...good, received_at: at + 2, ...said({ request_started_at: at + 2 }) };
    assert.equal(msf.fold(later, at + 2).effects.outcome?.result, 'same');
  });
});

describe('any value', () => {
  it('is folded or refused, never thrown', () => {
    const known = Object.entries(wholeBodies).map(([feed, body]) => ({ feed, element: JSON.stringify(body) }));
    const content = fc.oneof(
      fc.constantFrom(...known),
      fc.record({
        feed: fc.oneof(fc.constantFrom(...known.map(({ feed }) => feed)), fc.string()),
        element: fc.oneof(
          fc.constantFrom(...known.map(({ element }) => element)),
          fc.json({ maxDepth: 4 }),
          fc.string(),
        ),
      }),
    );
    const about = fc.record({
      msf_game_id: fc.oneof(fc.constant(900001), fc.constantFrom(null, 7, 1.5)),
      observed_at: fc.constantFrom(null, at, Number.NaN),
      request_started_at: fc.constantFrom(null, at, -1, Number.MAX_VALUE),
      last_updated_on: fc.constantFrom(null, '', '2026-01-10T01:00:00Z', 'soon'),
      rebuild: fc.constantFrom(null, null, 'r'),
    });
    const records = fc.tuple(content, about).map(([observed, given]) => ({ ...observed, ...given }));
    const applied = { frames: 0, folded: 0 };
    fc.assert(
      fc.property(fc.array(records, { maxLength: 12 }), fc.constantFrom(game, league), (all, scope) => {
        const state = newScope(scope);
        for (const [offset, given] of all.entries()) {
          const observation = { ...good.observation!, ...given };
          const record = { ...frameOf(scope), observation };
          const position = { partition: 0, offset, timestamp: at };
          if (frameRefusal(scope.uuid, record, at) === null) applied.frames += 1;
          const { outcome } = applyObservation(state, record, position, null);
          assert.ok(outcome !== null);
          if (outcome.result !== 'refused') applied.folded += 1;
        }
      }),
      { numRuns: cases(300) },
    );
    assert.ok(applied.frames > cases(20) && applied.folded > cases(100), JSON.stringify(applied));
  });
});
