// Finds players by the names in quotes (docs/settlement.md#players-by-name): the normal form for comparing names, the name in a selection's
// id, and the player of that name in a game. Independent of results.
import { lineText } from '../quotes/line.ts';
import type { BoxScore } from './box-score.ts';
import type { ReferencePlayer } from './evidence.ts';
import type { Selection } from './selections.ts';

const suffixes: ReadonlySet<string> = new Set(['jr', 'sr', 'ii', 'iii', 'iv', 'v']);

/** The normal form of a name: without accents, case, punctuation and generational suffix; empty if it has no letter or digit. */
export function normalName(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain
    .replace(/['’‘ʼ.]/g, '')
    .replace(/[^\p{L}\p{Nd}]+/gu, ' ')
    .split(' ')
    .filter((word) => word !== '');
  if (words.length > 2 && suffixes.has(words.at(-1) as string)) words.pop();
  return words.join(' ');
}

/** The player's name in a selection's id: its fourth part, unless that is the line; null if there is none. */
export function playerNameIn({ selectionId, line }: Named): string | null {
  const parts = selectionId.split('/');
  const part = parts[3];
  if (part === undefined) return null;
  const isLine = parts.length === 4 && line !== null && part === lineText(line);
  return isLine ? null : decoded(part);
}

/** Text with an invalid escape is kept as it is. */
function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** What the names in selections tell of players. */
export type NamedPlayers = {
  /** Whether a player of the selection's name has a row in the box score. */
  isInBoxScore(selection: Named): boolean;
  /** The one player of the selection's name; `hasRow`: in the box score. Null: none, or several. */
  find(selection: Named): { id: string; hasRow: boolean } | null;
};

export type Named = Pick<Selection, 'selectionId' | 'line'>;

/** The players of a game by normal name. */
export class PlayerNames implements NamedPlayers {
  readonly #inBoxScore = new Map<string, string[]>();
  readonly #onTeams = new Map<string, string[]>();
  /** Caches normal forms: quotes repeat a name for each market, side and line. */
  readonly #normal = new Map<string, string>();

  /** `teams`: the ids of the teams of the game. */
  constructor(players: readonly ReferencePlayer[], box: BoxScore, teams: ReadonlySet<string | null>) {
    for (const { id, firstName, lastName, currentTeamId } of players) {
      const isInBoxScore = box.has(id);
      if (!isInBoxScore && (currentTeamId === null || !teams.has(currentTeamId))) continue;
      const name = normalName(`${firstName} ${lastName}`);
      if (name === '') continue;
      const named = isInBoxScore ? this.#inBoxScore : this.#onTeams;
      const alike = named.get(name);
      if (alike === undefined) named.set(name, [id]);
      else alike.push(id);
    }
  }

  isInBoxScore(selection: Named): boolean {
    const name = playerNameIn(selection);
    return name !== null && this.#inBoxScore.has(this.#normalOf(name));
  }

  /** With a row in the box score, or — if none of that name has a row — on a team of the game. */
  find(selection: Named): { id: string; hasRow: boolean } | null {
    const name = playerNameIn(selection);
    if (name === null) return null;
    const normal = this.#normalOf(name);
    const withRow = this.#inBoxScore.get(normal);
    const [id, ...others] = withRow ?? this.#onTeams.get(normal) ?? [];
    return id === undefined || others.length > 0 ? null : { id, hasRow: withRow !== undefined };
  }

  #normalOf(name: string): string {
    const known = this.#normal.get(name);
    if (known !== undefined) return known;
    const normal = normalName(name);
    this.#normal.set(name, normal);
    return normal;
  }
}
