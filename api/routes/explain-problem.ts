import { gatewayProblemTypes, isGatewayProblemCode } from '../../schemas/http/problems.ts';
import { type ProblemPage, problemPage } from '../../schemas/http/service.ts';
import { refuse } from '../refusal.ts';
import { route } from '../route.ts';

/** What the `type` of a problem document leads to (decisions.md 11), also of the push gateway's where both have one base URL. */
export const explainProblem = route({
  path: '/problems/:suffix',
  id: 'explainProblem',
  tag: 'Service',
  summary: 'Meaning and remedy of a problem type.',
  key: 'none',
  game: 'none',
  query: {},
  answers: { 200: problemPage, 404: ['not-found'] },
  charge: 'free',
  cache: 'public',
  handle({ params: { suffix } }, { site }) {
    if (!isGatewayProblemCode(suffix)) {
      return refuse('not-found', { title: 'Unknown problem type', detail: 'There is no problem type of this suffix.' });
    }
    const { title, statuses, meaning, remedy } = gatewayProblemTypes[suffix];
    const page: ProblemPage = {
      type: `${site.baseUrl}/problems/${suffix}`,
      title,
      statuses: [...statuses],
      meaning,
      remedy,
    };
    return { document: page };
  },
});
