// A collector of traces that keeps the spans posted to it as OTLP in JSON. A hanging one accepts bodies and never
// answers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Value = { stringValue?: string; intValue?: number };
type Posted = {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] };
    scopeSpans: { spans: PostedSpan[] }[];
  }[];
};
type PostedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Value }[];
  links?: { traceId: string; spanId: string }[];
  status: { code: number };
};

export type CollectedSpan = Omit<PostedSpan, 'attributes'> & {
  attributes: Readonly<Record<string, string | number | undefined>>;
  of: Readonly<Record<string, string | number | undefined>>;
};

export type Collector = {
  url: string;
  spans: CollectedSpan[];
  /** How many requests came, answered or not. */
  posts(): number;
  /** The spans of a trace. */
  ofTrace(traceId: string): CollectedSpan[];
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startCollector(answers: 'at once' | 'never' = 'at once'): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  let posts = 0;
  const server = createServer(async (request, response) => {
    posts += 1;
    const body = await text(request).catch(() => '');
    if (answers === 'never') return;
    for (const { resource, scopeSpans } of (JSON.parse(body) as Posted).resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: valuesOf(span.attributes), of: valuesOf(resource.attributes) });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    posts: () => posts,
    ofTrace: (traceId) => spans.filter((span) => span.traceId === traceId),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function valuesOf(attributes: PostedSpan['attributes']): CollectedSpan['attributes'] {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}
