// The forms of names in a record: sportsbook codes, markets, periods and sources; and the range of a source's rank.

const operatorCode = /^[A-Z0-9_]{1,32}$/;
const marketName = /^[a-z0-9_]{1,64}$/;
const sourceName = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The sportsbook code of a source's key: ASCII upper case; null: `bad-operator`. docs/quotes.md#operator-codes. */
export function operatorCodeOf(key: string): string | null {
  if (key.length === 0 || key.length > 32) return null;
  const code = asciiUpperCase(key);
  return operatorCode.test(code) ? code : null;
}

/** The message for a key that has none. */
export const badOperatorCode = 'the sportsbook must be 1 to 32 of A-Z, 0-9 and _, in any case';

/** Whether `text` may be a market or a period. docs/quotes.md#the-native-event. */
export function isMarketName(text: string): boolean {
  return marketName.test(text);
}

/** Whether `text` may name a source. The name appears in paths, and before the `/` in a game's first name. */
export function isSourceName(text: string): boolean {
  return sourceName.test(text);
}

/** The highest rank of a source; the lowest is its negative. */
export const highestRank = 1_000;

/** Whether a source may have this rank. */
export function isRank(rank: number): boolean {
  return Number.isInteger(rank) && Math.abs(rank) <= highestRank;
}

export function asciiUpperCase(text: string): string {
  return text.replace(/[a-z]+/g, (run) => run.toUpperCase());
}

export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}
