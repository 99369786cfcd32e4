// Compares answers of the API with its description: the operation documents the status, the body fits its schema, and
// the headers are the documented ones. A request without an operation has to be refused.
import assert from 'node:assert/strict';
import { answerHeaders } from '../../../api/documents/headers.ts';
import { openApi } from '../../../api/documents/openapi.ts';
import { servedDatasets } from '../../../api/documents/served-datasets.ts';
import { routes } from '../../../api/routes/all.ts';
import type { Reply } from './api-http.ts';
import { faultsOf, resolve, type Schema } from './json-schema.ts';

export type Operation = {
  operationId: string;
  parameters: Schema[];
  responses: Record<string, Schema>;
  security: Record<string, unknown>[];
};
/** What the descriptions of both listeners contain. */
export type Described = Schema & {
  components: Record<'schemas' | 'responses' | 'headers' | 'parameters', Record<string, Schema>>;
};
export type Description = Described & { paths: Record<string, { get: Operation; head: Operation }> };

/** The description of a service at `baseUrl` with these routes, as a client reads it. */
export function describe(baseUrl: string, served = routes): Description {
  const made = openApi({ routes: served, datasets: servedDatasets(served), baseUrl });
  return JSON.parse(JSON.stringify(made)) as Description;
}

/** For these, answers are documented; everything else is refused. */
export type Request = { method: string; target: string };

export function assertDocumented(description: Description, { method, target }: Request, reply: Reply): void {
  const shown = `${method} ${target}: ${reply.status} ${reply.body.toString('utf8').slice(0, 300)}`;
  const operation = operationOf(description, method, target);
  if (operation === null) {
    if (reply.status !== 204) assertRefused(reply, shown);
    return;
  }
  assertAnswer(description, operation, reply, { shown, headers: Object.keys(answerHeaders) });
}

/** Compares an answer with its operation in the description. */
export function assertAnswer(
  description: Described,
  { operationId, responses }: Operation,
  reply: Reply,
  { shown, headers }: { shown: string; headers: readonly string[] },
): void {
  const documented = responses[reply.status];
  assert.ok(documented !== undefined, `${shown} is a status that ${operationId} does not document`);
  const response = documented.$ref === undefined ? documented : resolve(description, documented.$ref as string);
  assertHeaders(response, reply, shown, headers);
  assertBody(description, response, reply, shown);
}

/** Statuses of requests that reach no route. */
const unrouted: readonly number[] = [400, 404, 405, 408, 414, 417, 431];

function assertRefused(reply: Reply, shown: string): void {
  assert.ok(unrouted.includes(reply.status), `${shown} is not the refusal of a request without a route`);
}

function operationOf(description: Description, method: string, target: string): Operation | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  const found = templateFor(description.paths, target);
  if (found === undefined) return null;
  const operations = description.paths[found] as { get: Operation; head: Operation };
  return method === 'GET' ? operations.get : operations.head;
}

/** The path that a target fits; of several, the one with the fewest parameters. */
export function templateFor(paths: Readonly<Record<string, unknown>>, target: string): string | undefined {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '').replace(/\?.*$/s, '');
  const parametersIn = (template: string) => template.split('{').length;
  const [found] = Object.keys(paths)
    .filter((template) =>
      new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{[a-z_]+\}/g, '[^/]+')}$`).test(path),
    )
    .sort((a, b) => parametersIn(a) - parametersIn(b));
  return found;
}

function assertHeaders(response: Schema, reply: Reply, shown: string, knownHeaders: readonly string[]): void {
  const documented = Object.keys((response.headers ?? {}) as object);
  for (const name of knownHeaders) {
    const given = reply.headers[name.toLowerCase()] !== undefined;
    if (given) assert.ok(documented.includes(name), `${shown} has the header ${name}, which is not documented`);
    else if (reply.status < 400 && name !== 'Preference-Applied')
      assert.ok(!documented.includes(name), `${shown} lacks the documented header ${name}`);
  }
}

function assertBody(description: Described, response: Schema, reply: Reply, shown: string): void {
  const content = response.content as Record<string, { schema: Schema }> | undefined;
  if (content === undefined) {
    assert.equal(reply.body.length, 0, `${shown} has a body, which is not documented`);
    return;
  }
  const mediaType = (reply.headers['content-type'] ?? '').replace(/;.*$/, '');
  const documented = content[mediaType];
  assert.ok(documented !== undefined, `${shown} is ${mediaType}, which is not documented`);
  if (!/[/+]json$/.test(mediaType)) return;
  const value = reply.json();
  const faults = faultsOf(value, documented.schema, description);
  assert.deepEqual(faults, [], shown);
  if (mediaType === 'application/problem+json') assertMembers(description, value as { type: string }, shown);
}

/** A problem has only the members that its type documents, although clients would ignore others. */
function assertMembers(description: Described, problem: { type: string }, shown: string): void {
  const schemas = Object.values(description.components.schemas) as {
    properties?: Record<string, { const?: string }>;
  }[];
  const own = schemas.find(({ properties }) => properties?.type?.const === problem.type);
  for (const member of Object.keys(problem)) {
    assert.ok(
      Object.hasOwn(own?.properties ?? {}, member),
      `${shown} has the member ${member}, which is not documented`,
    );
  }
}
