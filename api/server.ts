// The public API: one HTTP server made of declared routes. Everything is registered here, in order and by name. Fastify routes and owns the
// connections; the pipeline checks, answers and writes. Independent of databases and stores: it is given ports.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Check, checksFor } from '../core/access/order-of-checks.ts';
import { addressSubject } from '../core/limits/address-subject.ts';
import { noMeter } from '../core/ports/meter.ts';
import { listenAt, openListener } from '../http/listener.ts';
import { measureRequests } from '../http/measure-requests.ts';
import { refuse } from '../http/refusal.ts';
import { requestIds } from '../http/request-id.ts';
import { defaultLimits } from './compose/resource-limits.ts';
import { type ApiDependencies, openServices } from './compose/services.ts';
import { messageOf } from './dependencies/deadlines.ts';
import { allowedMethods } from './http/allowed-methods.ts';
import { clientAddress } from './http/client-address.ts';
import { type AnsweringNeeds, answer } from './pipeline/answer-request.ts';
import { openSteps } from './pipeline/check-steps.ts';
import { Exchange, type Step } from './pipeline/exchange.ts';
import type { ServedRoute } from './pipeline/route.ts';
import { addScreening } from './pipeline/screening.ts';
import { servedRoutes, serveRoutes } from './routes/all.ts';

export type Api = {
  /** Listens; port 0 is any free port. */
  listen(host: string, port: number): Promise<{ url: string }>;
  /** How many requests are held open: streams, and requests that wait for changes. */
  held(): { streams: number; waits: number };
  /** Stops accepting, lets answers in progress end, and closes what it opened. The ports stay open. */
  close(): Promise<void>;
};

export async function createApi(dependencies: ApiDependencies): Promise<Api> {
  const { log, proxyHops = 0 } = dependencies;
  const limits = { ...defaultLimits, ...dependencies.limits };
  const services = openServices(dependencies, limits, servedRoutes({ msf: dependencies.msf !== null }));
  const routes = serveRoutes(services);
  const { site, problems } = services;
  const newRequestId = requestIds();

  // Behind our own proxies every connection is theirs, so only the total cap applies.
  const ofAddress = proxyHops > 0 ? limits.connections : limits.connectionsOfAddress;
  const app = openListener({
    ...{ problems, newRequestId, limits },
    caps: { all: limits.connections, ofAddress },
    methods: allowedMethods.join(', '),
    readsBodies: false,
    cutSlowReaders: dependencies.cutSlowReaders,
  });
  const { meter = noMeter, clock } = dependencies;
  measureRequests(app, 'api', new Map(routes.map(({ path, charge }) => [path, charge])), { meter, clock });
  addScreening(app, routes, { site, problems, limits, newRequestId });
  const steps = openSteps(services);
  const answering = { ...services, log };
  for (const route of routes) addRoute(app, route, { steps, answering, proxyHops });
  app.setErrorHandler((error, request, reply) => {
    log.error('request failed outside its route', { request_id: request.requestId, error: messageOf(error) });
    reply.hijack();
    problems.write(reply.raw, refuse('internal-error'), request.requestId, true);
  });
  await app.ready();

  return {
    async listen(host, port) {
      await services.readiness.start();
      const url = await listenAt(app, host, port);
      if (site.baseUrl === '') site.baseUrl = url;
      return { url };
    },
    held: () => ({ streams: services.events.count(), waits: services.waiting.count() }),
    async close() {
      services.readiness.stop();
      services.waiting.close();
      services.events.end();
      await app.close();
      await services.close();
    },
  };
}

type RouteTools = { steps: Readonly<Record<Check, Step>>; answering: AnsweringNeeds; proxyHops: number };

function addRoute(app: FastifyInstance, route: ServedRoute, { steps: all, answering, proxyHops }: RouteTools): void {
  const stepsOf = (method: 'GET' | 'HEAD') => checksFor(route.class, method).map((check) => all[check]);
  const stepsBy = { GET: stepsOf('GET'), HEAD: stepsOf('HEAD') };
  app.route<{ Params: Readonly<Record<string, string>> }>({
    method: ['GET', 'HEAD'],
    url: route.path,
    handler: (request, reply) => {
      reply.hijack();
      const { raw } = request;
      const address = route.class.key ? '' : subjectOf(raw, proxyHops);
      const steps = raw.method === 'HEAD' ? stepsBy.HEAD : stepsBy.GET;
      const exchange = new Exchange(route, steps, request, reply.raw, address);
      request.waited = exchange.waited;
      void answer(exchange, reply.raw, answering);
    },
  });
}

function subjectOf({ socket, headers }: IncomingMessage, proxyHops: number): string {
  const forwardedFor = headers['x-forwarded-for'];
  const forwarded = typeof forwardedFor === 'string' ? forwardedFor : undefined;
  return addressSubject(clientAddress(socket.remoteAddress, forwarded, proxyHops));
}
