import { unavailable } from '../../http/refusal.ts';
import { type Ready, ready as readyBody } from '../../schemas/http/service.ts';
import type { ApiReadiness } from '../dependencies/readiness.ts';
import { route } from '../pipeline/route.ts';

const names = { catalog: 'the catalog', objects: 'the object store' } as const;

export const ready = route({
  path: '/health/ready',
  id: 'getReadiness',
  tag: 'Service',
  summary: 'Whether this instance can serve: the catalog answered the last check, or memory can answer meanwhile.',
  key: 'probe',
  game: 'none',
  query: {},
  answers: { 200: readyBody, 503: ['temporarily-unavailable'] },
  charge: 'free',
  cache: 'never',
  async handle(_request, { readiness }: { readiness: ApiReadiness }) {
    const missing = readiness.missing();
    if (missing.length === 0) return { document: { status: 'ready' } satisfies Ready };
    return unavailable(`Out of reach: ${missing.map((dependency) => names[dependency]).join(' and ')}.`);
  },
});
