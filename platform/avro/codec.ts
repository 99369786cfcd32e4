// Encodes and decodes the values of one topic in the Confluent wire format: a zero byte, the schema's id in four bytes, the Avro value.
// Resolves the writer's schema against ours; ids come from elsewhere. Decoding takes untrusted bytes and returns a value or a reason; it
// never throws.
import type { Type } from 'avsc';
import avsc from 'avsc';
import { AvroBytes, BadBytes } from './avro-bytes.ts';
import type { ReadValue } from './decoder.ts';
import { compileDecoder } from './decoder.ts';
import { exactLong } from './exact-long.ts';

const headerBytes = 5;

/** `mayDecodeLater`: only because its schema is not known yet. */
export type Decoded =
  | { value: unknown; undecodable: null }
  | { value: null; undecodable: string; mayDecodeLater?: true };

/** A value does not fit the topic's schema: a bug of the caller. */
export class UnfitValue extends TypeError {
  override readonly name = 'UnfitValue';
}

export interface Codec {
  /** The schema that this code writes and reads, as JSON. */
  readonly schema: string;
  /** @throws UnfitValue when `value` does not fit the schema. */
  encode(schemaId: number, value: unknown): Buffer;
  /**
   * The decoder of records written with another schema, given as JSON.
   * @throws IncompatibleSchemas when no record of it can be read as ours; SyntaxError or Error when it is not an Avro schema.
   */
  decoderFrom(writerSchema: string): (framed: Buffer) => Decoded;
}

/** The schema id before a value, or why there is none. */
export function schemaIdOf(framed: Buffer): number | string {
  if (framed.length < headerBytes) return framed.length === 0 ? 'no value' : 'bytes end before the schema id';
  if (framed[0] !== 0) return `first byte ${framed[0]} instead of 0: not in the registry's wire format`;
  return framed.readUInt32BE(1);
}

/** `longestString`: the longest string of a record in bytes, if not the default. */
export function openCodec(schema: string, longestString?: number): Codec {
  const ours = parseSchema(schema);
  const written = writtenSchema(schema);
  const bytes = new AvroBytes(longestString);
  let scratch = Buffer.allocUnsafe(64 * 1024);
  return {
    schema,
    encode(schemaId, value) {
      // avsc would encode anything else as a record of defaults.
      if (typeof value !== 'object' || value === null) throw new UnfitValue(`no ${ours.name ?? 'record'}: ${value}`);
      let end: number;
      try {
        end = written.encode(value, scratch, headerBytes);
        if (end < 0) {
          scratch = Buffer.allocUnsafe(2 * (scratch.length - end));
          end = written.encode(value, scratch, headerBytes);
        }
      } catch (error) {
        throw new UnfitValue(`no value of ${ours.name ?? 'the schema'}: ${message(error)}`);
      }
      scratch[0] = 0;
      scratch.writeUInt32BE(schemaId, 1);
      return Buffer.from(scratch.subarray(0, end));
    },
    decoderFrom(writerSchema) {
      const read = compileDecoder(parseSchema(writerSchema), ours);
      return (framed) => decode(bytes, read, framed);
    },
  };
}

function decode(bytes: AvroBytes, read: ReadValue, framed: Buffer): Decoded {
  bytes.open(framed, headerBytes);
  try {
    const value = read(bytes);
    if (bytes.left > 0) return { value: null, undecodable: `${bytes.left} bytes after the value` };
    return { value, undecodable: null };
  } catch (error) {
    if (!(error instanceof BadBytes)) throw error;
    return { value: null, undecodable: error.message };
  } finally {
    bytes.release();
  }
}

function parseSchema(text: string): Type {
  return avsc.Type.forSchema(JSON.parse(text));
}

/** Our schema for writing. */
function writtenSchema(text: string): Type {
  return avsc.Type.forSchema(JSON.parse(text), {
    typeHook: (schema) => (isLong(schema) ? exactLong : undefined),
  });
}

function isLong(schema: unknown): boolean {
  return (
    schema === 'long' || (typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'long')
  );
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
