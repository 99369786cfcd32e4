// From live to final, on two instances of one catalog: docs/interface.md#from-live-to-final; I16: once an instance answered `final_available`,
// no live route of it answers 200 again; every instance follows within 5 s, also without a notice; and at no instant is neither served.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { landFinals } from '../../support/builders/final-files.ts';
import { type FakeLog, uuidOf } from '../../support/fakes/api-fakes.ts';
import { assertProblem, startApi, type TestApi } from '../../support/http/api-http.ts';
import { randomFrom } from '../../support/parquet/rows.ts';

let one: TestApi;
let two: TestApi;
let log: FakeLog;
let game = '';
let count = 0;

beforeEach(async () => {
  one = await startApi();
  two = await startApi({ catalog: one.catalog, objects: one.objects, clock: one.clock });
  begin();
  await log.append(7);
});
afterEach(async () => {
  await one.close();
  await two.close();
});

function begin(): void {
  count += 1;
  game = `MLB_STL_NYY_20260805_${count + 1}`;
  log = one.log(game);
}

const final = () => `/v1/games/${game}/sportsbook-lines`;
const rests = ['/segments', '/segments/1?rows=5', '/segments/2', '/board', '/board/DRAFTKINGS'];
const land = () =>
  landFinals({ objects: one.objects, artifacts: one.catalog }, { uuid: uuidOf(game), gameId: game, league: 'MLB' });

/** Whether an instance serves the game live or final, on all of its live routes alike; anything else fails. */
async function serves(instance: TestApi): Promise<'live' | 'final'> {
  const seen = new Set<string>();
  for (const rest of rests) {
    const reply = await instance.get(final() + rest);
    if (reply.status === 200) seen.add('live');
    else {
      const problem = assertProblem(reply, 'not-found');
      assert.deepEqual([problem.reason, problem.final, problem.first_seq], ['final_available', final(), 1]);
      seen.add('final');
    }
  }
  assert.equal(seen.size, 1, 'all of an instance flip at once');
  return [...seen][0] as 'live' | 'final';
}

describe('when the final file lands', () => {
  it('instances that got the notice flip at once, on both routes', async () => {
    for (const instance of [one, two]) assert.equal(await serves(instance), 'live');
    await land();
    for (const instance of [one, two]) {
      assert.equal(await serves(instance), 'final');
      assert.equal((await instance.get(final())).status, 200);
    }
  });

  it('an instance without the notice serves the final file at once, and flips at that request', async () => {
    for (const instance of [one, two]) await serves(instance);
    one.catalog.announcing = false;
    await land();
    assert.equal(await serves(two), 'live', 'of what it knows, which is younger than five seconds');
    assert.equal((await one.get(final())).status, 200, 'a not-final only the catalog may say');
    assert.equal(await serves(one), 'final');
    assert.equal(await serves(two), 'live');
    assert.equal((await two.get(final())).status, 200);
    assert.equal(await serves(two), 'final');
  });

  it('an instance without the notice flips at a request that it would otherwise refuse', async () => {
    await serves(two);
    one.catalog.announcing = false;
    await land();
    for (const rest of ['/segments/9', '/segments?cursor=9:9', '/segments/1?rows=99', '/board/NOBODY']) {
      assert.equal(assertProblem(await two.get(final() + rest), 'not-found').reason, 'final_available', rest);
    }
    assert.equal(await serves(two), 'final');
  });

  it('an instance without the notice flips after five seconds', async () => {
    for (const instance of [one, two]) await serves(instance);
    one.catalog.announcing = false;
    await land();
    one.clock.ahead += 5_000_000;
    for (const instance of [one, two]) assert.equal(await serves(instance), 'final');
  });

  it('an instance whose notices may have been lost queries the catalog at once', async () => {
    await serves(two);
    one.catalog.announcing = false;
    await land();
    one.catalog.loseNotices();
    assert.equal(await serves(two), 'final');
  });

  it('it stays final, whatever is committed, forgotten or restored after that', async () => {
    await serves(one);
    await land();
    assert.equal(await serves(one), 'final');
    await log.append(5);
    assert.equal(await serves(one), 'final');
    await log.rebuild(3);
    assert.equal(await serves(one), 'final');
    one.catalog.artifacts.delete(uuidOf(game));
    for (let round = 0; round < 3; round += 1) {
      one.clock.ahead += 6_000_000;
      one.catalog.loseNotices();
      assert.equal(await serves(one), 'final');
      assert.equal((await one.get(final())).status, 200);
    }
  });

  it('an outage of the catalog takes no answer back: answers come from memory, then 503, then final again', async () => {
    await land();
    assert.equal((await one.get(final())).status, 200);
    one.catalog.state = 'down';
    assert.equal((await one.get(final())).status, 200);
    one.clock.ahead += 6_000_000;
    for (const rest of ['', ...rests]) assertProblem(await one.get(final() + rest), 'temporarily-unavailable');
    one.catalog.state = 'up';
    assert.equal(await serves(one), 'final');
    assert.equal((await one.get(final())).status, 200);
  });

  it('`not-final` is never answered after the landing, nor `no_live_artifact` at any time', async () => {
    const notFinal = assertProblem(await one.get(final()), 'not-final');
    assert.equal(notFinal.game_id, game);
    await land();
    for (const instance of [one, two]) assert.equal((await instance.get(final())).status, 200);
  });
});

