// Which evening of odds a run of the tests takes. Needs vitest; the evenings themselves are read outside of it too, by `npm run drill`.
import { leftOut } from '../vitest/sampled.ts';
import { type OddsEvening, oddsEvenings } from './odds-evenings.ts';

/** Why this run leaves out an evening in this file: it is absent, or the run takes another of those that are here. */
export function eveningLeftOut({ name, absent }: OddsEvening): string | false {
  const here = oddsEvenings.flatMap((each) => (each.absent === false ? [each.name] : []));
  return absent || leftOut(name, here);
}
