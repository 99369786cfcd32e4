// Rows of any dataset from a seed: constant, repeating, evenly spaced and random columns, with no to only nulls, and
// the extremes of every type. The same seed gives the same rows.
import { board } from '../../../schemas/datasets/board.ts';
import { changeFileOf } from '../../../schemas/datasets/change-file.ts';
import type { Column, ColumnType, Dataset, RowOf } from '../../../schemas/datasets/column.ts';
import { datasets } from '../../../schemas/datasets/registry.ts';

/** The columns of every kind of file. */
export const everyFileKind: readonly { name: string; dataset: Dataset }[] = [
  ...datasets.map((dataset) => ({ name: dataset.name, dataset })),
  { name: 'board', dataset: board },
  ...datasets
    .filter((dataset) => dataset.kind === 'revisioned')
    .map((dataset) => ({ name: `change file of ${dataset.name}`, dataset: changeFileOf(dataset) })),
];

/** `count` rows of `dataset`. */
export function rowsFrom<D extends Dataset>(dataset: D, seed: number, count: number): RowOf<D>[] {
  const random = randomFrom(seed);
  const columns = dataset.columns.map((column) => ({ name: column.name, next: valuesOf(column, random) }));
  return Array.from(
    { length: count },
    () => Object.fromEntries(columns.map(({ name, next }) => [name, next()])) as RowOf<D>,
  );
}

export type Random = {
  /** An integer of [0, below). */
  below(bound: number): number;
  pick<T>(choices: readonly T[]): T;
};

/** A small generator (mulberry32), so that the printed seed is enough to repeat the rows. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return { below, pick: (choices) => choices[below(choices.length)]! };
}

/** The values of a column, one after another, in one style for the whole column. */
function valuesOf(column: Column, random: Random): () => unknown {
  const one = () => aValue(column.type, random);
  const few = Array.from({ length: 1 + random.below(20) }, one);
  const nulls = column.nullable ? random.pick([0, 0, 10, 50, 100]) : 0;
  const start = random.below(1_000_000);
  const step = random.pick([0, 1, -3, 1_000_000]);
  let index = 0;
  const manners: (() => unknown)[] = [
    one,
    () => random.pick(few),
    () => few[0],
    () => few[Math.floor(index / 50) % few.length],
  ];
  if (['int64', 'ts'].includes(column.type.kind)) manners.push(() => start + step * index);
  const manner = random.pick(manners);
  return () => {
    index++;
    return random.below(100) < nulls ? null : manner();
  };
}

const texts = [
  '',
  ' ',
  'moneyline/full/home',
  'player_points/full/over/Jalen Hurts/21.5',
  'Peña, José',
  '東京',
  '\u{1F3C0}',
  '\uffff',
  '\ue000',
  '\u{10ffff}',
  'a\u0000b',
  '"quoted", \'too\'\n\t\\',
  'é',
  'e\u0301',
  'x'.repeat(256),
  'x'.repeat(257),
  `${'y'.repeat(3_000)}ß`,
];

function aValue(type: ColumnType, random: Random): unknown {
  switch (type.kind) {
    case 'utf8':
      if (type.values) return random.pick(type.values);
      return random.below(2) ? random.pick(texts) : `${random.pick(texts).slice(0, 30)}${random.below(1_000)}`;
    case 'bool':
      return random.below(2) === 1;
    case 'int32':
      return integer(random, -2_147_483_648, 2_147_483_647);
    case 'int64':
    case 'ts':
      return integer(random, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    case 'date':
      return integer(random, -700_000, 2_900_000);
    case 'dec':
      return integer(random, 1 - 10 ** type.precision, 10 ** type.precision - 1);
    case 'list':
      return Array.from({ length: random.pick([0, 0, 1, 2, 12]) }, () => aValue({ kind: type.of }, random));
  }
}

function integer(random: Random, lowest: number, highest: number): number {
  switch (random.below(6)) {
    case 0:
      return lowest;
    case 1:
      return highest;
    case 2:
      return random.pick([-1, 0, 1]);
    case 3:
      return Math.min(highest, 1_760_000_000_000_000 + random.below(1_000_000));
    default:
      return Math.floor(lowest + (random.below(2 ** 31) / 2 ** 31) * (highest - lowest));
  }
}
