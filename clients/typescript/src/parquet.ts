// Parquet files as rows in JSON form: decimals and times are strings with all of their digits, integers that a double may not hold are
// strings, nothing is a float (docs/interface.md#dataset-schema).
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { inflateZstd } from './zstd.ts';

export type Value = string | number | boolean | null | readonly (string | number)[];
export type Row = Readonly<Record<string, Value>>;

const compressors = { ZSTD: inflateZstd };
const parsers = { timestampFromMicroseconds: textOfMicros, dateFromDays: textOfDays };

/** @throws Error where the bytes are no Parquet file. */
export async function rowsOfFile(bytes: Uint8Array<ArrayBuffer>): Promise<Row[]> {
  const metadata = parquetMetadata(bytes);
  const scales = new Map<string, number>();
  for (const element of metadata.schema) {
    if (element.converted_type !== 'DECIMAL') continue;
    // Read as the integer that is stored: a double would not hold every decimal.
    scales.set(element.name, element.scale ?? 0);
    delete element.converted_type;
    delete element.logical_type;
  }
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const rows = (await parquetReadObjects({ file, metadata, compressors, parsers })) as Record<string, unknown>[];
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      const scale = scales.get(name);
      if (value === undefined) row[name] = null;
      else if (scale !== undefined && value !== null) row[name] = textOfDecimal(value as bigint | number, scale);
      else if (typeof value === 'bigint')
        row[name] = Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    }
  }
  return rows as Row[];
}

function textOfDecimal(unscaled: bigint | number, scale: number): string {
  const text = String(unscaled);
  const sign = text.startsWith('-') ? '-' : '';
  const digits = text.slice(sign.length).padStart(scale + 1, '0');
  return scale === 0 ? text : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function textOfMicros(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = Number((micros - fraction) / 1_000_000n);
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}.${String(fraction).padStart(6, '0')}Z`;
}

function textOfDays(days: number): string {
  return new Date(days * 86_400_000).toISOString().slice(0, 10);
}
