// Claim: what a tool tells a model to ask for exists. A filter by another word matches nothing and is no error (docs/odds.md#parameters), so a
// model would conclude that nothing is quoted.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { z } from 'zod';
import { spanOf } from '../../../core/settlement/period-scores.ts';
import { tools } from '../../../ops/mcp/tools.ts';
import { gameStatuses } from '../../../schemas/http/parameters.ts';
import { leagues } from '../../../schemas/reference/leagues.ts';

/** The words in the description of a parameter that are values, by their form. */
function valuesIn(tool: string, parameter: string, form: RegExp): string[] {
  const input = tools.find(({ name }) => name === tool)?.input ?? assert.fail(tool);
  const { description = '' } = input.shape[parameter] as z.ZodType;
  return description.match(form) ?? [];
}

describe('a tool names', () => {
  it('all statuses of games', () => {
    assert.deepEqual(valuesIn('list_games', 'status', /\b[A-Z]{2,}\b/g), [...gameStatuses]);
  });

  it('periods that there are', () => {
    const periods = valuesIn('odds', 'period', /\b[a-z][a-z0-9_]+(?=[,.])/g);
    assert.ok(periods.length > 2);
    for (const period of periods)
      assert.ok(
        leagues.some((league) => spanOf(league, period) !== null),
        period,
      );
  });
});
