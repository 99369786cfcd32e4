// The schema documents of a dataset: how `/v1/datasets/{name}/schema` and the OpenAPI row components describe its rows. Independent of
// HTTP. Values take the JSON form of docs/revisions.md#digest: decimals and times are strings, and nothing is a float.
import type { JsonSchema } from '../http/json-schema.ts';
import type { Column, ColumnType, Dataset } from './column.ts';

/** A column in the schema route: `type` is how the value is stored, `logicalType` what it means. docs/interface.md#dataset-entry. */
export function columnTypes(type: ColumnType): { type: string; logicalType: string | null } {
  switch (type.kind) {
    case 'dec':
      return { type: type.precision > 9 ? 'int64' : 'int32', logicalType: `decimal(${type.precision},${type.scale})` };
    case 'ts':
      return { type: 'int64', logicalType: 'timestamp(micros,utc)' };
    case 'date':
      return { type: 'int32', logicalType: 'date' };
    case 'list':
      return { type: `list<${type.of}>`, logicalType: 'list' };
    default:
      return { type: type.kind, logicalType: null };
  }
}

/** The JSON Schema (2020-12) of one row of `dataset`: every column is a required member. docs/interface.md#dataset-schema. */
export function rowSchema(dataset: Dataset): JsonSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: dataset.columns.map((column) => column.name),
    properties: Object.fromEntries(dataset.columns.map((column) => [column.name, columnSchema(column)])),
  };
}

function columnSchema(column: Column): JsonSchema {
  const schema = valueSchema(column.type);
  const described = {
    ...schema,
    description: column.unit ? `${column.description} Unit: ${column.unit}.` : column.description,
  };
  if (!column.nullable) return described;
  const values = schema.enum;
  return {
    ...described,
    type: [schema.type, 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}

function valueSchema(type: ColumnType): JsonSchema {
  switch (type.kind) {
    case 'utf8':
      return type.values ? { type: 'string', enum: type.values } : { type: 'string' };
    case 'bool':
      return { type: 'boolean' };
    case 'int32':
      return { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 };
    case 'int64':
      return { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
    case 'date':
      return { type: 'string', format: 'date', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
    case 'ts':
      return { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z$' };
    case 'dec':
      return { type: 'string', pattern: `^-?\\d{1,${type.precision - type.scale}}\\.\\d{${type.scale}}$` };
    case 'list':
      return { type: 'array', items: valueSchema({ kind: type.of }) };
  }
}
