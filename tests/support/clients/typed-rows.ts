// The row types of the clients, generated as source text from the API's schema documents
// (docs/interface.md#dataset-schema).
import type { DatasetSchema } from '../../../schemas/http/datasets.ts';

type ValueSchema = { type: string | readonly string[]; enum?: readonly (string | null)[]; items?: ValueSchema };
type Column = DatasetSchema['columns'][number] & { value: ValueSchema };

const origin = 'Made of the schema documents by tests/whole/repository/typed-rows.e2e.test.ts';

/** The text of clients/typescript/src/rows.ts: rows in JSON form. */
export function typescriptRows(schemas: readonly DatasetSchema[]): string {
  const rows = schemas.map((schema) => {
    const columns = columnsOf(schema).map(
      ({ name, description, unit, nullable, value }) =>
        `  /** ${described(description, unit)} */\n${member(name, [...typescriptOf(value), ...(nullable ? ['null'] : [])])}`,
    );
    return `/** A row of \`${schema.dataset}\` in JSON form. */\nexport type ${rowName(schema)} = {\n${columns.join('')}};\n`;
  });
  const byName = schemas.map((schema) => `  ${keyOf(schema.dataset)}: ${rowName(schema)};\n`);
  return `// ${origin}.\n\n${rows.join('\n')}\n/** The rows of each dataset. */\nexport type Rows = {\n${byName.join('')}};\n`;
}

/** A name is quoted only if it has to be. */
function keyOf(name: string): string {
  return name.includes('-') ? `'${name}'` : name;
}

/** A member in the format of this repository. */
function member(name: string, types: readonly string[]): string {
  const line = `  readonly ${name}: ${types.join(' | ')};\n`;
  return line.length <= 121 ? line : `  readonly ${name}:\n${types.map((type) => `    | ${type}`).join('\n')};\n`;
}

function typescriptOf(schema: ValueSchema): string[] {
  if (schema.enum !== undefined) return textsOf(schema.enum, "'");
  const kind = kindOf(schema);
  if (kind === 'array') return [`readonly ${typescriptOf(schema.items as ValueSchema)}[]`];
  return [kind === 'integer' ? 'number' : kind];
}

/** The text of clients/python/sds_client/rows.py: rows in pyarrow form. */
export function pythonRows(schemas: readonly DatasetSchema[]): string {
  const rows = schemas.map((schema) => {
    const columns = columnsOf(schema).map((column) => {
      const type = `${pythonOf(column)}${column.nullable ? ' | None' : ''}`;
      return `    ${column.name}: ${type}\n    """${described(column.description, column.unit)}"""\n`;
    });
    return `class ${rowName(schema)}(TypedDict):\n    """A row of \`${schema.dataset}\`."""\n\n${columns.join('')}`;
  });
  const names = schemas.map((schema) => `    "${rowName(schema)}",\n`);
  const imports =
    'from datetime import date, datetime\nfrom decimal import Decimal\nfrom typing import Literal, TypedDict';
  return `"""${origin}."""\n\nfrom __future__ import annotations\n\n${imports}\n\n__all__ = [\n${names.join('')}]\n\n\n${rows.join('\n\n')}`;
}

const pythonKinds: Readonly<Record<string, string>> = { string: 'str', integer: 'int', boolean: 'bool' };

function pythonOf({ logical_type: logical, value }: Pick<Column, 'logical_type' | 'value'>): string {
  if (logical?.startsWith('decimal')) return 'Decimal';
  if (logical?.startsWith('timestamp')) return 'datetime';
  if (logical === 'date') return 'date';
  if (value.enum !== undefined) return `Literal[${textsOf(value.enum, '"').join(', ')}]`;
  if (value.items !== undefined) return `list[${pythonOf({ logical_type: null, value: value.items })}]`;
  return pythonKinds[kindOf(value)] as string;
}

function columnsOf({ columns, row }: DatasetSchema): Column[] {
  const { properties } = row as { properties: Readonly<Record<string, ValueSchema>> };
  return columns.map((column) => ({ ...column, value: properties[column.name] as ValueSchema }));
}

/** The type without null, which `nullable` covers. */
function kindOf({ type }: ValueSchema): string {
  return typeof type === 'string' ? type : (type.find((each) => each !== 'null') as string);
}

function textsOf(values: readonly (string | null)[], quote: string): string[] {
  return values.filter((value) => value !== null).map((value) => `${quote}${value}${quote}`);
}

function described(description: string, unit: string | null): string {
  return unit === null ? description : `${description} Unit: ${unit}.`;
}

function rowName({ dataset }: DatasetSchema): string {
  const words = dataset.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Row`;
}
