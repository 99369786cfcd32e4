// Writes Thrift's compact protocol: structs field by field, and raw copies of fields from other thrift.
import type { ByteSink } from './byte-sink.ts';
import { type ThriftField, thriftType } from './thrift-reader.ts';

/** Writes structs field by field, in ascending order of their ids. */
export class ThriftWriter {
  readonly sink: ByteSink;
  private lastId = 0;

  constructor(sink: ByteSink) {
    this.sink = sink;
  }

  /** Opens a struct; pass the returned value to `end`. */
  begin(): number {
    const outer = this.lastId;
    this.lastId = 0;
    return outer;
  }

  /** Opens a struct as a field of the current one. */
  beginField(id: number): number {
    this.field(id, thriftType.struct);
    return this.begin();
  }

  end(outer: number): void {
    this.sink.byte(0);
    this.lastId = outer;
  }

  field(id: number, type: number): void {
    const step = id - this.lastId;
    if (step > 0 && step < 16) {
      this.sink.byte((step << 4) | type);
    } else {
      this.sink.byte(type);
      this.integer(id);
    }
    this.lastId = id;
  }

  integer(value: number): void {
    this.sink.zigzag(value);
  }

  listHeader(size: number, type: number): void {
    if (size < 15) {
      this.sink.byte((size << 4) | type);
    } else {
      this.sink.byte(0xf0 | type);
      this.sink.varint(size);
    }
  }

  i32(id: number, value: number): void {
    this.field(id, thriftType.i32);
    this.integer(value);
  }

  i64(id: number, value: number): void {
    this.field(id, thriftType.i64);
    this.integer(value);
  }

  /** A string or binary field. */
  binary(id: number, value: Uint8Array): void {
    this.field(id, thriftType.binary);
    this.sink.varint(value.length);
    this.sink.raw(value);
  }

  /** A string field. */
  text(id: number, value: string): void {
    this.field(id, thriftType.binary);
    const start = this.sink.length;
    this.sink.byte(0);
    this.sink.text(value);
    const length = this.sink.length - start - 1;
    if (length < 128) {
      this.sink.bytes[start] = length;
    } else {
      // The length needs more than the one byte reserved for it.
      const text = this.sink.bytes.slice(start + 1, this.sink.length);
      this.sink.length = start;
      this.sink.varint(length);
      this.sink.raw(text);
    }
  }

  /** A field whose value is already thrift. */
  raw(id: number, type: number, value: Uint8Array): void {
    this.field(id, type);
    this.sink.raw(value);
  }

  /** Copies a field from other thrift. */
  copy(field: ThriftField, bytes: Uint8Array): void {
    this.field(field.id, field.type);
    this.sink.raw(bytes, field.start, field.end);
  }
}
