// The columns of every dataset: what docs/ says, word for word of its names and types, and nothing that contradicts itself.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { board } from '../../../schemas/datasets/board.ts';
import { changeFileOf } from '../../../schemas/datasets/change-file.ts';
import type { ColumnType, Dataset } from '../../../schemas/datasets/column.ts';
import { plays } from '../../../schemas/datasets/plays.ts';
import { datasets } from '../../../schemas/datasets/registry.ts';
import { rowSchema } from '../../../schemas/datasets/row-schema.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';

describe('the registry', () => {
  it('lists the nine datasets of the interface', () => {
    const named = (kind: string) => datasets.filter((dataset) => dataset.kind === kind).map(({ name }) => name);
    assert.deepEqual(named('per_game'), ['closing-lines', 'game-state-timeline', 'market-results', 'sportsbook-lines']);
    assert.deepEqual(named('revisioned'), ['game-state', 'injuries', 'player-stats', 'plays', 'team-stats']);
  });

  for (const dataset of [...datasets, board] as readonly Dataset[]) {
    it(`has no contradiction in ${dataset === board ? 'board' : dataset.name}`, () => {
      const names = dataset.columns.map(({ name }) => name);
      assert.equal(new Set(names).size, names.length, 'a column name is there twice');
      for (const key of [...dataset.primaryKey, ...dataset.sortOrder]) assert.ok(names.includes(key), key);
      for (const { description, name } of dataset.columns) assert.match(description, /^[A-Z0-9].*\.$/s, name);
      for (const { type } of dataset.columns) {
        if (type.kind === 'dec')
          assert.ok(type.scale > 0 && type.precision <= 15, 'its unscaled integer is a safe one');
      }
    });
  }
});

it('a board is the segment columns and three more', () => {
  assert.deepEqual(board.columns.slice(0, -3), sportsbookLines.columns);
  assert.deepEqual(
    board.columns.slice(-3).map(({ name }) => name),
    ['last_changed_at', 'operator_observed_through', 'quote_state'],
  );
});

it('a change file is its dataset and _op behind it', () => {
  assert.deepEqual(changeFileOf(plays).columns.slice(0, -1), plays.columns);
  assert.equal(changeFileOf(plays).columns.at(-1)?.name, '_op');
});

const pages = ['quotes', 'settlement', 'revisions'].map((name) =>
  readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8'),
);

describe('the columns that docs/ lists are those of the files', () => {
  for (const { name, columns, primaryKey } of datasets as readonly Dataset[]) {
    it(name, () => {
      const listed = sectionOf(`${name} columns`);
      const rows = [...listed.matchAll(/^\| (\w[\w, ]*) \| ([^|]+) \|/gm)].filter(([, cell]) => cell !== 'column');
      const stated = rows.flatMap(([, cell, type]) => cell!.split(', ').map((column) => `${column} ${plain(type!)}`));
      assert.deepEqual(
        columns.map((column) => `${column.name} ${spelled(column)}`),
        stated,
      );
      const key = /^Key: (.+)\.$/m.exec(listed)?.[1];
      if (key !== undefined) assert.deepEqual(primaryKey, key.replaceAll('`', '').split(', '));
    });
  }
});

/** The text below the heading, on the only page that has it. */
function sectionOf(heading: string): string {
  const found = pages.flatMap((page) => page.split(`\n### ${heading}\n`).slice(1));
  assert.equal(found.length, 1, heading);
  return found[0]!.split('\n## ')[0]!.split('\n### ')[0]!;
}

/** The type without the explanation after a comma, as in `utf8, RFC 8785 JSON`. */
function plain(type: string): string {
  return type.replaceAll('`', '').split(', ')[0]!.trim();
}

function named(name: string): Dataset {
  return datasets.find((dataset) => dataset.name === name)!;
}

function spelled({ type, nullable }: { type: ColumnType; nullable: boolean }): string {
  return `${spelledType(type)}${nullable ? '?' : ''}`;
}

function spelledType(type: ColumnType): string {
  if (type.kind === 'dec') return `dec(${type.precision},${type.scale})`;
  return type.kind === 'list' ? `list<${type.of}>` : type.kind;
}

describe('the JSON Schema of a row', () => {
  it('requires every column, in the JSON form of its type', () => {
    const schema = rowSchema(named('closing-lines')) as {
      required: string[];
      properties: Record<string, Record<string, unknown>>;
    };
    assert.deepEqual(
      schema.required,
      named('closing-lines').columns.map(({ name }) => name),
    );
    assert.equal(schema.properties.game_date?.format, 'date');
    assert.deepEqual(schema.properties.line?.type, ['string', 'null']);
    assert.match('-1.500', new RegExp(String(schema.properties.line?.pattern)));
    assert.doesNotMatch('-1.5', new RegExp(String(schema.properties.line?.pattern)));
    assert.match('2026-08-05T20:00:49.000000Z', new RegExp(String(schema.properties.closed_at?.pattern)));
    assert.deepEqual(schema.properties.home_player_ids?.items, { type: 'string' });
    assert.match(String(schema.properties.line?.description), /Unit: points\.$/);
  });

  it('closes the vocabulary of a column that has one, null included where it may be', () => {
    const { properties } = rowSchema(sportsbookLines) as { properties: Record<string, Record<string, unknown>> };
    assert.deepEqual(properties.price_source_format?.enum, ['american', 'decimal', 'fractional', null]);
    assert.deepEqual(properties.change?.type, 'string');
  });
});
