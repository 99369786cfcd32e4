// Charges are counted by the kind of read and by the ledger's answer, rows only where some were debited; and nothing of a call that failed.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import type { Charge, Ledger, LedgerAnswer } from '../../../core/ports/ledger.ts';
import { measuredLedger } from '../../../ops/metrics/measured-ledger.ts';
import { metricsText, openMetrics } from '../../../platform/telemetry/metrics.ts';

const charge = (kind: Charge['read']['kind']) => ({ read: { kind } }) as Charge;
const charged = (debited: number) => ({ kind: 'charged', debited }) as LedgerAnswer;
const exhausted = { kind: 'exhausted' } as LedgerAnswer;

it('charges and their rows are counted once the ledger has answered', async () => {
  let answers: LedgerAnswer[] | null = null;
  const plain = {
    async charge() {
      if (answers === null) throw new Error('the ledger is away');
      return answers;
    },
  } as unknown as Ledger;
  const metrics = openMetrics({ ofProcess: false });
  const ledger = measuredLedger(plain, metrics);
  const samples = async () => {
    const lines = (await metricsText([await metrics.snapshot()])).split('\n');
    return lines.filter((line) => line.startsWith('sds_charge')).toSorted();
  };
  await assert.rejects(ledger.charge([charge('live')]));
  assert.deepEqual(await samples(), []);

  answers = [charged(20), charged(3), exhausted, charged(0), charged(7)];
  const asked = (['live', 'live', 'file', 'msf', 'board'] as const).map(charge);
  assert.equal(await ledger.charge(asked), answers);
  assert.deepEqual(await samples(), [
    'sds_charged_rows_total{kind="board"} 7',
    'sds_charged_rows_total{kind="live"} 23',
    'sds_charges_total{kind="board",result="charged"} 1',
    'sds_charges_total{kind="file",result="exhausted"} 1',
    'sds_charges_total{kind="live",result="charged"} 2',
    'sds_charges_total{kind="msf",result="charged"} 1',
  ]);
});
