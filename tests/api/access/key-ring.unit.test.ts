// API keys at the door: docs/interface.md#access; docs/interface.md#api-keys; docs/interface.md#key-lookup. What is remembered, for how long,
// and what an outage of the catalog changes.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'vitest';
import { KeyRing, type KeyVerdict } from '../../../api/access/key-ring.ts';
import { defaultLimits } from '../../../api/compose/resource-limits.ts';
import { openDeadlines } from '../../../api/dependencies/deadlines.ts';
import { mintKey } from '../../../core/access/key-format.ts';
import { silentLog } from '../../../core/ports/telemetry.ts';
import { microsPerSecond } from '../../../core/units.ts';
import { FakeCatalog } from '../../support/fakes/api-fakes.ts';
import { MovableClock, pepper } from '../../support/http/api-http.ts';

let catalog: FakeCatalog;
let clock: MovableClock;
let ring: KeyRing;
let key: string;

beforeEach(() => {
  catalog = new FakeCatalog();
  clock = new MovableClock();
  ring = openRing();
  key = catalog.mint(pepper);
});

function openRing(peppers = [pepper]): KeyRing {
  const deadlines = openDeadlines(clock, silentLog, { catalog: 250, objects: 250 });
  return new KeyRing({ keys: catalog, deadlines, clock, log: silentLog, peppers, limits: defaultLimits });
}

async function ask(authorization: string | null = `Bearer ${key}`, count = 1): Promise<KeyVerdict> {
  return ring.verdict(authorization, count);
}

function pass(seconds: number): void {
  clock.ahead += seconds * microsPerSecond;
}

/** Lets queries without a waiting caller finish. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('a header that names no key is refused without a query, with the reason', () => {
  const good = mintKey('live', Buffer.alloc(96, 3));
  const wrongChecksum = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0');
  const table: [string, string | null, RegExp][] = [
    ['missing', null, /is missing/],
    ['empty', '', /not of the form/],
    ['another scheme', `Basic ${good}`, /not of the form/],
    ['no scheme', good, /not of the form/],
    ['no token', 'Bearer ', /not of the form/],
    ['two tokens', `Bearer ${good} ${good}`, /not of the form/],
    ['a wrong checksum', `Bearer ${wrongChecksum}`, /checksum/],
    ['a key cut short', `Bearer ${good.slice(0, -1)}`, /malformed/],
    ['a key of another prefix', `Bearer ${good.replace('live', 'test')}`, /malformed/],
    ['a feed key', `Bearer ${mintKey('feed', Buffer.alloc(96, 4))}`, /feed key/],
    ['an endless token', `Bearer ${'x'.repeat(5_000)}`, /not of the form/],
  ];
  for (const [name, authorization, detail] of table) {
    it(name, async () => {
      const verdict = await ask(authorization);
      assert.equal(verdict.kind, 'invalid');
      assert.match((verdict as { detail: string }).detail, detail);
      assert.equal(catalog.calls.apiKeyByMac, 0);
    });
  }
  it('two headers, though the first is good', async () => {
    const verdict = await ask(`Bearer ${key}`, 2);
    assert.equal(verdict.kind, 'invalid');
    assert.equal(catalog.calls.apiKeyByMac, 0);
  });
});

describe('the scheme', () => {
  for (const spelled of ['bearer', 'BEARER', 'Bearer  ']) {
    it(`counts as ${JSON.stringify(spelled)}`, async () => {
      assert.equal((await ask(`${spelled} ${key}`)).kind, 'known');
    });
  }
});

it('an unknown key with a right checksum is invalid, and queried once in five seconds', async () => {
  const stranger = `Bearer ${mintKey('live', Buffer.alloc(96, 9))}`;
  assert.deepEqual(await ask(stranger), { kind: 'invalid', detail: 'The API key is unknown.' });
  pass(4);
  await ask(stranger);
  assert.equal(catalog.calls.apiKeyByMac, 1);
  pass(2);
  await ask(stranger);
  assert.equal(catalog.calls.apiKeyByMac, 2);
});

it('a key under an older pepper is found', async () => {
  ring = openRing([{ version: 2, secret: Buffer.alloc(32, 8) }, pepper]);
  assert.equal((await ask()).kind, 'known');
});

it('a hundred first requests at once are one query', async () => {
  const verdicts = await Promise.all(Array.from({ length: 100 }, () => ask()));
  assert.ok(verdicts.every((verdict) => verdict.kind === 'known'));
  assert.equal(catalog.calls.apiKeyByMac, 1);
});

describe('a known key', () => {
  it('costs no query and no wait for ten seconds', async () => {
    await ask();
    pass(9);
    assert.equal((ring.verdict(`Bearer ${key}`, 1) as KeyVerdict).kind, 'known');
    assert.equal(catalog.calls.apiKeyByMac, 1);
  });

  it('is queried again after ten seconds, behind the answer', async () => {
    await ask();
    pass(11);
    assert.equal((ring.verdict(`Bearer ${key}`, 1) as KeyVerdict).kind, 'known');
    await idle();
    assert.equal(catalog.calls.apiKeyByMac, 2);
  });

  it('is refused within sixty seconds of its revocation, however it is used', async () => {
    for (const pauses of [[61], [59, 1.5], [11, 1], [30, 30.5]]) {
      ring = openRing();
      catalog.keys[0]!.key = { ...catalog.keys[0]!.key, state: 'active' };
      await ask();
      catalog.keys[0]!.key = { ...catalog.keys[0]!.key, state: 'revoked' };
      let verdict: KeyVerdict | null = null;
      for (const pause of pauses) {
        pass(pause);
        verdict = await ask();
        await idle();
      }
      assert.equal((verdict as { key: { state: string } }).key.state, 'revoked', pauses.join(', '));
    }
  });

  it('is forgotten when the clock steps back', async () => {
    await ask();
    pass(-600);
    await ask();
    assert.equal(catalog.calls.apiKeyByMac, 2);
  });
});

describe('while the catalog is down', () => {
  for (const state of ['down', 'hanging'] as const) {
    it(`(${state}) a key never seen gets unavailable, not invalid`, async () => {
      catalog.state = state;
      assert.deepEqual(await ask(), { kind: 'unavailable' });
    });

    it(`(${state}) a key that was seen works for five minutes more`, async () => {
      await ask();
      catalog.state = state;
      for (const seconds of [30, 40, 100, 120]) {
        pass(seconds);
        assert.equal((await ask()).kind, 'known');
      }
      pass(20);
      assert.deepEqual(await ask(), { kind: 'unavailable' });
      catalog.state = 'up';
      pass(2);
      assert.equal((await ask()).kind, 'known');
    });
  }

  it('the catalog is not queried at every request', async () => {
    await ask();
    catalog.state = 'down';
    pass(100);
    for (let request = 0; request < 50; request += 1) await ask();
    assert.equal(catalog.calls.apiKeyByMac, 2);
  });

  it('an error that is no outage makes a key neither valid nor invalid', async () => {
    catalog.apiKeyByMac = () => Promise.reject(new Error('relation does not exist'));
    assert.deepEqual(await ask(), { kind: 'unavailable' });
  });
});
