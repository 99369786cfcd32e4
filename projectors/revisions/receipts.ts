// What the receipt of a push says of its records (docs/operations.md#receipts): which were applied and what revisions they cut, which came too
// late, which were refused.

import { receiptPlace } from '../../core/msf/receipt-place.ts';
import type { ScopeEffects } from '../../core/msf/streams/effects.ts';
import type { ReceiptRecord } from '../../core/ports/catalog/pushes.ts';
import { isSourceName } from '../../core/quotes/name-forms.ts';
import type { ObservationsRecord } from '../../schemas/events/observations.ts';
import { receiptOf } from '../worker/receipts.ts';
import type { MsfChanges } from './changes.ts';

const late = { code: 'late-observation', pointer: '' };

/** Notes a record in its receipt. One of a tick or a reset, or that no push brought, has none; what a reset brings again was in one. */
export function noteReceipt(
  changes: MsfChanges,
  record: ObservationsRecord,
  { outcome, refusals, revisions }: Pick<ScopeEffects, 'outcome' | 'refusals' | 'revisions'>,
): void {
  const { push, push_index: index, source } = record;
  if (outcome === null || push === null || index === null || index < 0 || !isSourceName(source)) return;
  if (record.observation !== null && record.observation.rebuild !== null) return;
  const fold = receiptOf(changes, push, source);
  const state = stateOf(outcome.result);
  const scope = { uuid: record.scope_uuid, league: record.league };
  const place = receiptPlace(index, record.observation?.feed ?? null, scope);
  if (state === 'applied') fold.applied.push(place);
  else if (state === 'duplicate') fold.duplicates.push(place);
  else fold.refused.push(place);
  const refused = outcome.result === 'late' ? [late] : outcome.result === 'refused' ? outcome.refusals : refusals;
  if (state === 'applied' && refused.length === 0 && revisions.length === 0) return;
  fold.records.push({
    index,
    ...(place === index ? {} : { place }),
    state,
    game_id: record.scope_id,
    seq: null,
    rows: null,
    revisions: revisions.map(({ dataset, epoch, revision }) => ({ dataset, epoch, revision })),
    refusals: refused.map(({ code, pointer }) => ({ code, pointer })),
  });
}

function stateOf(result: NonNullable<ScopeEffects['outcome']>['result']): ReceiptRecord['state'] {
  if (result === 'duplicate') return 'duplicate';
  return result === 'applied' || result === 'same' ? 'applied' : 'refused';
}
