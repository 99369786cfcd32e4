// The whole recording of a real feed up to normal form: every element is accepted, none of its quotes is refused, and the events
// come down to 26 games, also where the start of one moves.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, it } from 'vitest';
import { finish } from '../../../core/steps.ts';
import { parsingJsonBody } from '../../../ingest/adapters/json-body.ts';
import { PureGateway } from '../../support/folds/pure-gateway.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const file = new URL(
  '../../../../shared/data/odds-mlb-2026/snapshots_20260805T2000Z_20260806T0500Z.ndjson.gz',
  import.meta.url,
);
const skip = existsSync(file) ? false : 'the recording (../shared/data/odds-mlb-2026) is not here';

describe('the recording of 2026-08-05', skipFor(skip), () => {
  it('is 26 games and no refusal', () => {
    const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n');
    const gateway = new PureGateway();
    let quotes = 0;
    for (const line of lines) {
      const { committed_at: at, data } = JSON.parse(line) as { committed_at: string; data: unknown };
      const body = JSON.stringify(data);
      const parsed = finish(parsingJsonBody(Buffer.from(body)));
      assert.ok(parsed.kind === 'parsed' && parsed.outline.plainNumbers);
      const elements = gateway.push({
        source: 'recorded',
        scopes: ['push', 'backfill'],
        format: 'the-odds-api-v4',
        query: {},
        at,
        timed: 'source',
        idempotencyKey: undefined,
        body,
      });
      for (const element of elements ?? []) {
        assert.ok('record' in element);
        assert.deepEqual(element.codes, []);
        for (const operator of element.observation.operators) quotes += operator.quotes.length;
      }
    }
    assert.equal(lines.length, 108);
    assert.equal(quotes, 100_556);
    assert.equal(gateway.games.size, 26);
    const ids = [...gateway.games.values()].map((game) => game.publicId);
    assert.ok(ids.includes('MLB_STL_NYY_20260805'));
    assert.ok(ids.every((id) => id !== null && /^MLB_[A-Z]+_[A-Z]+_2026080[56]$/.test(id)));
  });
});
