import { problemTypesPage } from '../../schemas/http/service.ts';
import type { Documents } from '../documents/documents.ts';
import { route } from '../pipeline/route.ts';

export const listProblems = route({
  path: '/problems',
  id: 'listProblems',
  tag: 'Service',
  summary: 'All problem types, as a page for those who ask for HTML.',
  key: 'none',
  game: 'none',
  query: {},
  answers: { 200: problemTypesPage },
  page: true,
  charge: 'free',
  cache: 'public',
  handle: ({ page }, { documents }: { documents: Documents }) => documents.problems(page),
});
