// The metadata of every file; segments and final files have one schema; rows of another shape are never written.

import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { fileMetadata, finalMetadata } from '../../../core/parquet/file-metadata.ts';
import { readFooter } from '../../../core/parquet/footer.ts';
import { append, openTail, stitch } from '../../../core/parquet/tail.ts';
import { decodeOwnColumns } from '../../../platform/parquet/decode.ts';
import { board } from '../../../schemas/datasets/board.ts';
import { changeFileOf } from '../../../schemas/datasets/change-file.ts';
import type { Column, Dataset } from '../../../schemas/datasets/column.ts';
import { gameState } from '../../../schemas/datasets/game-state.ts';
import { datasets } from '../../../schemas/datasets/registry.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { encodeParquet } from '../../support/builders/in-one-go.ts';
import { rowsFrom } from '../../support/parquet/rows.ts';

const facts = { dataset: 'sportsbook-lines', schemaVersion: 'v1', gameId: 'MLB_STL_NYY_20260805' } as const;
const open = fileMetadata({ ...facts, file: 'segment', seq: 3 });
const final = finalMetadata(sportsbookLines, facts.gameId);
const lines = (count: number) => rowsFrom(sportsbookLines, count, count);
const encode = (count: number) => encodeParquet(sportsbookLines, lines(count), open);

describe('segments and the final artifact have one schema, byte for byte', () => {
  const { schema, rest } = readFooter(encodeParquet(sportsbookLines, lines(40_000), final));
  const files = {
    'the rows of one flush': encode(5),
    'an open tail': stitch([encode(5), encode(200), encode(1)], open).bytes,
    'a tail that was empty': append(openTail(encode(0)), encode(7)).bytes,
    'a closed segment': encode(8_192),
    'a file without rows': encode(0),
  };
  for (const [name, bytes] of Object.entries(files)) {
    it(name, () => {
      assert.deepEqual(readFooter(bytes).schema, schema);
      assert.deepEqual(readFooter(bytes).rest, rest);
    });
  }

  it('and say the same of themselves, but what is of one segment', () => {
    const keys = (metadata: ReadonlyMap<string, string>) => [...metadata.keys()].filter((key) => key !== 'sds.seq');
    assert.deepEqual(keys(final), keys(open));
    assert.deepEqual(Object.fromEntries(final), {
      'sds.dataset': 'sportsbook-lines',
      'sds.schema_version': 'v1',
      'sds.file': 'final',
      'sds.game_id': 'MLB_STL_NYY_20260805',
      'sds.writer': 'sports-data-service',
    });
  });

  it('and a board has another', () => {
    assert.notDeepEqual(readFooter(encodeParquet(board, [], open)).schema, schema);
  });
});

it('a file says what it is and how many rows it has, at every append anew', () => {
  const said = {
    'sds.dataset': 'sportsbook-lines',
    'sds.schema_version': 'v1',
    'sds.file': 'segment',
    'sds.game_id': 'MLB_STL_NYY_20260805',
    'sds.seq': '3',
    'sds.writer': 'sports-data-service',
  };
  const first = openTail(encode(5));
  assert.deepEqual(Object.fromEntries(first.metadata), { ...said, 'sds.row_count': '5' });
  const second = append(first, encode(7), fileMetadata({ ...facts, file: 'segment', seq: 4 }));
  assert.deepEqual(Object.fromEntries(readFooter(second.bytes).metadata), {
    ...said,
    'sds.seq': '4',
    'sds.row_count': '12',
  });
  assert.deepEqual(
    Object.fromEntries(
      fileMetadata({
        dataset: 'plays',
        schemaVersion: 'v1',
        file: 'change',
        league: 'NBA',
        streamEpoch: 'e',
        revision: 2,
        digest: 'd',
      }),
    ),
    {
      'sds.dataset': 'plays',
      'sds.schema_version': 'v1',
      'sds.file': 'change',
      'sds.league': 'NBA',
      'sds.stream_epoch': 'e',
      'sds.revision': '2',
      'sds.digest': 'd',
      'sds.writer': 'sports-data-service',
    },
  );
});

