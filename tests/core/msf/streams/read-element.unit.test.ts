// An element means the same in every process that folds it. A violation is a state that no later owner of the partition reaches again.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { readElement } from '../../../../core/msf/streams/read-element.ts';
import type { MsfObservation } from '../../../../schemas/events/observations.ts';

function read(element: string): unknown {
  return readElement({ element, held: null } as MsfObservation, null);
}

it('an element has its own names, whatever those of the elements before it were', () => {
  read('{"plays":[{"rush":{"yards":1,"note\\\\":1}}]}');
  const element = { plays: [{ rush: { yards: 1, 'note\n': 1 } }] };
  assert.deepEqual(read(JSON.stringify(element)), { kind: 'read', element });
});
