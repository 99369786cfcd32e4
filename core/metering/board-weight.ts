// What a board costs: its rows times the deployment's weight, rounded down (interface, "Metering" 4). Exact: the weight is the decimal
// that was written, not the binary fraction nearest to it, by which 100 rows at 0.29 would come to 28.

const decimalForm = /^([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/;

/** The rows that reading a board of `rows` rows debits. @throws RangeError when the weight is no number from 0 up */
export function weighBoard(rows: number, weight: number): number {
  if (weight === 0 || rows === 0) return 0;
  if (Number.isInteger(weight)) return rows * weight;
  // The shortest text of a number is the decimal it was read from.
  const [, whole = '', fraction = '', exponent = '0'] = decimalForm.exec(String(weight)) ?? [];
  if (whole === '') throw new RangeError(`no weight: ${weight}`);
  const places = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction) * BigInt(rows);
  return Number(places > 0 ? digits / 10n ** BigInt(places) : digits * 10n ** BigInt(-places));
}
