// Folding 2, 7 and 10 of docs/quotes.md: which operators a record covers, and which source owns an operator.

import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { GameState } from '../../../core/live/game-state.ts';
import { liveFacts } from '../../../core/live/manifest.ts';
import { loadGame } from '../../../core/live/saved-game.ts';
import { recordRefusal } from '../../../core/quotes/normalise-observation.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { applyRecord } from '../../support/builders/in-one-go.ts';
import {
  delta,
  gameImage,
  heartbeat,
  image,
  ownerRecord,
  quote,
  seconds,
  tick,
  uuid,
} from '../../support/builders/live-records.ts';
import { inShort, LiveLog } from '../../support/folds/live-log.ts';
import { saveGame } from '../../support/folds/save-game.ts';

const home = (american: number) => [quote('home', american)];
const minutes = (count: number) => count * 60;

/** The source that owns X after these records: the one that can move its price. */
function ownerAfter(...records: QuotesRecord[]): string | undefined {
  return liveFacts(new LiveLog().applyAll(records).game).operators.X?.source;
}

describe('an operator', () => {
  it('belongs to the first source that names it in an image or delta', () => {
    assert.equal(ownerAfter(image('X', home(-110), { source: 's1' }), image('X', home(-120), { source: 's2' })), 's1');
    assert.equal(ownerAfter(delta('X', home(-110), { source: 's2' }), image('X', home(-120), { source: 's1' })), 's2');
    assert.equal(ownerAfter(heartbeat('X', { source: 's1' }), image('X', home(-110), { source: 's2' })), 's2');
  });

  it('is gained ten minutes after the newest record of its owner that named it, by time', () => {
    const s1 = (at: number) => image('X', home(-110), { source: 's1', at });
    const s2 = (at: number) => image('X', home(-120), { source: 's2', at });
    assert.equal(ownerAfter(s1(0), s2(minutes(10) - 0.000001)), 's1');
    assert.equal(ownerAfter(s1(0), s2(minutes(10))), 's2');
    assert.equal(ownerAfter(s1(0), heartbeat('X', { source: 's1', at: minutes(4) }), s2(minutes(10))), 's1');
    assert.equal(ownerAfter(s1(0), delta('X', [], { source: 's1', at: minutes(4) }), s2(minutes(14))), 's2');
    assert.equal(ownerAfter(s1(0), image('Y', home(-110), { source: 's1', at: minutes(4) }), s2(minutes(10))), 's2');
    assert.equal(ownerAfter(s1(0), heartbeat('X', { source: 's2', at: minutes(20) }), s1(minutes(21))), 's1');
  });

  it('stays with an owner whose newest record is newer by time than by log position', () => {
    const game = gameImage({ X: home(-110) }, { source: 's1', observedAt: minutes(8) });
    const native = delta('X', home(-115), { source: 's1', observedAt: minutes(2) });
    assert.equal(ownerAfter(game, native, image('X', home(-120), { source: 's2', at: minutes(12) })), 's1');
    assert.equal(ownerAfter(game, native, image('X', home(-120), { source: 's2', at: minutes(18) })), 's2');
  });

  it('keeps its selections when it changes hands', () => {
    const log = new LiveLog().applyAll([image('X', [...home(-110), quote('away', -110)], { source: 's1' })]);
    const { rows } = log.apply(image('X', home(-120), { source: 's2', at: minutes(10) }));
    assert.deepEqual(inShort(rows), ['X moneyline/full/home price -120']);
    assert.deepEqual(log.board('X'), ['moneyline/full/away stale_suspect', 'moneyline/full/home live']);
  });

  it('belongs to the source named by `sds sources assign`, and can be gained once that source is silent', () => {
    const s1 = (at: number) => image('X', home(-110 - at), { source: 's1', at });
    const s2 = (at: number) => image('X', home(120 + at), { source: 's2', at });
    assert.equal(ownerAfter(s1(0), ownerRecord('X', 's2')), 's2');
    assert.equal(ownerAfter(s1(0), s2(60), ownerRecord('X', 's2'), s1(120)), 's2');
    assert.equal(ownerAfter(s1(0), s2(60), ownerRecord('X', 's2'), s1(660)), 's1');
    // A source that never named the operator has no newest record from which ten minutes could be counted.
    assert.equal(ownerAfter(s1(0), ownerRecord('X', 's9'), s1(minutes(60))), 's9');
  });
});

