// Checks answers of the push gateway against its description, and fully accepted bodies against the described schema:
// what the gateway accepts without a refusal must be valid by it.
import assert from 'node:assert/strict';
import { openApi } from '../../../ingest/documents/openapi.ts';
import { answerHeaders } from '../../../ingest/documents/parameters.ts';
import { routes } from '../../../ingest/gateway/routes.ts';
import { assertAnswer, type Described, type Operation, templateFor } from './documented.ts';
import type { Reply } from './gateway-http.ts';
import { faultsOf, type Schema } from './json-schema.ts';

type GatewayOperation = Operation & {
  requestBody?: { content: Record<string, { schema: Schema }> };
};
export type GatewayDescription = Described & { paths: Record<string, Record<string, GatewayOperation>> };

/** The description of a gateway at `baseUrl`, as a client reads it. */
export function gatewayDescription(baseUrl: string): GatewayDescription {
  return JSON.parse(JSON.stringify(openApi(routes, baseUrl))) as GatewayDescription;
}

type Sent = { method: string; target: string; body?: unknown };

export function assertDescribed(description: GatewayDescription, { method, target, body }: Sent, reply: Reply): void {
  const shown = `${method} ${target}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`;
  const template = templateFor(description.paths, target);
  const operation = template === undefined ? undefined : description.paths[template]?.[method.toLowerCase()];
  if (operation === undefined) {
    assert.ok(unrouted.includes(reply.status), `${shown} is not the refusal of a request without a route`);
    return;
  }
  const text = Buffer.from(method === 'HEAD' ? '' : JSON.stringify(reply.body));
  const whole = { ...reply, headers: Object.fromEntries(reply.headers), body: text, json: () => reply.body };
  assertAnswer(description, operation, whole, { shown, headers: Object.keys(answerHeaders) });
  const taken = operation.requestBody?.content['application/json']?.schema;
  const rejected = reply.body.rejected as readonly unknown[] | undefined;
  if (taken === undefined || reply.status !== 202 || rejected?.length !== 0) return;
  const value = jsonOf(body);
  if (value !== undefined) assert.deepEqual(faultsOf(value, taken, description), [], shown);
}

/** Statuses of requests that reach no route, or of too many such requests. */
const unrouted: readonly number[] = [400, 404, 405, 408, 414, 417, 429, 431];

/** The body, if it was sent as one JSON text; otherwise undefined. */
function jsonOf(body: unknown): unknown {
  if (body instanceof Uint8Array) return undefined;
  if (typeof body !== 'string') return JSON.parse(JSON.stringify(body));
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
