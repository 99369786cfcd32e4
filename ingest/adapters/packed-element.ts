// An accepted element that waits for its turn into the log: its observation is kept as one text, and made again each time it is asked for. As
// objects, the quotes of a large push take several times the bytes that they came in.
import type { GameReference } from '../../core/ports/catalog/games.ts';
import type { QuoteRefusal } from '../../core/quotes/types.ts';
import type { Observation, RawQuote } from '../../schemas/events/quotes.ts';
import type { AdaptedElement } from './adapted.ts';

type AcceptedElement = Extract<AdaptedElement, { kind: 'accepted' }>;

/** Longer texts are kept outside the heap, in UTF-8. */
const longestText = 4_096;

export class PackedElement implements AcceptedElement {
  readonly kind = 'accepted';
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly sha256: string | null;
  readonly game: GameReference;
  readonly refusals: readonly QuoteRefusal[];
  readonly #packed: string | Uint8Array;

  constructor({ index, start, end, sha256, game, refusals, observation }: AcceptedElement) {
    this.index = index;
    this.start = start;
    this.end = end;
    this.sha256 = sha256;
    this.game = game;
    this.refusals = refusals;
    const text = packed(observation);
    this.#packed = text.length > longestText ? Buffer.from(text) : text;
  }

  get observation(): Observation {
    return unpacked(String(this.#packed));
  }
}

/** Without the names of members, which are the same in every quote. */
function packed({ operators, ...rest }: Observation): string {
  return JSON.stringify([rest, operators.map(({ operator, quotes }) => [operator, quotes.map(valuesOf)])]);
}

type Values = [
  ...[market: string, period: string | null, selection: string, player: string | null, player_id: string | null],
  ...[line: string | null, alternate: boolean, american: string | null, decimal: string | null],
  ...[fractional: string | null, state: string | null, source_timestamp: number | null],
];

function valuesOf(quote: RawQuote): Values {
  const { market, period, selection, player, player_id, line, alternate } = quote;
  const { american, decimal, fractional, state, source_timestamp } = quote;
  return [
    market,
    period,
    selection,
    player,
    player_id,
    line,
    alternate,
    american,
    decimal,
    fractional,
    state,
    source_timestamp,
  ];
}

function unpacked(text: string): Observation {
  const [rest, operators] = JSON.parse(text) as [Omit<Observation, 'operators'>, [string, Values[]][]];
  return { ...rest, operators: operators.map(([operator, quotes]) => ({ operator, quotes: quotes.map(quoteOf) })) };
}

function quoteOf(values: Values): RawQuote {
  const [market, period, selection, player, player_id, line, alternate, ...others] = values;
  const [american, decimal, fractional, state, source_timestamp] = others;
  return {
    market,
    period,
    selection,
    player,
    player_id,
    line,
    alternate,
    american,
    decimal,
    fractional,
    state,
    source_timestamp,
  };
}
