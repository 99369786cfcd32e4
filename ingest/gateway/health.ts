// GET /health of the gateway: which of the two it needs for a push is away now. A probe is answered soon, also where one of them merely hangs:
// a gateway that is started over for that is no better off.
import { CatalogUnavailable } from '../../core/ports/catalog/errors.ts';
import type { Millis } from '../../core/units.ts';
import { gatewayHealth } from '../../schemas/http/pushes.ts';
import type { GatewayRoute, RouteTools } from './route.ts';

const patienceMs: Millis = 1_000;

export const health: GatewayRoute = {
  id: 'getHealth',
  summary: 'What the gateway could reach at the last attempt.',
  method: 'GET',
  path: '/health',
  key: 'probe',
  scope: null,
  query: [],
  headers: [],
  takes: null,
  gives: gatewayHealth,
  missing: false,
  /** Probes that come at once are answered by one question. */
  async handle(_call, tools) {
    const asking = underWay.get(tools) ?? ask(tools).finally(() => underWay.delete(tools));
    underWay.set(tools, asking);
    return { status: 200, document: await asking };
  },
};

const underWay = new WeakMap<RouteTools, Promise<unknown>>();

async function ask(tools: RouteTools): Promise<{ status: string; degraded: readonly string[] }> {
  const [catalog, log] = await Promise.all([catalogAnswers(tools), tools.broker.healthy()]);
  const shares = tools.shares.degraded() ? ['ratelimit'] : [];
  const degraded = [...(catalog ? [] : ['catalog']), ...(log ? [] : ['log']), ...shares];
  return { status: degraded.length === 0 ? 'ok' : 'degraded', degraded };
}

/** Whether the catalog answers in good time; the log bounds its own answer. */
async function catalogAnswers({ live, clock }: Pick<RouteTools, 'live' | 'clock'>): Promise<boolean> {
  const over = new AbortController();
  try {
    return await Promise.race([live.now().then(() => true), clock.sleep(patienceMs, over.signal).then(() => false)]);
  } catch (error) {
    if (error instanceof CatalogUnavailable) return false;
    throw error;
  } finally {
    over.abort();
  }
}
