// The storage that pushes cost. Claim: the service stores at most forty times the inflated bytes of any body in PostgreSQL and in objects,
// and a kibibyte for each refusal; of a compressible body, forty times its bytes on the wire. Prints the figure of each body.
import assert from 'node:assert/strict';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { bodyOf, wholeBodies } from '../../support/builders/msf-bodies.ts';
import { type Edition, startEdition } from '../../support/editions/edition.ts';
import { twoEditions } from '../../support/editions/two-editions.ts';
import { event, quote, send } from '../../support/http/gateway-http.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const kibibyte = 1024;
const mostTimes = 40;

const [, skip, prepare] = twoEditions[0]!;

describe('what is kept of a push', skipFor(skip), () => {
  let drop: () => Promise<void>;
  let edition: Edition;
  let key: string;

  beforeAll(async () => {
    const setting = await prepare();
    drop = setting.drop;
    edition = await startEdition({ ...setting, roles: ['ingest'] });
    key = await edition.feedKey(['push', 'reference', 'msf']);
  });
  afterAll(async () => {
    await edition?.stop();
    await drop?.();
  });

  async function kept(): Promise<number> {
    const { rows } = await edition.drivers.sql.query(
      `select sum(pg_total_relation_size(oid))::bigint as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    let bytes = Number(rows[0]?.bytes);
    for await (const { size } of edition.drivers.objects.list('')) bytes += size;
    return bytes;
  }

  /** Pushes a compressed body; answers its size on the wire, inflated and stored. */
  async function cost(path: string, body: Buffer) {
    const wire = zstdCompressSync(body);
    const empty = await kept();
    const { status, body: answer } = await send(`${edition.ingestUrl}/v1/sources/feed/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-encoding': 'zstd' },
      body: wire as Uint8Array<ArrayBuffer>,
    });
    const more = (await kept()) - empty;
    const refusals = ((answer.rejected ?? []) as unknown[]).length + ((answer.rejected_more ?? 0) as number);
    return { status, refusals, wire: wire.length, inflated: body.length, kept: more };
  }

  const bad = { price: { american: 1 } };
  const quotes = (count: number, given: (at: number) => object) => Array.from({ length: count }, (_, at) => given(at));
  const named = (at: number, given: object) =>
    event({ game: { ...(event().game as object), event_id: `e${at}` }, ...given });
  const bodies: [string, object][] = [
    [
      'four events of 4,999 empty quotes',
      { events: quotes(4, (at) => named(at, { quotes: quotes(4_999, () => ({})) })) },
    ],
    ['an event among 19,000 that are none', { events: [event(), ...quotes(19_000, () => ({}))] }],
    [
      'nine events of 900 kB, 2,000 bad quotes in each',
      {
        events: quotes(9, (at) =>
          named(at, { quotes: quotes(2_000, (n) => quote({ ...bad, note: 'n'.repeat(350), n })) }),
        ),
      },
    ],
    ['eight events that are too large', { events: quotes(8, (at) => named(at, { note: 'n'.repeat(950_000) })) }],
  ];
  for (const [what, body] of bodies)
    it(`${what}`, async (t) => {
      const given = await cost('quotes', Buffer.from(JSON.stringify(body)));
      t.annotate(figures(given));
      assert.ok([202, 400].includes(given.status), String(given.status));
      const most = mostTimes * given.inflated + kibibyte * given.refusals;
      assert.ok(given.kept <= most, `${given.kept} of at most ${most}`);
      // Payloads are stored once and compressed, so the rest is a row for each refusal.
      const mostCompressed = mostTimes * given.wire + 1.2 * kibibyte * given.refusals + 2 ** 20;
      assert.ok(given.kept <= mostCompressed, `${given.kept} of at most ${mostCompressed}`);
    });

  it('elements of MSF that are too large for a record', async (t) => {
    for (let round = 0; round < 4; round += 1) {
      const body = { ...bodyOf(wholeBodies.playbyplay), note: String(round).repeat(7_000_000) };
      const given = await cost('msf/nba/2025-2026-regular/playbyplay', Buffer.from(JSON.stringify(body)));
      t.annotate(figures(given));
      assert.equal(given.status, 202);
      assert.ok(given.kept <= mostTimes * given.wire + 256 * kibibyte, `${given.kept} of ${given.wire} on the wire`);
    }
  });
});

function figures({
  wire,
  inflated,
  kept,
  refusals,
}: {
  wire: number;
  inflated: number;
  kept: number;
  refusals: number;
}) {
  const times = (of: number) => (kept / of).toFixed(1);
  return `${wire} bytes on the wire, ${inflated} inflated, ${refusals} refusals: ${kept} kept = ${times(wire)} and ${times(inflated)} times`;
}
