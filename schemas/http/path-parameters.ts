// Path parameters by name: a name means the same in every path. Documentation only: an impossible value is not found, never a validation
// error (docs/interface.md#problem-types).
import { z } from 'zod';
import { anyCaseCode } from '../reference/leagues.ts';

const uuid = '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}';

const streamName = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);

export const pathParameters = {
  game_id: z
    .string()
    .regex(new RegExp(`^(?:${anyCaseCode}_[0-9A-Za-z]{1,12}_[0-9A-Za-z]{1,12}_[0-9]{8}(?:_[1-9][0-9]{0,3})?|${uuid})$`))
    .describe('Public game id, `<LEAGUE>_<AWAY>_<HOME>_<YYYYMMDD>`, in any case; the UUID while none is minted.'),
  league: z
    .string()
    .regex(new RegExp(`^${anyCaseCode}$`))
    .describe('League code, in any case.'),
  epoch: streamName.describe('The `stream_epoch` of the record.'),
  revision: z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/)
    .describe('Number of the revision.'),
  kind: z.enum(['snapshot', 'change']).describe('The state after the revision, or its change.'),
  index: z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,8})$/)
    .describe('Index of the file within its record, from 0.'),
  archive_id: streamName.describe('Id of the archive, as listed.'),
  seq: z.int().min(0).max(999_999_999_999_999).describe('Number of the segment, as listed.'),
  operator: z
    .string()
    .regex(/^[0-9A-Za-z_]{1,32}$/)
    .describe('Code of the sportsbook, in any case.'),
  dataset: z.string().describe('Dataset name.'),
  name: z.string().describe('Dataset name.'),
  module: z
    .string()
    .regex(/^[a-z]+(?:-[a-z]+)*\.mjs$/)
    .describe('Name of a module of the live page.'),
  suffix: z.string().describe('Suffix of a problem type: what follows `/problems/` in it.'),
} as const satisfies Record<string, z.ZodType>;

type PathParameter = keyof typeof pathParameters;

export function isPathParameter(name: string): name is PathParameter {
  return Object.hasOwn(pathParameters, name);
}
