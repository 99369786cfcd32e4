// The columns of every dataset: what the page of their origin says, word for word of its names and types, and nothing that contradicts itself.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { board } from '../schemas/datasets/board.ts';
import { changeFileOf } from '../schemas/datasets/change-file.ts';
import type { ColumnType, Dataset } from '../schemas/datasets/column.ts';
import { plays } from '../schemas/datasets/plays.ts';
import { datasets } from '../schemas/datasets/registry.ts';
import { rowSchema } from '../schemas/datasets/row-schema.ts';
import { sportsbookLines } from '../schemas/datasets/sportsbook-lines.ts';

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

const page = new URL('../../shared/spec/columns.md', import.meta.url);

describe('the columns of every dataset', {
  skip: existsSync(page) ? false : 'the specification is not beside this repository',
}, () => {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const types = new Map(sportsbookLines.columns.map((column) => [column.name as string, spelled(column)]));

  it('sportsbook-lines', () => {
    const rows = section(text, 'sportsbook-lines').matchAll(/^\| (\w+) \| ([^|]+) \|/gm);
    const stated = [...rows].map(([, name, type]) => `${name} ${type}`).filter((line) => !line.startsWith('column '));
    assert.deepEqual(
      sportsbookLines.columns.map((column) => `${column.name} ${spelled(column)}`),
      stated,
    );
  });

  for (const name of ['closing-lines', 'market-results', 'game-state-timeline'] as const) {
    it(name, () => {
      // Pages that it names within the list are in backquotes of their own.
      const list = section(text, name).replaceAll(/`(\w+\.md)`/g, '$1');
      const [, columns] = /`(game_id,[^`]+)`/s.exec(list)!;
      assert.deepEqual(columnsOf(name), stated(columns!, types));
      const key = /\(key: ([\w, ]+)\)/.exec(text.split(`## ${name}`)[1]!.split('\n')[0]!)?.[1];
      if (key) assert.deepEqual(named(name).primaryKey, key.split(', '));
    });
  }

  for (const name of ['game-state', 'plays', 'player-stats', 'team-stats', 'injuries'] as const) {
    it(name, () => {
      const [, key, columns] = new RegExp(`^\\| ${name} \\| ([^|]+) \\| ([^|]+) \\|$`, 'm').exec(text)!;
      assert.deepEqual(columnsOf(name), stated(columns!, types));
      assert.deepEqual(named(name).primaryKey, key!.split(', '));
    });
  }
});

function named(name: string): Dataset {
  return datasets.find((dataset) => dataset.name === name)!;
}

function columnsOf(name: string): string[] {
  return named(name).columns.map((column) => `${column.name} ${spelled(column)}`);
}

/** The columns of a list such as `game_id, line?, opened_at ts?, result utf8 (win | loss)`: a bare name has the type it has in sportsbook-lines, else utf8. */
function stated(list: string, types: ReadonlyMap<string, string>): string[] {
  return list
    .replaceAll(/\([^()]*[| `][^()]*\)/g, '')
    .replaceAll(/\s+/g, ' ')
    .split(/, (?![^(]*\))/)
    .map((column) => {
      const [, name, bareNull, type] = /^(\w+)(\??)(?: (\S+))?/.exec(column.trim())!;
      return `${name} ${type ?? (types.get(name!) ?? 'utf8').replace('?', '') + bareNull}`;
    });
}

function spelled({ type, nullable }: { type: ColumnType; nullable: boolean }): string {
  return `${spelledType(type)}${nullable ? '?' : ''}`;
}

function spelledType(type: ColumnType): string {
  if (type.kind === 'dec') return `dec(${type.precision},${type.scale})`;
  return type.kind === 'list' ? `list<${type.of}>` : type.kind;
}

function section(text: string, name: string): string {
  return text.split(`\n## ${name}`)[1]!.split('\n## ')[0]!;
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
