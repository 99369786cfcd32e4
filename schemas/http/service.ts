// Bodies of the routes about the service itself, and the problem document of every failure.
import { z } from 'zod';

export const health = z.strictObject({
  status: z.literal('ok'),
  degraded: z
    .array(z.string())
    .describe('Dependencies that were unreachable at the last attempt, partitions that need a person, and overdue ticks.'),
});
export type Health = z.infer<typeof health>;

export const ready = z.strictObject({ status: z.literal('ready') });
export type Ready = z.infer<typeof ready>;

export const apiDescription = z.looseObject({ openapi: z.string() }).describe('An OpenAPI document.');

export const problemPage = z.strictObject({
  type: z.string(),
  title: z.string(),
  statuses: z.array(z.int()),
  meaning: z.string(),
  remedy: z.string(),
});
export type ProblemPage = z.infer<typeof problemPage>;

/** Some types add members. */
export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
});
