// Finds players by name, sentence by sentence from docs/settlement.md#players-by-name. Nothing of the product is
// imported.
import type { Asked, Evidence } from './settlement-evidence.ts';

/** The words of a name in its normal form. */
export function nameWords(name: string): string[] {
  let plain = '';
  for (const character of name.normalize('NFKD')) if (!/\p{M}/u.test(character)) plain += character;
  let spaced = '';
  for (const character of plain.toLowerCase()) {
    if ("'’‘ʼ.".includes(character)) continue;
    spaced += /\p{L}|\p{Nd}/u.test(character) ? character : ' ';
  }
  const words = spaced.split(' ').filter((word) => word.length > 0);
  const last = words[words.length - 1] ?? '';
  const isGeneration = ['jr', 'sr', 'ii', 'iii', 'iv', 'v'].includes(last);
  return isGeneration && words.length - 1 >= 2 ? words.slice(0, -1) : words;
}

export function nameIn({ selection_id, line }: Asked): string | null {
  const [, , , fourth, fifth] = selection_id.split('/');
  if (fourth === undefined) return null;
  if (fifth === undefined && line !== null && fourth === shortest(line)) return null;
  return decodeURIComponent(fourth);
}

function shortest(thousandths: number): string {
  const digits = String(Math.abs(thousandths)).padStart(4, '0');
  const fraction = digits.slice(-3).replace(/0+$/, '');
  return `${thousandths < 0 ? '-' : ''}${digits.slice(0, -3)}${fraction === '' ? '' : `.${fraction}`}`;
}

export function findByName(row: Asked): { id: string; inS: boolean } | null {
  const name = nameIn(row);
  if (name === null) return null;
  const { evidence } = row;
  const inS = namedIn(evidence, name);
  const inTeams = evidence.players.filter(
    (each) =>
      each.currentTeamId !== null &&
      [evidence.homeTeamId, evidence.awayTeamId].includes(each.currentTeamId) &&
      isNamed(each, name),
  );
  const candidates = inS.length > 0 ? inS : inTeams;
  const [only] = candidates;
  return candidates.length === 1 && only !== undefined ? { id: only.id, inS: inS.length > 0 } : null;
}

type Person = Evidence['players'][number];

/** The players with this name that have a row in S. */
export function namedIn(evidence: Evidence, name: string): Person[] {
  const inS = (id: string) => evidence.playerStats?.rows.some((each) => each.playerId === id) === true;
  return evidence.players.filter((each) => inS(each.id) && isNamed(each, name));
}

function isNamed({ firstName, lastName }: Person, name: string): boolean {
  const words = nameWords(name).join(' ');
  return words !== '' && words === nameWords(`${firstName} ${lastName}`).join(' ');
}
