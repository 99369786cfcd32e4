import type { Documents } from '../documents/documents.ts';
import { route } from '../pipeline/route.ts';

export const getReference = route({
  path: '/docs',
  id: 'getReference',
  tag: 'Service',
  summary: 'The reference of the API with examples, for people: one page, complete without a network.',
  key: 'none',
  game: 'none',
  query: {},
  answers: { 200: 'text/html' },
  charge: 'free',
  cache: 'public',
  handle: (_request, { documents }: { documents: Documents }) => documents.reference(),
});
