// Evenings of a feed up to normal form: every element is accepted, none of its quotes is refused, and the events come down to the games, also
// where the start of one moves.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { parsingJsonBody } from '../../../ingest/adapters/json-body.ts';
import { PureGateway } from '../../support/folds/pure-gateway.ts';
import { eveningLeftOut } from '../../support/recordings/evening-left-out.ts';
import { oddsEvenings, pollLines } from '../../support/recordings/odds-evenings.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

for (const evening of oddsEvenings) {
  describe(evening.name, skipFor(eveningLeftOut(evening)), () => {
    it('is its games and no refusal', () => {
      const lines = pollLines(evening);
      const gateway = new PureGateway();
      let quotes = 0;
      for (const line of lines) {
        const { committed_at: at, data } = JSON.parse(line) as { committed_at: string; data: unknown };
        const body = JSON.stringify(data);
        const parsed = runToEnd(parsingJsonBody(Buffer.from(body)));
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
      assert.equal(lines.length, evening.polls);
      assert.equal(quotes, evening.quotes);
      assert.equal(gateway.games.size, evening.games);
      const ids = [...gateway.games.values()].map((game) => game.publicId);
      assert.ok(ids.includes(evening.watched.id));
      assert.ok(ids.every((id) => id !== null && /^MLB_[A-Z]+_[A-Z]+_2026080[56]$/.test(id)));
    });
  });
}