describe('a rank', () => {
  const s1 = (rank: number | null, at = 0) =>
    image('X', home(-110), { source: 's1', at, ...(rank === null ? {} : { rank }) });
  const s2 = (rank: number | null, at = 1) =>
    image('X', home(-120), { source: 's2', at, ...(rank === null ? {} : { rank }) });

  it('takes an operator from a lower one with the first image or delta, and from no other', () => {
    assert.equal(ownerAfter(s1(0), s2(1)), 's2');
    assert.equal(ownerAfter(s1(-1), s2(0)), 's2');
    assert.equal(ownerAfter(s1(-1), s2(null)), 's2', 'a record without a rank: 0');
    assert.equal(ownerAfter(s1(null), s2(1)), 's2');
    assert.equal(ownerAfter(s1(0), delta('X', [], { source: 's2', rank: 1, at: 1 })), 's2');
    assert.equal(ownerAfter(s1(0), gameImage({ X: [] }, { source: 's2', rank: 1, at: 1 })), 's2');
    assert.equal(ownerAfter(s1(0), heartbeat('X', { source: 's2', rank: 1, at: 1 })), 's1');
    assert.equal(ownerAfter(s1(1), s2(1)), 's1');
    assert.equal(ownerAfter(s1(1), s2(0)), 's1');
  });

  it('keeps an operator from lower ones for as long as its owner is silent', () => {
    assert.equal(ownerAfter(s1(1), s2(0, minutes(60))), 's1');
    assert.equal(ownerAfter(s1(1), s2(1, minutes(10))), 's2');
  });

  it('is that of the newest record, by log position, which carries one', () => {
    assert.equal(ownerAfter(s1(5), s1(null, 1), s2(1, 2)), 's1');
    assert.equal(ownerAfter(s1(5), s1(0, 1), s2(1, 2)), 's2');
    assert.equal(ownerAfter(s1(5), heartbeat('X', { source: 's1', rank: 0, at: 1 }), s2(1, 2)), 's2');
    assert.equal(ownerAfter(s1(0), image('Y', home(-110), { source: 's1', rank: 2, at: 1 }), s2(1, 2)), 's1');
    assert.equal(ownerAfter(s1(0), s2(1), s1(2, 2)), 's1');
  });

  it('counts from records that are applied alone', () => {
    const again = { source: 's1', recordId: 'one' };
    const first = image('X', home(-110), { ...again, rank: 0 });
    assert.equal(ownerAfter(first, image('X', home(-110), { ...again, rank: 5 }), s2(1)), 's2');
  });

  it('takes an operator back from the source named by `sds sources assign`, if its rank is lower', () => {
    assert.equal(ownerAfter(s1(1), ownerRecord('X', 's2', 0)), 's2');
    assert.equal(ownerAfter(s1(1), ownerRecord('X', 's2', 0), s1(1, 60)), 's1');
    assert.equal(ownerAfter(s1(1), ownerRecord('X', 's2', 1), s1(1, 60)), 's2');
  });

  it('is in saved games, and 0 in those of releases before ranks', () => {
    const folded = new LiveLog().applyAll([s1(5)]);
    const saved = JSON.parse(JSON.stringify(saveGame(folded.game))) as { form: number; sources: { rank?: number }[] };
    const ownerOf = (game: GameState) => {
      applyRecord(game, s2(1), { partition: 0, offset: 1, timestamp: seconds(1) });
      return liveFacts(game).operators.X?.source;
    };
    assert.equal(ownerOf(loadGame(saved)), 's1');
    for (const source of saved.sources) delete source.rank;
    assert.equal(ownerOf(loadGame({ ...saved, form: 2 })), 's2');
  });

  it('is a whole number from -1000 to 1000', () => {
    for (const rank of [-1_001, 1_001, 2 ** 31 - 1]) {
      const record = s1(rank);
      assert.equal(recordRefusal(record.game_uuid, record)?.code, 'bad-record');
    }
    for (const rank of [-1_000, 1_000, null]) assert.equal(recordRefusal(uuid, s1(rank)), null);
  });
});

