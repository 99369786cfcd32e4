// Selections by the names quotes give them. Feeds name the same ones over and over: names that are known here were found to be in order
// before, and their identity is not put together again — as the same string it is also found quicker wherever it is looked up. A memory
// within a bound, unaware of games and operators: forgetting changes nothing but the time it takes.
import { selectionId } from './selection-id.ts';

/** How a quote names its selection; a line is no part of it. */
export type SelectionNames = { market: string; period: string; selection: string; player: string | null };

export type KnownSelection = SelectionNames & {
  /** Its identity without a line, and with each: made when first asked for. */
  id: string | null;
  idsWithLine: Map<number, string> | null;
};

type Markets = Map<string, Map<string, Map<string, Map<string | null, KnownSelection>>>>;

const maxRemembered = 32_768;
const maxRememberedLength = 80;

let markets: Markets = new Map();
let remembered = 0;

/** The selection of these names, if it has been remembered. */
export function findSelection(
  market: string,
  period: string,
  selection: string,
  player: string | null,
): KnownSelection | undefined {
  return markets.get(market)?.get(period)?.get(selection)?.get(player);
}

/** Remembers a selection by names that are in order: none that a quote is refused for as `bad-quote`. */
export function rememberSelection({ market, period, selection, player }: SelectionNames): KnownSelection {
  const known: KnownSelection = { market, period, selection, player, id: null, idsWithLine: null };
  if (selection.length + (player?.length ?? 0) > maxRememberedLength) return known;
  makeRoom();
  const periods = markets.get(market) ?? new Map();
  const selections = periods.get(period) ?? new Map();
  const players = selections.get(selection) ?? new Map();
  markets.set(market, periods.set(period, selections.set(selection, players.set(player, known))));
  return known;
}

/** The `selection_id`; `line` is null where it is no part of the identity. docs/quotes.md#selection-identity. */
export function idOfSelection(known: KnownSelection, line: number | null): string {
  const { market, period, selection, player } = known;
  if (line === null) {
    known.id ??= selectionId(market, period, selection, player, null);
    return known.id;
  }
  known.idsWithLine ??= new Map();
  let id = known.idsWithLine.get(line);
  if (id === undefined) {
    makeRoom();
    id = selectionId(market, period, selection, player, line);
    known.idsWithLine.set(line, id);
  }
  return id;
}

function makeRoom(): void {
  if (remembered === maxRemembered) {
    markets = new Map();
    remembered = 0;
  }
  remembered += 1;
}