it('a final that rules made says which', () => {
  for (const dataset of datasets.filter(({ kind, name }) => kind === 'per_game' && name !== 'sportsbook-lines')) {
    assert.deepEqual(Object.fromEntries(finalMetadata(dataset, 'NBA_BOS_CLE_20171017')), {
      'sds.dataset': dataset.name,
      'sds.schema_version': 'v1',
      'sds.file': 'final',
      'sds.game_id': 'NBA_BOS_CLE_20171017',
      'sds.ruleset': 'sds-us-1',
      'sds.writer': 'sports-data-service',
    });
  }
});

describe('the columns of a file are read from the file itself', () => {
  const inShort = (columns: readonly Column[]) =>
    columns.map(({ name, type, nullable }) => [name, type.kind, nullable]);
  for (const dataset of [...datasets, board, changeFileOf(gameState)] as readonly Dataset[]) {
    it(`${dataset.name}, ${dataset.columns.length} columns`, () => {
      const bytes = encodeParquet(dataset, [], open);
      const { columns, rows } = decodeOwnColumns(bytes);
      assert.deepEqual(inShort(columns), inShort(dataset.columns));
      assert.deepEqual(rows, []);
      // Besides names, only types and nullability decide how rows are read: a writer with only these writes the same
      // bytes.
      assert.deepEqual(encodeParquet({ ...dataset, columns }, [], open), bytes);
    });
  }

  it('with the rows', () => {
    const rows = rowsFrom(gameState, 20, 20);
    assert.deepEqual(decodeOwnColumns(encodeParquet(gameState, rows, open)).rows, rows);
  });
});

it('keeps metadata of any length and alphabet', () => {
  const metadata = new Map([
    ['λ'.repeat(40), 'x'.repeat(200)],
    ['empty', ''],
    ['long', 'ß'.repeat(10_000)],
  ]);
  const { metadata: read } = readFooter(encodeParquet(sportsbookLines, [], metadata));
  assert.deepEqual(Object.fromEntries(read), { ...Object.fromEntries(metadata), 'sds.row_count': '0' });
});

describe('a value that its column cannot hold stops the writer, which names the column', () => {
  const [line] = lines(1);
  const [game] = rowsFrom(gameState, 1, 1);
  const misfits: Record<string, unknown> = {
    game_id: null,
    league: 7,
    selection_id: undefined,
    row_number: 2 ** 53,
    line: 1_000_000_000,
    price_american: 2_147_483_648,
    price_decimal: 1.5,
    is_open: 'yes',
    timestamp: Number.NaN,
    source_timestamp: 10n,
  };
  for (const [column, value] of Object.entries(misfits)) {
    it(`${column}: ${String(value)}`, () => {
      const row = { ...line, [column]: value } as typeof line;
      assert.throws(() => encodeParquet(sportsbookLines, [row!], open), new RegExp(`column ${column} cannot hold`));
    });
  }
  for (const scores of [null, [1, null], [1.5], ['1'], 'none']) {
    it(`home_period_scores: ${JSON.stringify(scores)}`, () => {
      const row = { ...game, home_period_scores: scores } as typeof game;
      assert.throws(() => encodeParquet(gameState, [row!], open), /column home_period_scores cannot hold/);
    });
  }

  it('and the next file is whole', () => {
    assert.throws(() => encodeParquet(sportsbookLines, [...lines(5), { ...line!, source: null as never }], open));
    assert.deepEqual(encode(5), encode(5));
    assert.equal(readFooter(encode(5)).rows, 5);
  });
});

it('stores text that is no valid Unicode as readers would show it, without bounds', () => {
  const row = { ...lines(1)[0]!, selection: 'a\ud800b' };
  const repaired = { ...row, selection: 'a\ufffdb' };
  const bodyOf = (bytes: Uint8Array) => bytes.slice(0, readFooter(bytes).start);
  const bytes = [row, repaired].map((one) => encodeParquet(sportsbookLines, [one], open));
  assert.deepEqual(bodyOf(bytes[0]!), bodyOf(bytes[1]!));
});
