// The probes of a gateway, answered from memory: whether the process answers and what is unreachable (GET /health), and whether it can take
// pushes (GET /health/ready).

import { sinceOf } from '../../http/degraded-since.ts';
import { gatewayHealth } from '../../schemas/http/pushes.ts';
import { ready as readyBody } from '../../schemas/http/service.ts';
import { comeBack } from './gateway-refusal.ts';
import type { Dependency } from './readiness.ts';
import type { GatewayRoute } from './route.ts';

const probe = {
  method: 'GET',
  key: 'probe',
  scope: null,
  query: [],
  headers: [],
  takes: null,
  missing: false,
} as const;

export const health: GatewayRoute = {
  ...probe,
  id: 'getHealth',
  summary: 'Whether the process answers, what is degraded, and since when.',
  path: '/health',
  gives: gatewayHealth,
  async handle(_call, { degradedNow, instance }) {
    const reasons = degradedNow();
    const status = reasons.length === 0 ? 'ok' : 'degraded';
    const named = instance === undefined ? {} : { instance };
    const degraded = reasons.map(({ name }) => name);
    return { status: 200, document: { status, degraded, ...sinceOf(reasons), ...named } };
  },
};

const names: Readonly<Record<Dependency, string>> = { catalog: 'the catalog', log: 'the log' };

export const ready: GatewayRoute = {
  ...probe,
  id: 'getReadiness',
  summary: 'Whether this gateway can take pushes: the catalog and the log answered the last check.',
  path: '/health/ready',
  gives: readyBody,
  unready: true,
  async handle(_call, { readiness }) {
    const missing = readiness.missing();
    if (missing.length === 0) return { status: 200, document: { status: 'ready' } };
    const away = missing.map((dependency) => names[dependency]).join(' and ');
    return comeBack('temporarily-unavailable', `No push can be taken: ${away} cannot be reached.`);
  },
};
