// Claim: the digest of a partition is the exclusive or of one hash for each current state of its games, however often it was computed
// before, and wherever the state was saved and loaded. A violation would need an undetected change of a game.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'vitest';
import type { GameState } from '../../../core/live/game-state.ts';
import type { DeliveredRecord } from '../../../core/ports/broker.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { LiveProjector, loadGames } from '../../../projectors/live/live-projector.ts';
import type { KeptLog } from '../../../projectors/worker/kept-log.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { generateRecords } from '../../oracle/generate-records.ts';
import { seededRandom } from '../../oracle/random.ts';
import { deliveredRecord } from '../../support/builders/delivered-record.ts';
import { heartbeat, image, quote, seconds, uuid } from '../../support/builders/live-records.ts';
import { KeptCommits } from '../../support/folds/flushed-projector.ts';

const runs = 60;
const firstSeed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));

it(`is that of all games, whatever was hashed before (seeds ${firstSeed} … ${firstSeed + runs - 1})`, () => {
  let changes = 0;
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    const random = seededRandom(seed);
    const open = (of: Map<string, GameState>) => new LiveProjector(new KeptCommits(), 0, of);
    let games = new Map<string, GameState>();
    let projector = open(games);
    let before = projector.digest();
    assert.equal(before, '0'.repeat(64));
    for (const [offset, record] of generateRecords(seed, 60).entries()) {
      runToEnd(projector.folding([deliveredRecord({ ...record, offset })]));
      if (random.chance(0.1)) {
        games = loadGames(JSON.parse(JSON.stringify(runToEnd(projector.saving()))));
        projector = open(games);
      }
      if (random.chance(0.5)) continue;
      const digest = projector.digest();
      assert.equal(digest, digestOfAll(games), `seed ${seed}`);
      if (digest !== before) changes += 1;
      before = digest;
    }
  }
  assert.ok(changes > runs, 'the games changed often enough');
});

it('is that of the close alone where a state of older rules held the game, and folded its rebuild again', async () => {
  const first = deliveredOf(image('BOOK', [quote('home', -110)]), 0);
  const order = deliveredOf({ ...heartbeat('BOOK'), observation: null, rebuild: { generation: 2 } }, 1);
  const saved = new LiveProjector(new KeptCommits(), 0, new Map());
  runToEnd(saved.folding([first]));
  const projector = new LiveProjector(
    new ClosedGames(),
    0,
    loadGames(JSON.parse(JSON.stringify(runToEnd(saved.saving())))),
  );
  runToEnd(projector.refolding([order]));
  const log: KeptLog = {
    since: async () =>
      (async function* () {
        yield [first, order];
      })(),
    runTask: async (steps) => runToEnd(steps),
    ask: (call) => call(),
  };
  assert.equal(await projector.rebuild(order, log, null), null);
  (await projector.readPublished('older-state'))();
  assert.equal(projector.digest(), new LiveProjector(new KeptCommits(), 0, new Map(), new Set([uuid])).digest());
});

/** A catalog in which the game is closed. */
class ClosedGames extends KeptCommits<never> {
  override async closedIn(): Promise<readonly string[]> {
    return [uuid];
  }
}

function deliveredOf(value: QuotesRecord, offset: number): DeliveredRecord {
  const bytes = Buffer.from(JSON.stringify(value));
  return { offset, timestamp: seconds(offset), key: uuid, headers: {}, value, bytes, undecodable: null };
}

function digestOfAll(games: ReadonlyMap<string, GameState>): string {
  const all = new Uint8Array(32);
  for (const { uuid, closed, generation, rows, segment, logTime, appliedThrough } of games.values()) {
    const open = [uuid, generation, rows, segment?.seq, segment?.rows, logTime, appliedThrough];
    const facts = JSON.stringify(closed ? [uuid, 'closed'] : open);
    const hash = createHash('sha256').update(facts).digest();
    for (const [at, byte] of hash.entries()) all[at] = (all[at] ?? 0) ^ byte;
  }
  return Buffer.from(all).toString('hex');
}
