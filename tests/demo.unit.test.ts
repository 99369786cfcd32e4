// The demo slate's world: the same for the same seed and second, and always worth looking at: games of all leagues, some in play and some to
// come at any hour, quoted in forms that the gateway takes without a word.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { referenceDirectory } from '../core/games/teams.ts';
import { identifyElements, nameOf } from '../core/reference/identify.ts';
import { leagues, microsPerSecond } from '../core/units.ts';
import type { AdaptedPush } from '../ingest/adapters/adapted.ts';
import { adaptNativePush } from '../ingest/adapters/native.ts';
import { adaptReferencePush } from '../ingest/adapters/reference.ts';
import { adaptTheOddsApiPush, readPollTerms } from '../ingest/adapters/the-odds-api-v4.ts';
import { directBody, heartbeatBody, pollBody } from '../ops/demo/bodies.ts';
import { rostersBody, teamsBody, teamsIn } from '../ops/demo/rosters.ts';
import { gamesAt, toldStart } from '../ops/demo/slate.ts';

const day = 86_400;
const midnight = Date.UTC(2026, 10, 21) / 1_000;
const seeds = [1, 7, 20_260_805];
const hours = Array.from({ length: 24 }, (_, hour) => midnight + hour * 3_600 + 17);

const bytes = (body: unknown) => Buffer.from(JSON.stringify(body));

function refusalsOf(push: AdaptedPush): unknown[] {
  if (push.kind === 'malformed') return [push.detail];
  return push.elements.flatMap((each) => (each.kind === 'refused' ? [each.refusal] : each.refusals));
}

describe('the simulated slate', () => {
  it('has at any hour games in play and games to come, and all leagues within a day', () => {
    for (const seed of seeds) {
      const seen = new Set<string>();
      for (const now of hours) {
        const games = gamesAt(seed, now);
        assert.ok(games.some((game) => game.actual <= now) && games.some((game) => game.actual > now), `${now}`);
        for (const game of games) {
          seen.add(game.league);
          assert.notEqual(game.home, game.away);
        }
        assert.equal(new Set(games.map((game) => game.eventId)).size, games.length);
      }
      assert.deepEqual([...seen].sort(), [...leagues].sort());
    }
  });

  it('tells of a delayed start a quarter of an hour before', () => {
    const delayed = seeds
      .flatMap((seed) => hours.flatMap((now) => gamesAt(seed, now)))
      .find((game) => game.actual !== game.scheduled);
    assert.ok(delayed);
    assert.equal(toldStart(delayed, delayed.scheduled - 901), delayed.scheduled);
    assert.equal(toldStart(delayed, delayed.scheduled - 900), delayed.actual);
  });

  it('is the same for the same seed and second, and another for another seed', () => {
    const body = (seed: number) => JSON.stringify(pollBody(seed, gamesAt(seed, midnight), midnight));
    assert.equal(body(1), body(1));
    assert.notEqual(body(1), body(7));
  });

  it('is quoted without a single refusal, by the poll, the images and the heartbeats', () => {
    for (const seed of seeds) {
      for (const now of [...hours, midnight + day]) {
        const games = gamesAt(seed, now);
        const receivedAt = now * microsPerSecond;
        const context = { source: 'demo', receivedAt, mayBackfill: false, observedAt: null, idempotencyKey: null };
        const terms = readPollTerms({ oddsFormat: null, markets: null, bookmakers: null });
        assert.ok(terms.kind !== 'invalid');
        const polled = adaptTheOddsApiPush(bytes(pollBody(seed, games, now)), terms, context);
        assert.ok(polled.kind === 'elements' && polled.elements.length === games.length);
        assert.deepEqual(refusalsOf(polled), []);
        for (const body of [directBody(seed, games, now), heartbeatBody(seed, games, now)])
          assert.deepEqual(refusalsOf(adaptNativePush(bytes(body), 'json', context)), []);
      }
    }
  });

  it('tells of the players of its teams without a single refusal, each under an id and a number of its own', () => {
    for (const seed of seeds) {
      const teams = teamsIn(hours.flatMap((now) => gamesAt(seed, now)));
      const known = { teams: referenceDirectory(), ids: new Map<string, string>(), playerIds: new Set<string>() };
      for (const body of [teamsBody(teams), rostersBody(seed, teams)]) {
        const adapted = adaptReferencePush(bytes(body));
        assert.ok(adapted.kind === 'elements' && adapted.elements.every(({ kind }) => kind === 'read'));
        const read = adapted.elements.flatMap((each) => (each.kind === 'read' ? [each.element] : []));
        const identities = identifyElements('demo-direct', read, known);
        for (const [at, identity] of identities.entries()) {
          assert.equal(identity.kind, 'identified');
          const { kind, league, sourceId } = read[at] as (typeof read)[number];
          if (identity.kind === 'identified') known.ids.set(nameOf(kind, league, sourceId), identity.id);
        }
        assert.equal(new Set(identities.map((each) => JSON.stringify(each))).size, identities.length);
      }
      const players = rostersBody(seed, teams).players as { team_id: string; jersey_number: number }[];
      assert.equal(new Set(players.map((one) => `${one.team_id} ${one.jersey_number}`)).size, players.length);
    }
  });
});
