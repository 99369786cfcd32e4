// A bounded cache of selections by their names. Feeds repeat the same names: those cached here have passed validation, and their id is not
// built again. Sharing one string also speeds up every later lookup. Independent of games and sportsbooks: evicting an entry costs only
// time.
import { selectionId } from './selection-id.ts';

/** How a quote names its selection, without the line. */
type SelectionNames = { market: string; period: string; selection: string; player: string | null };

type KnownSelection = SelectionNames & {
  /** Its id without a line, and per line; built on first use. */
  id: string | null;
  idsWithLine: Map<number, string> | null;
};

type Markets = Map<string, Map<string, Map<string, Map<string | null, KnownSelection>>>>;

const maxRemembered = 32_768;
const maxRememberedLength = 80;

let markets: Markets = new Map();
let remembered = 0;

/** The cached selection of these names, if any. */
export function findSelection(
  market: string,
  period: string,
  selection: string,
  player: string | null,
): KnownSelection | undefined {
  return markets.get(market)?.get(period)?.get(selection)?.get(player);
}

/** Caches a selection. Its names must be valid: a quote with them is not refused as `bad-quote`. */
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

/** The `selection_id`; `line` is null if it is not part of the identity. docs/quotes.md#selection-identity. */
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
