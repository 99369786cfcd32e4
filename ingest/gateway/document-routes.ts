// The gateway's pages about itself, for people and programs, without a key.
import { refuse } from '../../http/refusal.ts';
import { schemaOfNativeEvent } from '../../schemas/http/native-event.ts';
import { gatewayProblemTypes } from '../../schemas/http/problems.ts';
import { gatewayProblemPage } from '../../schemas/http/pushes.ts';
import { apiDescription, schemaDocument } from '../../schemas/http/service.ts';
import type { GatewayRoute } from './route.ts';

const explainProblem: GatewayRoute = {
  id: 'explainProblem',
  summary: 'What a problem type means, and its remedy.',
  method: 'GET',
  path: '/problems/:suffix',
  key: 'none',
  scope: null,
  query: [],
  headers: [],
  takes: null,
  gives: gatewayProblemPage,
  missing: true,
  async handle({ params: { suffix = '' } }) {
    if (!Object.hasOwn(gatewayProblemTypes, suffix))
      return refuse('not-found', { detail: 'There is no problem type of this suffix.' });
    return { status: 200, document: gatewayProblemTypes[suffix as keyof typeof gatewayProblemTypes] };
  },
};

const describe: GatewayRoute = {
  id: 'getOpenApi',
  summary: 'This description of the gateway, for programs: OpenAPI 3.1.',
  method: 'GET',
  path: '/v1/openapi.json',
  key: 'none',
  scope: null,
  query: [],
  headers: [],
  takes: null,
  gives: apiDescription,
  missing: false,
  handle: async (_call, tools) => ({ status: 200, document: tools.description() }),
};

const eventSchema: GatewayRoute = {
  id: 'getNativeEventSchema',
  summary: 'The native event as JSON Schema 2020-12.',
  details: 'With it a sender can check its events before it pushes them; `validate=true` checks a whole push here.',
  method: 'GET',
  path: '/v1/schemas/native-event',
  key: 'none',
  scope: null,
  query: [],
  headers: [],
  takes: null,
  gives: schemaDocument,
  missing: false,
  handle: async () => ({ status: 200, document: schemaOfNativeEvent }),
};

const docs: GatewayRoute = {
  id: 'getManual',
  summary: 'How to push, as a page for people.',
  method: 'GET',
  path: '/docs',
  key: 'none',
  scope: null,
  query: [],
  headers: [],
  takes: null,
  gives: 'text/html',
  missing: false,
  handle: async (_call, tools) => ({ status: 200, page: tools.manual() }),
};

const manual: GatewayRoute = {
  id: 'getGuide',
  summary: 'How to push, on one page for programs.',
  method: 'GET',
  path: '/llms.txt',
  key: 'none',
  scope: null,
  query: [],
  headers: [],
  takes: null,
  gives: 'text/plain',
  missing: false,
  handle: async (_call, tools) => ({ status: 200, document: tools.guide() }),
};

export const documentRoutes: readonly GatewayRoute[] = [explainProblem, describe, eventSchema, docs, manual];
