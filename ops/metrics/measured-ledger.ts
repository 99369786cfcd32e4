// Wraps the ledger and counts what it charges, by the kind of read only, never by account.
import type { Ledger } from '../../core/ports/ledger.ts';
import type { Meter } from '../../core/ports/meter.ts';

/** The same ledger, measured. */
export function measuredLedger(ledger: Ledger, meter: Meter): Ledger {
  return {
    ...ledger,
    async charge(charges) {
      const answers = await ledger.charge(charges);
      for (const [at, answer] of answers.entries()) {
        const kind = charges[at]?.read.kind ?? 'file';
        meter.add('sds_charges_total', { kind, result: answer.kind });
        if (answer.kind === 'charged' && answer.debited > 0)
          meter.add('sds_charged_rows_total', { kind }, answer.debited);
      }
      return answers;
    },
  };
}
