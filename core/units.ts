// Units of the whole code base. A time is a safe-integer number of microseconds since 1970-01-01T00:00:00Z (1684 to 2255);
// a decimal is an unscaled integer whose scale is in its name or its column.

/** Microseconds since the epoch, UTC. Always a safe integer. */
export type Micros = number;

/** Milliseconds, as a duration or a time of the process clock. */
export type Millis = number;

export const microsPerSecond: Micros = 1_000_000;
export const microsPerMinute: Micros = 60 * microsPerSecond;
export const microsPerHour: Micros = 60 * microsPerMinute;
