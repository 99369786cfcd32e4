// What every problem document has, whatever its type (docs/interface.md#errors).
import { z } from 'zod';

/** Some types add members. */
export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
});
