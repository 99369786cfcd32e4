// The table of problem types in the pages of both listeners. Each row is the anchor of its problem.
import type { ProblemType } from '../../schemas/http/problems.ts';
import { html, type Markup, prose, table } from './html.ts';

export function problemTable(types: readonly (readonly [code: string, type: ProblemType])[]): Markup {
  return table(
    ['Type', 'Status', 'Cause and remedy'],
    types.map(([code, { statuses, meaning, remedy }]) => [
      html`<a id="problem-${code}" href="/problems/${code}"><code>${code}</code></a>`,
      statuses.join(', '),
      html`${prose(meaning)}<br><span class="quiet">${prose(remedy)}</span>`,
    ]),
  );
}
