// The documents about the service itself. Each is made once, on its first request, because a service may learn its address only when it
// listens. All are made from the route declarations and the schemas, so that people and programs read the same.
import type { RateLimits } from '../../core/limits/tier-limits.ts';
import { jsonText } from '../../http/json-text.ts';
import type { Site } from '../../http/problem-document.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { datasetNamed, perGameNames } from '../../schemas/datasets/registry.ts';
import { type GatewayProblemCode, gatewayProblemTypes } from '../../schemas/http/problems.ts';
import type { Representation } from '../http/answer.ts';
import type { RouteFacts } from '../pipeline/route-facts.ts';
import { datasetBody } from './dataset-page.ts';
import { readExamples } from './examples.ts';
import { guide } from './guide.ts';
import { openApi } from './openapi.ts';
import { pageRepresentation, textRepresentation } from './page.ts';
import { problemBody, problemRecord, problemsBody } from './problem-page.ts';
import { referenceBody } from './reference-page.ts';

export type Documents = {
  openApi(): Representation;
  reference(): Representation;
  guide(): Representation;
  /** The page of a dataset of settled games. */
  dataset(name: string): Representation;
  /** The meaning of a problem type, as a page or as JSON. */
  problem(code: GatewayProblemCode, page: boolean): Representation;
  /** All problem types. */
  problems(page: boolean): Representation;
};

export function openDocuments(options: {
  routes: readonly RouteFacts[];
  datasets: readonly Dataset[];
  rateLimits: RateLimits;
  site: Site;
}): Documents {
  const { site } = options;
  const examples = readExamples();

  /** Makes a document once for each address that the service has had. */
  function once<Made>(make: (baseUrl: string) => Made): () => Made {
    let known: { baseUrl: string; made: Made } | null = null;
    return () => {
      const { baseUrl } = site;
      if (known?.baseUrl !== baseUrl) known = { baseUrl, made: make(baseUrl) };
      return known.made;
    };
  }

  const codes = Object.keys(gatewayProblemTypes) as GatewayProblemCode[];
  const problems = once((baseUrl) => ({
    pages: eachOf(codes, (code) => pageRepresentation(problemBody(baseUrl, code), negotiated)),
    records: eachOf(codes, (code) =>
      textRepresentation(jsonText(problemRecord(baseUrl, code)), 'application/json', negotiated),
    ),
  }));

  const lists = once((baseUrl) => ({
    page: pageRepresentation(problemsBody(codes), negotiated),
    record: textRepresentation(
      jsonText({ data: codes.map((code) => problemRecord(baseUrl, code)) }),
      'application/json',
      negotiated,
    ),
  }));

  const ofDatasets = once(
    () =>
      new Map<string, Representation>(
        perGameNames.map((name) => [name, pageRepresentation(datasetBody(datasetNamed(name)))]),
      ),
  );

  return {
    openApi: once((baseUrl) => textRepresentation(jsonText(openApi({ ...options, baseUrl })), 'application/json')),
    reference: once((baseUrl) => pageRepresentation(referenceBody({ ...options, baseUrl, examples }))),
    guide: once((baseUrl) => textRepresentation(guide({ ...options, baseUrl }), 'text/plain; charset=utf-8')),
    dataset(name) {
      const page = ofDatasets().get(name);
      if (page === undefined) throw new Error(`there is no page of ${name}`);
      return page;
    },
    problem(code, page) {
      const made = problems();
      return (page ? made.pages : made.records)[code];
    },
    problems: (page) => (page ? lists().page : lists().record),
  };
}

const negotiated = ['Vary', 'Accept'];

function eachOf<Made>(
  codes: readonly GatewayProblemCode[],
  make: (code: GatewayProblemCode) => Made,
): Record<GatewayProblemCode, Made> {
  return Object.fromEntries(codes.map((code) => [code, make(code)])) as Record<GatewayProblemCode, Made>;
}
