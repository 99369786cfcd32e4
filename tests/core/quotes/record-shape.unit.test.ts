// Records of the topic whose shape is unusual, and right: what the gateway may write, the fold takes.

import assert from 'node:assert/strict';
import { it } from 'vitest';
import { recordRefusal } from '../../../core/quotes/normalise-observation.ts';
import { normaliseObservation } from '../../support/builders/in-one-go.ts';
import { image, quote, startRecord, uuid } from '../../support/builders/live-records.ts';

it('takes two entries of one operator code as one operator, its quotes in order', () => {
  const record = image('x', [quote('home', -110)]);
  const { observation } = record;
  assert.ok(observation);
  observation.operators.push({ operator: 'X', quotes: [quote('home', 100), quote('away', 120)] });
  const normal = normaliseObservation(record, 0);
  assert.equal(normal.kind, 'observation');
  if (normal.kind !== 'observation') return;
  assert.deepEqual(
    normal.observation.operators.map(({ operator, quotes }) => [operator, quotes.map((each) => each.selection)]),
    [['X', ['home', 'away']]],
  );
  assert.deepEqual(
    normal.refusals.map((refusal) => refusal.code),
    ['duplicate-selection'],
  );
});

it('refuses an observation of scope operator that names two', () => {
  const record = image('x', [quote('home', -110)]);
  record.observation?.operators.push({ operator: 'y', quotes: [] });
  const normal = normaliseObservation(record, 0);
  assert.equal(normal.kind === 'refused' && normal.refusal.code, 'bad-event');
});

it('takes a founding start before 1970: logs hold what gateways of earlier releases wrote', () => {
  assert.equal(recordRefusal(uuid, startRecord(-1_000_000)), null);
});
