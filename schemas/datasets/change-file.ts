import { type Dataset, oneOf, required } from './column.ts';

const operation = required('_op', oneOf('upsert', 'delete'), 'Whether the row of this key is set or removed.');

/** The name of a dataset's change files for planning and encoding: they are not a dataset of their own. */
export function changeFileName<const N extends string>(dataset: N): `${N}/change` {
  return `${dataset}/change`;
}

/** The columns of a revision's change file: those of its dataset, then `_op` (docs/revisions.md#revision-rules). */
export function changeFileOf<D extends Dataset>(dataset: D) {
  return { ...dataset, columns: [...dataset.columns, operation] as const };
}
