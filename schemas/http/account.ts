// The key record of `GET /v1/me` (docs/interface.md#key-record).
import { z } from 'zod';

export const keyRecord = z.strictObject({
  key_id: z.string().describe('Id of the calling key, not the secret.'),
  tier: z.enum(['DEMO', 'BETA', 'STARTER', 'PRO']),
  rate_limit_per_minute: z.int().describe('Requests per minute that the tier allows.'),
  quota: z.strictObject({
    monthly_rows: z.int().nullable().describe('Rows per calendar month; null: unlimited.'),
    used_rows: z.int().describe('Rows served this month, best effort; 0 while the ledger is unreachable.'),
    resets: z.iso.date().describe('Date (UTC) on which the monthly quota resets.'),
  }),
  demo_month: z
    .string()
    .regex(/^[0-9]{4}-[0-9]{2}$/)
    .nullable()
    .optional()
    .describe('Tier DEMO only: the month of games that it reads; null while there is none.'),
});
export type KeyRecord = z.infer<typeof keyRecord>;
