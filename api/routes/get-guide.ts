import type { Documents } from '../documents/documents.ts';
import { route } from '../pipeline/route.ts';

export const getGuide = route({
  path: '/llms.txt',
  id: 'getGuide',
  tag: 'Service',
  summary: 'Everything a program needs to use the API, as plain text.',
  key: 'none',
  game: 'none',
  query: {},
  answers: { 200: 'text/plain' },
  charge: 'free',
  cache: 'public',
  handle: (_request, { documents }: { documents: Documents }) => documents.guide(),
});
