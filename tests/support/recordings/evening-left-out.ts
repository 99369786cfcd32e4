// Which evening of odds a test run uses. Needs vitest; `npm run drill` also reads the evenings, without vitest.
import { leftOut } from '../vitest/sampled.ts';
import { type OddsEvening, oddsEvenings } from './odds-evenings.ts';

/** Why this run leaves out an evening in this file: it is absent, or the run uses another one. */
export function eveningLeftOut({ name, absent }: OddsEvening): string | false {
  const here = oddsEvenings.flatMap((each) => (each.absent === false ? [each.name] : []));
  return absent || leftOut(name, here);
}
