import { type Health, health as healthBody } from '../../schemas/http/service.ts';
import { route } from '../pipeline/route.ts';

export const health = route({
  path: '/health',
  id: 'getHealth',
  tag: 'Service',
  summary: 'Whether the process answers, and what it could not reach at the last attempt, or what waits for a person.',
  key: 'probe',
  game: 'none',
  query: {},
  answers: { 200: healthBody },
  charge: 'free',
  cache: 'never',
  handle(_request, { degraded }: { degraded(): readonly string[] }) {
    return { document: { status: 'ok', degraded: [...degraded()] } satisfies Health };
  },
});
