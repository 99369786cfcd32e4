// The table of a drill: a line for each fault with each measured time, its limit, and ok or late.

/** Milliseconds; null: not within the drill's patience. */
export type Measured = { ms: number | null; limitMs: number };

export type DrillLine = {
  fault: string;
  /** Null for a fault that degrades nothing. */
  reported: Measured | null;
  endReported: Measured;
  recovered: Measured;
  /** Null if no other process has to take over. */
  takenOver: Measured | null;
  /** The p99 from the acknowledgement of a push until it is readable, during the fault; null if it is not measured. */
  fresh: Measured | null;
  /** What /health said during the fault. */
  said: readonly string[];
  missing: readonly string[];
};

export function isInTime(measured: Measured | null): boolean {
  return measured === null || (measured.ms !== null && measured.ms <= measured.limitMs);
}

export function isLineInTime({ reported, endReported, recovered, takenOver, fresh }: DrillLine): boolean {
  return [reported, endReported, recovered, takenOver, fresh].every(isInTime);
}

export function describeDrill(lines: readonly DrillLine[]): string {
  const head = [
    'fault',
    'reported after',
    'taken over after',
    'recovered after',
    'end reported after',
    'fresh p99',
    '',
  ];
  const cells = lines.map((line) => [
    line.fault,
    cell(line.reported),
    cell(line.takenOver),
    cell(line.recovered),
    cell(line.endReported),
    cell(line.fresh),
    isLineInTime(line) ? 'ok' : 'late',
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((row) => (row[column] ?? '').length)));
  const rows = [head, ...cells].map((row) => row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '));
  return rows.map((row) => row.trimEnd()).join('\n');
}

/** The line, printed once measured, with what /health said and what was not readable in time. */
export function describeLine(line: DrillLine): string {
  const { fault, reported, takenOver, recovered, endReported, fresh, said, missing } = line;
  const measures = `reported ${cell(reported)}, taken over ${cell(takenOver)}, recovered ${cell(recovered)}, end reported ${cell(endReported)}, fresh ${cell(fresh)}`;
  const absent = missing.length === 0 ? '' : `; not readable: ${missing.join(', ')}`;
  return `${fault}: ${measures}; health said ${said.join(', ') || 'nothing'}${absent}`;
}

function cell(measured: Measured | null): string {
  if (measured === null) return '–';
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
  return `${measured.ms === null ? 'never' : `${seconds(measured.ms)} s`} of ${seconds(measured.limitMs)}`;
}
