// The position of a record in its partition.
import type { Micros } from './units.ts';

/** `timestamp` is the broker's. */
export type LogPosition = { partition: number; offset: number; timestamp: Micros };
