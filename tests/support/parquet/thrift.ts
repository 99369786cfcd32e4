// Parquet footers made by hand, for tests of what must be refused.
import { ByteSink } from '../../../core/parquet/byte-sink.ts';
import { magicBytes, readFooter } from '../../../core/parquet/footer.ts';
import { findField, ThriftReader, thriftType } from '../../../core/parquet/thrift-reader.ts';
import { ThriftWriter } from '../../../core/parquet/thrift-writer.ts';

/** A file of `data` bytes followed by `footer`. */
export function fileOf(footer: Uint8Array, data = new Uint8Array(0)): Uint8Array {
  const sink = new ByteSink();
  sink.raw(magicBytes);
  sink.raw(data);
  sink.raw(footer);
  sink.int32(footer.length);
  sink.raw(magicBytes);
  return sink.toBytes();
}

/** The bytes of a file's footer. */
export function footerBytes(file: Uint8Array): Uint8Array {
  return file.slice(readFooter(file).start, file.length - 8);
}

export function thrift(write: (writer: ThriftWriter) => void): Uint8Array {
  const sink = new ByteSink();
  write(new ThriftWriter(sink));
  return sink.toBytes();
}

/** A footer with one column chunk in each group, at the given places. `rows`: of the file and of each group. */
export function footerOfGroups(
  rows: number,
  groups: readonly { rows: number; dataPage: number; size: number }[],
): Uint8Array {
  return thrift((writer) => {
    const file = writer.begin();
    writer.i32(1, 1);
    writer.field(2, thriftType.list);
    writer.listHeader(0, thriftType.struct);
    writer.i64(3, rows);
    writer.field(4, thriftType.list);
    writer.listHeader(groups.length, thriftType.struct);
    for (const group of groups) {
      const outer = writer.begin();
      writer.field(1, thriftType.list);
      writer.listHeader(1, thriftType.struct);
      const chunk = writer.begin();
      const column = writer.beginField(3);
      writer.i64(7, group.size);
      writer.i64(9, group.dataPage);
      writer.end(column);
      writer.end(chunk);
      writer.i64(3, group.rows);
      writer.end(outer);
    }
    writer.end(file);
  });
}

/** The raw statistics of each column in a row group. */
export function statisticsOf(group: Uint8Array): Uint8Array[] {
  const columns = new ThriftReader(group, 0, group.length).struct().find((field) => field.id === 1)!;
  const reader = new ThriftReader(group, columns.start, columns.end);
  const { size } = reader.listHeader();
  return Array.from({ length: size }, () => {
    const metadata = findField(reader.struct(), 3)!;
    const column = new ThriftReader(group, metadata.start, metadata.end).struct();
    const statistics = findField(column, 12);
    return statistics ? group.slice(statistics.start, statistics.end) : new Uint8Array(0);
  });
}
