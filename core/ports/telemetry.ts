// The service's own telemetry: structured log lines and counters. Messages are constant; variable parts go into `fields`.

export type Fields = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
