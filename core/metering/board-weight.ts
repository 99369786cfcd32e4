// What a board costs: its rows times the deployment's weight, rounded down (docs/metering.md#board-weight). The weight is a whole number of
// millionths: with a binary fraction, 100 rows at 0.29 would cost 28.

const millionthsPerRow = 1_000_000n;

/** The rows that reading a board of `rows` rows debits. */
export function weighBoard(rows: number, weightMillionths: number): number {
  return Number((BigInt(rows) * BigInt(weightMillionths)) / millionthsPerRow);
}
