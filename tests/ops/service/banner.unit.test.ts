// What a start shows on a terminal: the live page first, and a request that can be pasted as it stands.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { CatalogGame } from '../../../core/ports/catalog/games.ts';
import { banner, firstQuotedGame } from '../../../ops/service/banner.ts';
import { systemClock } from '../../../platform/process/clock.ts';

const apiUrl = 'http://127.0.0.1:8080';

it('has the live page, the reference, and a request for the odds of a real game', () => {
  const [, page, reference, request] = banner({ apiUrl, key: 'svc_live_a', gameId: 'NBA_BKN_NOP_20261124' });
  assert.match(page ?? '', /^ +Live page +http:\/\/127\.0\.0\.1:8080\/$/);
  assert.match(reference ?? '', /\/docs$/);
  assert.ok(
    request?.endsWith(
      'curl -sS -H "Authorization: Bearer svc_live_a" "http://127.0.0.1:8080/v1/games/NBA_BKN_NOP_20261124/odds?best=true"',
    ),
    request,
  );
});

it('asks for the games where none is quoted, and names the variable where the key is not known', () => {
  const text = banner({ apiUrl, key: null, gameId: null }).join('\n');
  assert.ok(text.includes('Bearer $KEY" "http://127.0.0.1:8080/v1/games?status=STARTED"'), text);
});

it('takes a game in play before others, and waits for one no longer than it may', async () => {
  const game = (gameId: string, status: string) => ({ gameId, status }) as CatalogGame;
  const answers = [[], [game('a', 'SCHEDULED')], [game('a', 'SCHEDULED'), game('b', 'STARTED')]];
  const clock = { ...systemClock, sleep: async () => {} };
  const { signal } = new AbortController();
  const offered = async () => answers.shift() ?? [];
  assert.equal(await firstQuotedGame({ offered }, clock, { patienceMs: 1_000, signal }), 'b');
  const never = { offered: async () => [] };
  assert.equal(await firstQuotedGame(never, clock, { patienceMs: 500, signal }), null);
  const later = { offered: async () => [game('a', 'SCHEDULED')] };
  assert.equal(await firstQuotedGame(later, clock, { patienceMs: 500, signal }), 'a');
});
