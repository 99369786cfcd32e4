// A game that is rebuilt from its log is the game that was folded as the records came, whatever they are and however they are read again: the
// same state, rows, cuts and boards, in the log of the next generation, above every seq used before (I3, I9).
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import type { QuoteRow } from '../../../core/live/types.ts';
import type { PlannedFile, WrittenFile } from '../../../core/ports/parquet.ts';
import { runToEnd } from '../../../core/scheduling/task.ts';
import { noLiveChanges } from '../../../projectors/live/changes.ts';
import { foldingRecord, type LiveGames } from '../../../projectors/live/fold-record.ts';
import { rebuildGame } from '../../../projectors/live/rebuild-game.ts';
import { generateRecords } from '../../oracle/generate-records.ts';
import { cases } from '../../support/arbitraries/cases.ts';
import { deliveredRecord } from '../../support/builders/delivered-record.ts';
import { saveGame } from '../../support/folds/save-game.ts';

type Saved = { generation: number; firstSeq: number; segment: { seq: number; rows: number } | null; rows: number };

it('a rebuilt game is the folded one, in a log of its own', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 99 }),
      async (seed, size, firstSeq) => {
        const records = generateRecords(seed, 120).map((record, offset) => deliveredRecord({ ...record, offset }));
        const live: LiveGames = { partition: 0, games: new Map(), touched: new Set(), closed: new Set() };
        const changes = noLiveChanges();
        for (const record of records) runToEnd(foldingRecord(live, changes, record));
        for (const game of live.games.values()) {
          if (game.appliedThrough === null || game.closed) continue;
          // As if the log had been rebuilt before.
          const shift = firstSeq - game.firstSeq;
          game.firstSeq += shift;
          if (game.segment !== null) game.segment.seq += shift;
          const before = saveGame(game) as Saved;
          const written: QuoteRow[][] = [];
          const files = {
            async write(planned: readonly PlannedFile[]): Promise<ReadonlyMap<string, WrittenFile>> {
              for (const { rows } of planned) written.push(rows as unknown as QuoteRow[]);
              const ref = { key: 'k' as never, offset: 0, size: 1, sha256: '' };
              return new Map(planned.map(({ name, rows }) => [name, { ref, rows: rows.length }]));
            },
            mustRenew: () => false,
            renew: async () => assert.fail('nothing is old'),
          };
          const batches = async function* () {
            for (let at = 0; at < records.length; at += size) yield records.slice(at, at + size);
          };
          const tools = { partition: 0, runTask: async <R>(steps: Generator<void, R, void>) => runToEnd(steps), files };
          const { game: rebuilt, changes: published } = await rebuildGame(tools, game, batches(), null);
          const next = (before.segment?.seq ?? before.firstSeq - 1) + 1;
          const segment = before.segment && { ...before.segment, seq: before.segment.seq - before.firstSeq + next };
          assert.deepEqual(saveGame(rebuilt), {
            ...before,
            generation: before.generation + 1,
            firstSeq: next,
            segment,
          });
          const rows = [...written, ...published.pieces.map((piece) => piece.rows)];
          assert.deepEqual(
            rows.flat(),
            (changes.games.get(game.uuid)?.pieces ?? []).flatMap((piece) => piece.rows),
          );
          assert.deepEqual(
            rows.map(({ length }) => length),
            (changes.games.get(game.uuid)?.pieces ?? []).map((piece) => piece.rows.length),
            'cuts',
          );
          assert.deepEqual(
            [...published.boards].sort(),
            rebuilt.operators.filter((o) => o.lastRowAt !== null).map((o) => o.code),
          );
          compared += 1;
        }
      },
    ),
    { numRuns: cases(150) },
  );
  assert.ok(compared > 0);
});
