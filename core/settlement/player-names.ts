// Players by the names that quotes give them (docs/settlement.md#players-by-name): the normal form in which names compare, the name in a
// selection's identity, and whom a name means in a game. Unaware of results.
import { lineText } from '../quotes/line.ts';
import type { BoxScore } from './box-score.ts';
import type { ReferencePlayer } from './evidence.ts';
import type { Selection } from './selections.ts';

const suffixes: ReadonlySet<string> = new Set(['jr', 'sr', 'ii', 'iii', 'iv', 'v']);

/** The form in which names compare: without accents, case, punctuation and generation; empty where a name has no letter or digit. */
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

/** The player's name in an identity: its fourth part, unless that is the line; null where it names none. */
export function playerNameIn({ selectionId, line }: Pick<Selection, 'selectionId' | 'line'>): string | null {
  const parts = selectionId.split('/');
  const part = parts[3];
  if (part === undefined) return null;
  const isLine = parts.length === 4 && line !== null && part === lineText(line);
  return isLine ? null : decoded(part);
}

/** Text with an escape that cannot be read is kept as it is. */
function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The players of a game by normal name. */
export class PlayerNames {
  readonly #inBoxScore = new Map<string, string[]>();
  readonly #onTeams = new Map<string, string[]>();
  /** Quotes give a name once for each market, side and line: its normal form is made once. */
  readonly #normal = new Map<string, string>();

  /** `teams`: the ids of those that play. */
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

  /** Whether a player of this name has a row in the box score. */
  isInBoxScore(name: string): boolean {
    return this.#inBoxScore.has(this.#normalOf(name));
  }

  /**
   * The one player of this name: with a row in the box score, or — where none of the name has a row — on a team of the game. Null: none,
   * or several.
   */
  find(name: string): { id: string; hasRow: boolean } | null {
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
