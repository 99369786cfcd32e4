// Query parameters of the MSF routes, as texts; core/msf/published/cursor.ts interprets cursors. A parameter that does not match is refused
// with its message.
import { z } from 'zod';

const revision = /^[1-9][0-9]{0,15}$/;

export const atRevisionParameter = z
  .string()
  .regex(revision, 'must be the number of a revision, from 1')
  .transform(Number)
  .describe('A published revision to read instead of the newest; together with `epoch`.')
  .meta({ documented: { type: 'string', pattern: revision.source } });

export const epochParameter = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be the stream_epoch of a manifest')
  .describe('The `stream_epoch` that `at_revision` belongs to; together with it.');

export const changesCursorParameter = z
  .string()
  .regex(/^[0-9A-Za-z:_-]{1,256}$/, 'must be a cursor of a snapshot or of changes, verbatim')
  .describe('The `cursor` of a snapshot or of an earlier listing, verbatim: revisions after it are listed.');

/** docs/interface.md#limits. */
const maxChanges = 500;
export const defaultChanges = 100;

export const changesLimitParameter = z
  .string()
  .regex(/^[0-9]{1,15}$/, `must be an integer from 1 to ${maxChanges}`)
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= maxChanges, `must be an integer from 1 to ${maxChanges}`)
  .describe('Revisions per page.')
  .meta({ documented: { type: 'integer', minimum: 1, maximum: maxChanges, default: defaultChanges } });

export const untilRevisionParameter = z
  .string()
  .regex(revision, 'must be the number of a revision, from 1')
  .transform(Number)
  .describe('The highest revision to list; default: the newest.')
  .meta({ documented: { type: 'string', pattern: revision.source } });

export const archivesCursorParameter = z
  .string()
  .regex(/^p[0-9]{1,15}$/, 'must be a next_cursor of this list, verbatim')
  .describe('The `next_cursor` of the previous page, verbatim.');
