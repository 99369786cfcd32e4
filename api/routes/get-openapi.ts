import { apiDescription } from '../../schemas/http/service.ts';
import type { Documents } from '../documents/documents.ts';
import { route } from '../pipeline/route.ts';

export const getOpenApi = route({
  path: '/v1/openapi.json',
  id: 'getOpenApi',
  tag: 'Service',
  summary: 'This description of the API, for programs: OpenAPI 3.1.',
  key: 'none',
  game: 'none',
  query: {},
  answers: { 200: apiDescription },
  charge: 'free',
  cache: 'public',
  handle: (_request, { documents }: { documents: Documents }) => documents.openApi(),
});
