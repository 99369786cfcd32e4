// Shapes of query parameters: decoded texts of the URL. The rules that own a parameter parse its meaning. Independent of routes. A
// parameter that does not match is refused with its message; none is ever corrected.
import { z } from 'zod';
import { leagues } from '../reference/leagues.ts';

/** How the documents show a parameter whose text form hides its possible values. */
type Documented = { readonly documented: Readonly<Record<string, unknown>> };

/** Enumerated values are accepted in any case (docs/interface.md#list-games). */
function anyCaseOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z
    .string()
    .regex(/^[A-Za-z]*$/, `must be one of ${values.join(', ')}`)
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(values, { error: `must be one of ${values.join(', ')}` }))
    .meta({ documented: { type: 'string', enum: values } } satisfies Documented);
}

export const gameStatuses = [
  'SCHEDULED',
  'DELAYED',
  'STARTED',
  'SUSPENDED',
  'COMPLETED',
  'POSTPONED',
  'CANCELLED',
] as const;

export const leagueParameter = anyCaseOf(leagues).describe('League code, case-insensitive.');
export const statusParameter = anyCaseOf(gameStatuses).describe('Status as in the game record, case-insensitive.');

/** Whether `text`, of the form YYYY-MM-DD, is a calendar date. */
function isCalendarDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  // The catalog has no year 0.
  return !Number.isNaN(time) && text >= '0001' && new Date(time).toISOString().startsWith(text);
}

export const dateParameter = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'must be a date YYYY-MM-DD')
  .refine(isCalendarDate, 'must be a day of the calendar')
  .describe('Eastern-Time calendar date, YYYY-MM-DD.')
  .meta({ documented: { type: 'string', format: 'date' } } satisfies Documented);

export const teamParameter = z
  .string()
  .min(1, 'must not be empty')
  .describe(
    'Canonical name of a team; if no team has that name, its id, abbreviation or nickname. Case-insensitive; finds home and away games, in every league with such a team. An unknown name gives an empty page.',
  );

export const teamIdParameter = z
  .string()
  .regex(/^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/, 'must be a UUID')
  .transform((text) => text.toLowerCase())
  .describe('Canonical team UUID, case-insensitive.')
  .meta({ documented: { type: 'string', format: 'uuid' } } satisfies Documented);

/** Largest page of a list (docs/interface.md#limits). */
const maxPageSize = 10_000;
export const defaultPageSize = 1_000;

export const limitParameter = z
  .string()
  .regex(/^[0-9]{1,15}$/, `must be an integer from 1 to ${maxPageSize}`)
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= maxPageSize, `must be an integer from 1 to ${maxPageSize}`)
  .describe('Records per page.')
  .meta({
    documented: { type: 'integer', minimum: 1, maximum: maxPageSize, default: defaultPageSize },
  } satisfies Documented);

export const pageCursorParameter = z
  .string()
  .regex(/^[0-9A-Za-z_-]{1,512}$/, 'must be a next_cursor of this list, verbatim')
  .describe('The next_cursor of the previous page, verbatim, with the same filters.');

export const liveCursorParameter = z
  .string()
  .regex(/^[0-9]{1,15}:[0-9]{1,15}$/, 'must have the form <digits>:<digits>')
  .describe('The cursor of a previous listing: <seq>:<rows>.');

export const versionParameter = z
  .string()
  .regex(/^(?=0*[1-9])[0-9]{1,9}$/, 'must be an integer from 1 to 999999999')
  .transform(Number)
  .describe('Number of the version, as listed. Default: the newest.')
  .meta({ documented: { type: 'integer', minimum: 1, maximum: 999_999_999 } } satisfies Documented);

export const rowsParameter = z
  .string()
  .regex(/^0*[1-9][0-9]*$/, 'must be an integer of at least 1')
  .max(15, 'must have at most 15 digits')
  .describe('The row count `rows` of the listing.')
  .meta({ documented: { type: 'integer', minimum: 1, maximum: 999_999_999_999_999 } } satisfies Documented);

export const fromRowParameter = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'must be an integer of 1 to 15 digits')
  .transform(Number)
  .describe('Leaves out the rows before this one, counted from 0; given with `rows`, and below it.')
  .meta({ documented: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 } } satisfies Documented);

const mostRowsPerPage = 5_000;
export const defaultRowsPerPage = 1_000;

export const rowsLimitParameter = z
  .string()
  .regex(/^[0-9]{1,15}$/, `must be an integer from 1 to ${mostRowsPerPage}`)
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= mostRowsPerPage, `must be an integer from 1 to ${mostRowsPerPage}`)
  .describe('Rows per answer, at most.')
  .meta({
    documented: { type: 'integer', minimum: 1, maximum: mostRowsPerPage, default: defaultRowsPerPage },
  } satisfies Documented);

const mostGames = 50;

export const gamesParameter = z
  .string()
  .regex(
    /^[0-9A-Za-z_-]{1,64}(?:,[0-9A-Za-z_-]{1,64}){0,49}$/,
    `must be 1 to ${mostGames} game ids, separated by commas`,
  )
  .transform((text) => text.split(','))
  .describe(`Game ids, at most ${mostGames}, separated by commas.`)
  .meta({ documented: { type: 'string' } } satisfies Documented);

export const datasetsParameter = z
  .string()
  .regex(/^[a-z-]{1,32}(?:,[a-z-]{1,32}){0,9}$/, 'must be names of datasets, separated by commas')
  .transform((text) => text.split(','))
  .describe('Names of datasets that are served live, separated by commas. Default: all.')
  .meta({ documented: { type: 'string' } } satisfies Documented);
