// The envelope of the discovery and reference lists (docs/interface.md#page-envelope).
import { z } from 'zod';

/** A page of records of this shape. */
export function pageOf<Shape extends z.ZodType>(record: Shape) {
  return z.strictObject({
    data: z.array(record),
    next_cursor: z.string().nullable().describe('Null when there are no more records.'),
  });
}
