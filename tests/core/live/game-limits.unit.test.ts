// Caps of docs/quotes.md: a game holds at most 400 operators, an operator at most 20,000 selections that it ever had there, whatever a record
// says, pushed or put straight into the log. The excess is refused, the rest is applied, and the refusals cost next to nothing.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { mostOperators, mostSelections } from '../../../core/live/game-limits.ts';
import { liveFacts } from '../../../core/live/manifest.ts';
import { RestartedLog } from '../../../core/live/restarted-log.ts';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import { noLiveChanges } from '../../../projectors/live/changes.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import {
  delta,
  gameImage,
  heartbeat,
  image,
  ownerRecord,
  quote,
  suspended,
  t0,
  uuid,
  withdrawn,
} from '../../support/builders/live-records.ts';
import { foldRecord } from '../../support/folds/fold-record.ts';
import { inShort, LiveLog } from '../../support/folds/live-log.ts';

const home = [quote('home', -110)];
const codes = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `OP${from + at}`);
const offers = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, home]));
const full = () => new LiveLog().applyAll([gameImage(offers(codes(mostOperators)))]);
const refusalsOf = (log: LiveLog, record: QuotesRecord) => {
  const { outcome } = log.apply(record);
  return [outcome?.state, ...(outcome?.refusals ?? []).map(({ code, pointer }) => `${code} ${pointer}`)];
};

describe('a game', () => {
  it('holds 400 operators, of one record the first in its order', () => {
    const log = new LiveLog();
    const said = gameImage(offers(['ZZ', ...codes(mostOperators), 'AA']));
    const beyond = [mostOperators, mostOperators + 1].map(
      (entry) => `too-many-operators /observation/operators/${entry}`,
    );
    assert.deepEqual(refusalsOf(log, said), ['applied', ...beyond]);
    const { operators } = liveFacts(log.game);
    assert.equal(Object.keys(operators).length, mostOperators);
    assert.ok('ZZ' in operators && !('AA' in operators) && !('OP399' in operators));
  });

  it('that is full applies the quotes of operators it holds, and refuses the others', () => {
    const log = full();
    const said = gameImage({ NEW: home, OP7: [quote('home', 130)], newer: home }, { at: 1 });
    assert.deepEqual(refusalsOf(log, said), [
      'applied',
      'too-many-operators /observation/operators/0',
      'too-many-operators /observation/operators/2',
    ]);
    assert.deepEqual(inShort(log.rows.slice(mostOperators)), ['OP7 moneyline/full/home price 130']);
    assert.equal(log.game.operators.length, mostOperators);
  });

  it('refuses a native record of an operator beyond its limit whole: neither its time nor its start counts', () => {
    const log = full();
    const before = JSON.stringify(liveFacts(log.game));
    for (const record of [image, delta].map((said) => said('NEW', home, { at: 90, start: t0 })))
      assert.deepEqual(refusalsOf(log, record), ['refused', 'too-many-operators /observation/operators/0']);
    assert.deepEqual(refusalsOf(log, heartbeat('NEW', { at: 90 })), [
      'refused',
      'too-many-operators /observation/operators/0',
    ]);
    assert.equal(JSON.stringify(liveFacts(log.game)), before);
    const sources = [...log.game.sources.values()].map(({ tracks }) => tracks.size);
    assert.deepEqual(sources, [1], 'refused operators leave no trace');
  });

  it('counts an operator from the first record that names it, a heartbeat or an owner included', () => {
    const log = new LiveLog().applyAll([
      gameImage(offers(codes(mostOperators - 2))),
      heartbeat('BEAT'),
      ownerRecord('OWNED', 's9'),
    ]);
    assert.deepEqual(refusalsOf(log, image('NEW', home)), ['refused', 'too-many-operators /observation/operators/0']);
    assert.deepEqual(refusalsOf(log, ownerRecord('NEW', 's9')), ['refused', 'too-many-operators /owner/operator']);
    assert.deepEqual(refusalsOf(log.saveAndLoad(), image('BEAT', home)), ['applied']);
  });
});

describe('an operator', () => {
  const selections = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => quote(`s${from + at}`, 100 + at));
  const parts = [0, 1, 2, 3].map((part) => delta('X', selections(mostSelections / 4, (part * mostSelections) / 4)));

  it('has 20,000 selections, those that are withdrawn included, and of one record the first in its order', () => {
    const log = new LiveLog().applyAll(parts.slice(0, 3)).applyAll([delta('X', selections(4_998, 15_000))]);
    log.apply(delta('X', [withdrawn('s0')]));
    const said = [
      quote('z', 110),
      withdrawn('never'),
      suspended('y'),
      quote('a', 110),
      quote('s1', 500),
      suspended('b'),
    ];
    assert.deepEqual(refusalsOf(log, delta('X', said, { at: 1 })), [
      'applied',
      'unknown-selection /observation/operators/0/quotes/1',
      'too-many-selections /observation/operators/0/quotes/3',
      'too-many-selections /observation/operators/0/quotes/5',
    ]);
    assert.deepEqual(
      inShort(log.rows.slice(-3)),
      ['X moneyline/full/s1 price 500', 'X moneyline/full/y suspended unpriced', 'X moneyline/full/z opened 110'].map(
        (row) => row.replace(' -', ' null'),
      ),
    );
    assert.deepEqual(refusalsOf(log, delta('X', [quote('s0', 120)], { at: 2 })), ['applied'], 'it comes back');
    assert.deepEqual(refusalsOf(log, delta('Y', home, { at: 2 })), ['applied'], 'its neighbour has room');
  });

  it('keeps counting them when its log is started over', () => {
    const log = new LiveLog().applyAll(parts);
    const again = new RestartedLog(log.game, { generation: 2, firstSeq: 9 });
    again.append([...log.rows]);
    again.finish();
    assert.deepEqual(refusalsOf(log, delta('X', [quote('new', 100)], { at: 1 })), [
      'applied',
      'too-many-selections /observation/operators/0/quotes/0',
    ]);
  });
});

describe('a direct record of 297,000 operators', () => {
  it('is one bounded turn, some hundred letters and 400 operators', () => {
    const operators = codes(297_000).map((operator) => ({ operator, quotes: home }));
    const record = gameImage({});
    for (const quotes of [home, []]) {
      const said = {
        ...record.observation!,
        operators: operators.map((each) => ({ ...each, quotes })).slice(0, quotes.length > 0 ? 5_000 : undefined),
      };
      const live = { partition: 0, games: new Map(), touched: new Set<never>(), closed: new Set<string>() };
      const changes = noLiveChanges();
      const value = { ...record, observation: said };
      const frame = { offset: 0, timestamp: t0, key: uuid, headers: {}, bytes: new Uint8Array(), undecodable: null };
      const begun = process.cpuUsage();
      foldRecord(live, changes, { ...frame, value } satisfies DeliveredRecord);
      const took = process.cpuUsage(begun).user / 1_000;
      const game = live.games.get(uuid) as LiveLog['game'];
      assert.equal(game.operators.length, mostOperators);
      assert.equal(changes.deadLetters.length, 1_000);
      const beyond = said.operators.length - mostOperators - 1_000;
      assert.match(changes.deadLetters.at(-1)?.detail ?? '', new RegExp(`${beyond} more entries of this record`));
      assert.ok(took < 3_000, `${took} ms of CPU`);
    }
  });
});
