import { type DegradedSince, sinceOf } from '../../http/degraded-since.ts';
import { type Health, health as healthBody } from '../../schemas/http/service.ts';
import { route } from '../pipeline/route.ts';

export const health = route({
  path: '/health',
  id: 'getHealth',
  tag: 'Service',
  summary: 'Whether the process answers, what is degraded, and since when.',
  key: 'probe',
  game: 'none',
  query: {},
  answers: { 200: healthBody },
  charge: 'free',
  cache: 'never',
  handle(_request, { degraded }: { degraded(): readonly DegradedSince[] }) {
    const reasons = degraded();
    return {
      document: { status: 'ok', degraded: reasons.map(({ name }) => name), ...sinceOf(reasons) } satisfies Health,
    };
  },
});