describe('a record of another source about an operator', () => {
  const owned = [image('X', home(-110), { source: 's1', at: 0 })];

  it('is refused in every receipt, and is one dead letter per source, operator and hour', () => {
    const log = new LiveLog().applyAll(owned);
    // The owner sends something before each record, so that the other source never gains the operator. t0 is a full
    // hour.
    const deadLetters = [60, 120, 3_599, 3_600, 3_700, 7_300].map((at) => {
      log.apply(heartbeat('X', { source: 's1', at }));
      const { outcome, rows } = log.apply(image('X', home(-200), { source: 's2', at }));
      assert.equal(outcome?.state, 'applied');
      assert.deepEqual(
        outcome?.refusals.map(({ code }) => code),
        ['other-source'],
      );
      assert.equal(rows.length, 0);
      return outcome?.refusals[0]?.deadLetter;
    });
    assert.deepEqual(deadLetters, [true, false, false, true, false, true]);
    const other = log.apply(image('X', home(-200), { source: 's3', at: 7_301 }));
    assert.equal(other.outcome?.refusals[0]?.deadLetter, true);
  });

  it('makes no second dead letter for an hour that is repeated', () => {
    const game = (observedAt: number) => gameImage({ X: home(-200) }, { source: 's2', observedAt });
    const native = image('X', home(-200), { source: 's2', observedAt: 60 });
    const log = new LiveLog().applyAll([image('X', home(-110), { source: 's1', at: 3_600 })]);
    const deadLetters = [game(3_660), native, game(3_720)].map(
      (record) => log.apply(record).outcome?.refusals[0]?.deadLetter,
    );
    assert.deepEqual(deadLetters, [true, true, false]);
  });

  it('still sets time and start, and covers no operator', () => {
    const log = new LiveLog().applyAll(owned);
    log.apply(image('X', home(-200), { source: 's2', at: 90, inPlay: true, start: seconds(60) }));
    const facts = liveFacts(log.game);
    assert.equal(facts.appliedThrough, seconds(90));
    assert.equal(facts.operators.X?.observed_through, seconds(0));
    assert.deepEqual(log.board('X'), ['moneyline/full/home live'], "the flag of s2 is not X's: T is still 120 s");
    const { rows } = log.apply(image('Y', home(-105), { source: 's2', at: 50, start: null }));
    assert.deepEqual(
      rows.map(({ timestamp, in_play }) => [timestamp, in_play]),
      [[seconds(90), true]],
    );
  });

  it('does not affect its neighbours in a game image', () => {
    const log = new LiveLog().applyAll(owned);
    const { rows, outcome } = log.apply(gameImage({ X: home(-200), Y: home(-105) }, { source: 's2', at: 30 }));
    assert.deepEqual(inShort(rows), ['Y moneyline/full/home opened -105']);
    assert.deepEqual(
      outcome?.refusals.map(({ code }) => code),
      ['other-source'],
    );
  });

  it('is no refusal if it is a heartbeat for an operator without an owner', () => {
    const log = new LiveLog();
    assert.deepEqual(log.apply(heartbeat('X')).outcome, { state: 'applied', refusals: [] });
    assert.deepEqual(liveFacts(log.game).operators, {});
    const owner = new LiveLog().applyAll(owned);
    assert.deepEqual(
      owner.apply(heartbeat('X', { source: 's2' })).outcome?.refusals.map(({ code }) => code),
      ['other-source'],
    );
  });
});

describe('a game image', () => {
  const offer = { X: home(-110), Y: home(-110) };

  it('is an empty image of the covered operators of its source that it does not name', () => {
    const log = new LiveLog().applyAll([gameImage(offer), image('Z', home(-110), { source: 's2' })]);
    log.apply(gameImage({ Y: home(-110) }, { at: 5 }));
    assert.deepEqual(log.board('X'), ['moneyline/full/home stale_suspect']);
    assert.deepEqual(log.board('Y'), ['moneyline/full/home live']);
    assert.deepEqual(log.board('Z'), ['moneyline/full/home live'], "Z is another source's");
    const watermarks = liveFacts(log.game).operators;
    assert.deepEqual([watermarks.X?.observed_through, watermarks.Y?.observed_through], [seconds(0), seconds(5)]);
  });

  it('does not affect operators outside its poll, unless it names them', () => {
    const log = new LiveLog().applyAll([gameImage(offer)]);
    log.apply(gameImage({ Y: home(-120) }, { covered: ['W'], at: 5 }));
    assert.deepEqual(log.board('X'), ['moneyline/full/home live']);
    assert.deepEqual(inShort(log.rows.slice(-1)), ['Y moneyline/full/home price -120']);
    log.apply(gameImage({}, { covered: ['X'], at: 6 }));
    assert.deepEqual(log.board('X'), ['moneyline/full/home stale_suspect']);
    assert.deepEqual(log.board('Y'), ['moneyline/full/home live']);
  });

  it('does not count what an operator outside its poll leaves out', () => {
    const log = new LiveLog().applyAll([gameImage({ Y: [...home(-110), quote('away', -110)] })]);
    for (const at of [1, 2, 3]) log.apply(gameImage({ Y: home(-120) }, { covered: ['W'], at }));
    assert.deepEqual(log.board('Y'), ['moneyline/full/away live', 'moneyline/full/home live']);
  });

  it('withdraws natively pushed operators of its source that it leaves out', () => {
    const log = new LiveLog().applyAll([image('N', home(-110)), gameImage({ X: home(-110) })]);
    assert.deepEqual(inShort(log.apply(gameImage({ X: home(-110) })).rows), ['N moneyline/full/home withdrawn -110']);
  });

  it('gives an operator it names with no valid quote a watermark', () => {
    const log = new LiveLog().applyAll([gameImage(offer), gameImage({ X: [quote('home', 50)], Y: [] }, { at: 5 })]);
    const { operators } = liveFacts(log.game);
    assert.deepEqual([operators.X?.observed_through, operators.Y?.observed_through], [seconds(5), seconds(5)]);
    assert.deepEqual(log.board('X'), ['moneyline/full/home stale_suspect']);
  });

  it('removes the flag of an operator it leaves out, even where it covers none of its markets', () => {
    const total = [{ market: 'total', period: null, alternate: null }];
    const log = new LiveLog().applyAll([image('X', home(-110), { inPlay: true })]);
    log.applyAll([gameImage({ Y: home(-110) }, { at: 1, coverage: total }), tick(20)]);
    assert.deepEqual(log.board('X'), ['moneyline/full/home live'], 'X was named last without a flag: 120 s');
    log.apply(tick(121));
    assert.deepEqual(log.board('X'), ['moneyline/full/home stale_suspect']);
  });
});
