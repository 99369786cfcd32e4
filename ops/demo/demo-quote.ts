// A quote of a simulated book, and the odds it makes from a probability. Independent of games and time.

/** A player for a book that pushes its own quotes; polled books only use the name. */
type QuotedPlayer = { name: string; id: string };

export type DemoQuote = {
  market: string;
  selection: 'home' | 'away' | 'over' | 'under' | 'yes';
  player: QuotedPlayer | null;
  line: number | null;
  american: number;
};

/** A probability as American odds, in steps of five as books show them. */
export function american(probability: number): number {
  const p = Math.min(0.97, Math.max(0.03, probability));
  const exact = p >= 0.5 ? (-100 * p) / (1 - p) : (100 * (1 - p)) / p;
  const stepped = Math.round(exact / 5) * 5;
  return Math.abs(stepped) <= 100 ? 100 : stepped;
}
