// Shapes of the query parameters of the odds routes (docs/odds.md#parameters). Each message says what to send instead.
import { z } from 'zod';

type Documented = { readonly documented: Readonly<Record<string, unknown>> };

const key = (example: string) =>
  z.string().regex(/^[a-z0-9_]{1,64}$/, `must be one of the keys in a board file, such as ${example}`);

export const marketParameter = key('moneyline').describe('Only this market, such as `moneyline` or `player_points`.');
export const periodParameter = key('full').describe('Only this period, such as `full` or `q1`.');

/** Up to 50 sportsbooks. */
const operatorsForm = /^[0-9A-Za-z_]{1,32}(?:,[0-9A-Za-z_]{1,32}){0,49}$/;

export const operatorsParameter = z
  .string()
  .regex(operatorsForm, 'must be 1 to 50 codes of sportsbooks with commas between, such as DRAFTKINGS,FANDUEL')
  .transform((text) => [...new Set(text.toUpperCase().split(','))].sort())
  .describe('Only these sportsbooks: codes in any case, with commas between.')
  .meta({ documented: { type: 'string', pattern: operatorsForm.source } } satisfies Documented);

const formats = ['american', 'decimal', 'fractional'] as const;

export const formatParameter = z
  .enum(formats, { error: `must be one of ${formats.join(', ')}; leave it out for both columns of prices` })
  .describe('Adds `price`: the price as text in this format.');

export const instantParameter = z
  .string()
  .regex(
    /^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9:.]{8,40}(?:[Zz]|[+-][0-9]{2}:[0-9]{2})$/,
    'must be an RFC 3339 time such as 2026-08-05T23:41:00Z; a + of its zone is written %2B',
  )
  .describe('An instant of the past, RFC 3339: the odds as of then.')
  .meta({ documented: { type: 'string', format: 'date-time' } } satisfies Documented);

/** Games on a page of odds. */
const mostGames = 100;
export const defaultGames = 20;

export const gamesLimitParameter = z
  .string()
  .regex(/^[0-9]{1,15}$/, `must be an integer from 1 to ${mostGames}`)
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= mostGames, `must be an integer from 1 to ${mostGames}`)
  .describe('Games per page.')
  .meta({
    documented: { type: 'integer', minimum: 1, maximum: mostGames, default: defaultGames },
  } satisfies Documented);

export const bestParameter = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((text) => text === 'true')
  .describe('`true`: of each selection only the sportsbook with the best price.')
  .meta({ documented: { type: 'boolean', default: false } } satisfies Documented);
