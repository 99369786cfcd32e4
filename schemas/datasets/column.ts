// The types of columns and datasets. Every Parquet file, schema document, OpenAPI component and digest is made from values of these types
// (docs/quotes.md#columns). Independent of Parquet's types: the writer decides how a column is stored.

/** Types of docs/quotes.md#columns. `values` lists all values of a text column. */
export type ColumnType =
  | { readonly kind: 'utf8'; readonly values?: readonly string[] }
  | { readonly kind: 'int32' | 'int64' | 'bool' | 'date' | 'ts' }
  | { readonly kind: 'dec'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'list'; readonly of: 'utf8' | 'int32' };

export type Column = {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly description: string;
  readonly unit: string | null;
};

/** A list of columns with a name and a schema version. `sortOrder` is the order of rows in a file. */
export type Dataset = {
  readonly name: string;
  readonly kind: 'per_game' | 'revisioned';
  readonly description: string;
  readonly schemaVersion: 'v1';
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly sortOrder: readonly string[];
  /** Whether rows are served before the game has settled. */
  readonly live: boolean;
  readonly metered: boolean;
};

type ValueOf<T extends ColumnType> = T extends { kind: 'utf8'; values: readonly (infer Value)[] }
  ? Value
  : T extends { kind: 'utf8' }
    ? string
    : T extends { kind: 'bool' }
      ? boolean
      : T extends { kind: 'list'; of: 'utf8' }
        ? readonly string[]
        : T extends { kind: 'list' }
          ? readonly number[]
          : number;

/**
 * A row: a plain object keyed by column name. Text is a string; int32 and int64 are safe integers; `dec` is the unscaled integer, `ts`
 * microseconds since the epoch, `date` days since the epoch; a nullable column may hold null.
 */
export type RowOf<D extends Dataset> = {
  readonly [C in D['columns'][number] as C['name']]: ValueOf<C['type']> | (C['nullable'] extends false ? never : null);
};

export const utf8 = { kind: 'utf8' } as const;
export const int32 = { kind: 'int32' } as const;
export const int64 = { kind: 'int64' } as const;
export const bool = { kind: 'bool' } as const;
export const date = { kind: 'date' } as const;
export const ts = { kind: 'ts' } as const;
export const listOfUtf8 = { kind: 'list', of: 'utf8' } as const;
export const listOfInt32 = { kind: 'list', of: 'int32' } as const;

/** A decimal of `precision` digits, `scale` of them after the point. */
export function dec<const P extends number, const S extends number>(precision: P, scale: S) {
  return { kind: 'dec', precision, scale } as const;
}

/** Text that is one of `values`. */
export function oneOf<const V extends readonly string[]>(...values: V) {
  return { kind: 'utf8', values } as const;
}

/** A column that always has a value. */
export function required<const N extends string, const T extends ColumnType>(
  name: N,
  type: T,
  description: string,
  unit: string | null = null,
) {
  return { name, type, nullable: false, description, unit } as const;
}

/** A column that may be null. */
export function optional<const N extends string, const T extends ColumnType>(
  name: N,
  type: T,
  description: string,
  unit: string | null = null,
) {
  return { name, type, nullable: true, description, unit } as const;
}
