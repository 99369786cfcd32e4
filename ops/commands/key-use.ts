// What feed keys used on this UTC day and what was refused, for the commands that show it.
import { type UseCount, type UsedName, usedNames } from '../../core/ports/catalog/feed-use.ts';

/** `refused`: by the code of the refusal, or the limit exceeded. */
export type FeedKeyUse = Record<UsedName, number> & { refused: Record<string, number> };

export const useHeading = ['requests', 'elements', 'bytes', 'letters', 'games', 'refused'] as const;

/** The use of each key that has counts. */
export function useByKey(counts: readonly UseCount[]): ReadonlyMap<string, FeedKeyUse> {
  const uses = new Map<string, FeedKeyUse>();
  for (const { keyId, kind, name, amount } of counts) {
    const use = uses.get(keyId) ?? noUse();
    uses.set(keyId, use);
    if (kind === 'refused') use.refused[name] = amount;
    else if (isUsedName(name)) use[name] = amount;
  }
  return uses;
}

export function noUse(): FeedKeyUse {
  return { requests: 0, elements: 0, bytes: 0, letters: 0, games: 0, refused: {} };
}

/** The cells below `useHeading`; most frequent refusals first. */
export function useCells(use: FeedKeyUse): (string | number)[] {
  const refused = Object.entries(use.refused).sort(([, one], [, other]) => other - one);
  return [
    ...usedNames.map((name) => use[name]),
    refused.length === 0 ? '–' : refused.map(([name, amount]) => `${name} ${amount}`).join(', '),
  ];
}

function isUsedName(name: string): name is UsedName {
  return (usedNames as readonly string[]).includes(name);
}
