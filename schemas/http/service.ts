// Bodies of the routes about the service itself.
import { z } from 'zod';

/** Shared by the health of all listeners. */
export const degradedSince = z
  .record(z.string(), z.string())
  .optional()
  .describe('Since when each member of `degraded` stands; absent where there is none.');

export const health = z.strictObject({
  status: z.literal('ok'),
  degraded: z
    .array(z.string())
    .describe('Dependencies that were unreachable at the last attempt, and what keeps new data from becoming visible.'),
  since: degradedSince,
});
export type Health = z.infer<typeof health>;

export const ready = z.strictObject({ status: z.literal('ready') });
export type Ready = z.infer<typeof ready>;

export const apiDescription = z.looseObject({ openapi: z.string() }).describe('An OpenAPI document.');

export const schemaDocument = z.looseObject({ $schema: z.string() }).describe('A JSON Schema.');

export const problemPage = z.strictObject({
  type: z.string(),
  title: z.string(),
  statuses: z.array(z.int()),
  meaning: z.string(),
  remedy: z.string(),
});
export type ProblemPage = z.infer<typeof problemPage>;

export const problemTypesPage = z.strictObject({
  data: z.array(problemPage).describe('Every type of either listener; a type never changes its meaning.'),
});