// Claim: whatever the delays of reads and the loss of notices, a client that gets `final_available` finds the file on
// every instance, one that gets `not-final` finds the game live or by then final, and no instance goes back. A
// violation would need an instance that answers from a read older than an earlier answer, or refuses from memory.
it('in no race of a landing and readers is a game neither live nor final, or live again', async () => {
  const random = randomFrom(20_260_805);
  const pause = (most: number) => new Promise<void>((resolve) => setTimeout(resolve, random.below(most)));
  const served = one.catalog.served.bind(one.catalog);
  one.catalog.served = async (uuid) => {
    await pause(6);
    const seen = await served(uuid);
    await pause(6);
    return seen;
  };
  const instances = [one, two];
  let turned = 0;
  for (let round = 0; round < 14; round += 1) {
    begin();
    await log.append(7);
    one.catalog.announcing = round % 2 === 0;
    const answeredFinal = new Map<TestApi, boolean>();
    let landed = false;

    const isLive = async (instance: TestApi): Promise<boolean> => {
      const before = answeredFinal.get(instance) === true;
      const reply = await instance.get(final() + random.pick(rests));
      if (reply.status === 200) {
        assert.ok(!before, 'an instance went back to live');
        return true;
      }
      assert.equal(assertProblem(reply, 'not-found').reason, 'final_available');
      answeredFinal.set(instance, true);
      return false;
    };
    const hasFile = async (instance: TestApi): Promise<boolean> => {
      const begunAfter = landed;
      const reply = await instance.get(final());
      if (reply.status === 200) return true;
      assertProblem(reply, 'not-final');
      assert.ok(!begunAfter, 'not-final, after the landing');
      return false;
    };
    const reader = async () => {
      for (let more = 4; more > 0; ) {
        if (landed) more -= 1;
        if (!(await isLive(random.pick(instances)))) {
          turned += 1;
          assert.ok(await hasFile(random.pick(instances)), 'final_available without the file');
        }
        if (!(await hasFile(random.pick(instances))) && !(await isLive(random.pick(instances)))) {
          assert.ok(await hasFile(random.pick(instances)), 'neither live nor final');
        }
      }
    };
    const readers = Array.from({ length: 6 }, reader);
    await pause(60);
    await land();
    landed = true;
    await Promise.all(readers);
  }
  assert.ok(turned > 40, `${turned} answers were final_available`);
});
