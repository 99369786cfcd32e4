// What one record says, before its game is resolved and before the fold: the common form of native events, elements of
// The Odds API and records of the topic. docs/quotes.md#words.
import { canonical, type Json, sha256 } from './json.ts';
import { normaliseQuote, type Quote, type QuoteWords } from './quote.ts';

/** Names a game: by `gameId` (public id or UUID), or by the source's own event. */
export interface GameReference {
  gameId: string | undefined;
  league: string;
  eventId: string;
  home: string;
  away: string;
  start: bigint | undefined;
}

/** Which absent selections an image covers. */
export interface Coverage {
  /** `undefined`: every operator. */
  operators: string[] | undefined;
  /** `undefined`: every market. A period or line left `undefined` stands for all of them. */
  markets: { market: string; period: string | undefined; lineInIdentity: boolean | undefined }[] | undefined;
}

export interface Observation {
  kind: 'image' | 'delta' | 'heartbeat';
  /** `game`, or the operator's code. */
  scope: string;
  inPlay: boolean | undefined;
  coverage: Coverage;
  operators: { code: string; quotes: Quote[] }[];
}

/** The result of reading one element of a push, apart from its game. */
export interface ReadElement {
  /** The code of a refused event; the rest does not count then. */
  refused: string | undefined;
  /** The codes of its refused quotes and operators. */
  codes: string[];
  game: GameReference | undefined;
  observation: Observation | undefined;
  /** The source's own time, if the record is source-timed. */
  sourceTime: bigint | undefined;
  sha256: string;
}

export const everything: Coverage = { operators: undefined, markets: undefined };

/** "ASCII upper case of the source's key, then `[A-Z0-9_]{1,32}`, else `bad-operator`." */
export function operatorCode(key: string): string | undefined {
  const upper = key.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  return /^[A-Z0-9_]{1,32}$/.test(upper) ? upper : undefined;
}

/** "The same identity again in one record: the first accepted counts, the others → `duplicate-selection`." */
export function addQuotes(quotes: Quote[], said: QuoteWords[], kind: 'image' | 'delta', codes: string[]): void {
  for (const one of said) {
    const quote = normaliseQuote(one, kind);
    if (typeof quote === 'string') codes.push(quote);
    else if (quotes.some((other) => other.selectionId === quote.selectionId)) codes.push('duplicate-selection');
    else quotes.push(quote);
  }
}

export function refusedElement(code: string, element: Json): ReadElement {
  return {
    refused: code,
    codes: [],
    game: undefined,
    observation: undefined,
    sourceTime: undefined,
    sha256: sha256(canonical(element)),
  };
}

export const mostQuotes = 5_000;
export const mostBytes = 900_000;
