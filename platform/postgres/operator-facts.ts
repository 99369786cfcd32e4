// How the catalog stores the facts of a log's sportsbooks: facts that several sportsbooks share are stored once, because one push often
// reports on hundreds.
import type { PublishedOperator } from '../../core/ports/catalog/live.ts';

/** Facts, and the codes of the sportsbooks that share them. */
export type SharedFacts = PublishedOperator & { operators: string[] };

/** The facts as they are stored, in the order of their first sportsbooks. */
export function sharedFacts(operators: Readonly<Record<string, PublishedOperator>>): SharedFacts[] {
  const shared = new Map<string, SharedFacts>();
  for (const [code, facts] of Object.entries(operators)) {
    const name = `${facts.last_row_at} ${facts.observed_through} ${facts.source}`;
    const known = shared.get(name);
    if (known === undefined) shared.set(name, { ...facts, operators: [code] });
    else known.operators.push(code);
  }
  return [...shared.values()];
}

/** The facts by sportsbook, in code order. */
export function factsOfEach(shared: readonly SharedFacts[]): Record<string, PublishedOperator> {
  const each: [string, PublishedOperator][] = [];
  for (const { operators, ...facts } of shared) for (const code of operators) each.push([code, facts]);
  return Object.fromEntries(each.sort(([a], [b]) => (a < b ? -1 : 1)));
}
