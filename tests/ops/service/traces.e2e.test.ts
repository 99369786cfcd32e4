// Claim: the whole program sends its spans to the collector of its settings, from both of its threads, and its log lines name who wrote them and
// what they are about; a collector that is away or hangs neither slows a push nor keeps the program from ending; without a collector no
// module of OpenTelemetry's SDK is loaded. docs/operations.md#traces.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, it } from 'vitest';
import { Program } from '../../support/campaigns/program.ts';
import { startCollector } from '../../support/fakes/collector.ts';
import { event, type Reply, send } from '../../support/http/gateway-http.ts';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { productFlags } from '../../support/processes/product-flags.ts';
import { services } from '../../support/services/services.ts';
import { until } from '../../support/services/until.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const folder = makeDataFolder('traces');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const postgres = await services.postgres();
const root = fileURLToPath(new URL('../../..', import.meta.url));

type Ready = { ingest_url: string; feed_key: string };

/** Runs the program with a collector at `endpoint`, pushes once, and stops it as a deploy does. */
async function pushedOnce(
  name: string,
  endpoint: string,
  meanwhile: (program: Program, reply: Reply) => Promise<void>,
): Promise<Program> {
  if (postgres.skip !== false) throw new Error(postgres.skip);
  const database = await postgres.createDatabase();
  const readyFile = join(folder, `${name}.json`);
  const environment = {
    SDS_EDITION: 'embedded',
    SDS_DATA_DIR: join(folder, name),
    SDS_READY_FILE: readyFile,
    SDS_API_PORT: '0',
    SDS_INGEST_PORT: '0',
    DATABASE_URL: database.url,
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  };
  const program = new Program(name, environment, { roles: ['all'] });
  try {
    program.start();
    await program.untilReady();
    assert.ok(program.ready, JSON.stringify(program.ends));
    const ready = JSON.parse(readFileSync(readyFile, 'utf8')) as Ready;
    const headers = { authorization: `Bearer ${ready.feed_key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ events: [event()] });
    const reply = await send(`${ready.ingest_url}/v1/sources/feed/quotes`, { method: 'POST', body, headers });
    assert.equal(reply.status, 202, JSON.stringify(reply.body));
    const receipt = `${ready.ingest_url}/v1/receipts/${String(reply.body.receipt)}`;
    await until('the push is applied', async () => (await send(receipt, { headers })).body.state === 'applied');
    await meanwhile(program, reply);
    program.terminate();
    await program.ended();
    assert.deepEqual([program.ends[0]?.code, program.ends[0]?.signal], [0, null], JSON.stringify(program.ends));
    return program;
  } finally {
    await program.kill();
    await database.drop();
  }
}

const lineOf = (program: Program, msg: string): Readonly<Record<string, unknown>> | undefined =>
  program.said.find((said) => said.msg === msg);

describe('a program with a collector', skipFor(postgres.skip), () => {
  it('sends the spans of both its threads, the last ones as it ends, and ties its lines to them', async () => {
    await using collector = await startCollector();
    let request: string | null = null;
    let receipt: unknown = null;
    const program = await pushedOnce('served', collector.url, async (_, reply) => {
      request = reply.headers.get('x-request-id');
      receipt = reply.body.receipt;
      await until('the API has noticed', async () => collector.spans.some(({ name }) => name === 'make visible'));
    });
    const line = lineOf(program, 'push accepted') ?? {};
    assert.deepEqual([line.request_id, line.receipt], [request, receipt]);
    const spans = collector.ofTrace(String(line.trace_id));
    const rolesOf = (name: string) => spans.find((span) => span.name === name)?.of['sds.roles'];
    assert.deepEqual([rolesOf('make visible'), rolesOf('accept')], ['api', 'api,ingest,projectors,ticker']);
    const { instance, version, role } = line;
    assert.deepEqual([role, instance], ['api,ingest,projectors,ticker', spans[0]?.of['service.instance.id']]);
    assert.equal(version, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
    assert.ok(program.said.every((said) => 'msg' in said && (!('level' in said) || 'instance' in said)));
  });

  it('takes pushes and ends as usual while the collector hangs', async () => {
    await using collector = await startCollector('never');
    const program = await pushedOnce('hanging', collector.url, async () => {
      await until('spans are on their way', async () => collector.posts() > 0);
    });
    assert.ok(
      program.said.some((said) => 'what' in said && said.what === 'the traces'),
      'it was waited for, and given up',
    );
  });

  it('takes pushes while the collector is away, and says once that spans are lost', async () => {
    const gone = await startCollector();
    await gone[Symbol.asyncDispose]();
    await pushedOnce('away', gone.url, async (program) => {
      const lost = 'the collector of traces takes none: spans are lost';
      await until('it is said', async () => lineOf(program, lost) !== undefined);
    });
  });
});

describe('a program without a collector', () => {
  function loaded(program: string): string[] {
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ resolve(specifier, context, next) {
        if (specifier.includes('opentelemetry/sdk') || specifier.includes('opentelemetry/exporter')) console.log(specifier);
        return next(specifier, context);
      } });`;
    const script = `data:text/javascript,${encodeURIComponent(hook)}`;
    const flags = [...productFlags, '--import', script, '--input-type=module', '--eval', program];
    return execFileSync(process.execPath, flags, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  }
  const openWith = (settings: string) => `
    await import('./ops/service/run-service.ts');
    const { openTracer } = await import('./platform/telemetry/open-tracer.ts');
    const { silentLog } = await import('./core/ports/telemetry.ts');
    const tracer = await openTracer(${settings}, { instance: 'i', version: 'v', roles: [] }, silentLog);
    await tracer.close();`;

  it('loads nothing of OpenTelemetry, which one with a collector does', () => {
    assert.deepEqual(loaded(openWith('null')), []);
    const settings = "{ url: 'http://127.0.0.1:9/v1/traces', sampler: { root: 1, followsParent: true } }";
    assert.ok(loaded(openWith(settings)).length > 0);
  });
});
