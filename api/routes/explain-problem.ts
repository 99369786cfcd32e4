import { refuse } from '../../http/refusal.ts';
import { isGatewayProblemCode } from '../../schemas/http/problems.ts';
import { problemPage } from '../../schemas/http/service.ts';
import type { Documents } from '../documents/documents.ts';
import { route } from '../pipeline/route.ts';

/**
 * The address in the `type` of a problem document (docs/interface.md#problem-types); also for those of the push gateway if both share a
 * base URL.
 */
export const explainProblem = route({
  path: '/problems/:suffix',
  id: 'explainProblem',
  tag: 'Service',
  summary: 'Meaning and remedy of a problem type, as a page for those who ask for HTML.',
  key: 'none',
  game: 'none',
  query: {},
  answers: { 200: problemPage, 404: ['not-found'] },
  page: true,
  charge: 'free',
  cache: 'public',
  handle({ params: { suffix }, page }, { documents }: { documents: Documents }) {
    if (isGatewayProblemCode(suffix)) return documents.problem(suffix, page);
    return refuse('not-found', { title: 'Unknown problem type', detail: 'There is no problem type of this suffix.' });
  },
});
