// Traces through OpenTelemetry's SDK to a collector, over OTLP/HTTP. Loaded only where traces are asked for. Spans wait in a bounded queue and leave
// in batches; those that find it full are dropped, so a collector that is away or hangs costs spans and nothing else. The libraries read the
// settings of the connection itself (headers, certificates, timeout, compression) from the environment.
import {
  type Context,
  ROOT_CONTEXT,
  SpanKind as SdkKind,
  type Span as SdkSpan,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../../core/ports/telemetry.ts';
import { type Attributes, noSpan, type Span, type SpanKind } from '../../core/ports/tracer.ts';
import { readTraceparent, type TraceContext, traceparentOf } from '../../core/traceparent.ts';
import type { Millis } from '../../core/units.ts';
import type { TraceSettings } from '../config/trace-settings.ts';
import type { OpenTracer, TracedProcess } from './open-tracer.ts';

/** Soon enough for who watches one push; some spans at a time. */
const sendEveryMs: Millis = 1_000;

/** A tracer that sends its spans as the settings say. */
export function openOtlpTracer(settings: TraceSettings, process: TracedProcess, log: Log): OpenTracer {
  const { url, sampler } = settings;
  const exporter = loggingOutages(new OTLPTraceExporter({ url }), log);
  const provider = new TracerProvider({
    sampler: samplerOf(sampler),
    resource: resourceOf(process),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: sendEveryMs })],
  });
  const sdk = provider.getTracer('sports-data-service', process.version);
  const begin = (name: string, kind: SpanKind, parent: Context, attributes: Attributes): Span => {
    const span = sdk.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, parent);
    return span.isRecording() ? recorded(span, begin) : noSpan;
  };
  return {
    isOn: true,
    start(name, kind, parent, attributes = {}) {
      const context = readTraceparent(parent);
      return begin(name, kind, context === null ? ROOT_CONTEXT : contextOf(context), attributes);
    },
    close: () => provider.shutdown(),
  };
}

type Begin = (name: string, kind: SpanKind, parent: Context, attributes: Attributes) => Span;

function recorded(span: SdkSpan, begin: Begin): Span {
  const { traceId, spanId } = span.spanContext();
  return {
    traceparent: traceparentOf({ traceId, spanId }),
    fields: { trace_id: traceId },
    child: (name, kind, attributes = {}) => begin(name, kind, trace.setSpan(ROOT_CONTEXT, span), attributes),
    set: (attributes) => void span.setAttributes({ ...attributes }),
    link(traceparent) {
      const context = readTraceparent(traceparent);
      if (context !== null) span.addLink({ context: remote(context) });
    },
    end(failure) {
      if (failure !== undefined) {
        span.setAttribute('error.type', failure);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

const kinds: Readonly<Record<SpanKind, SdkKind>> = {
  server: SdkKind.SERVER,
  producer: SdkKind.PRODUCER,
  consumer: SdkKind.CONSUMER,
  client: SdkKind.CLIENT,
  internal: SdkKind.INTERNAL,
};

function contextOf(context: TraceContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, remote(context));
}

function remote({ traceId, spanId, isSampled }: TraceContext) {
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

function samplerOf({ root, followsParent }: TraceSettings['sampler']): Sampler {
  const sampler =
    root >= 1 ? new AlwaysOnSampler() : root <= 0 ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(root);
  return followsParent ? new ParentBasedSampler({ root: sampler }) : sampler;
}

/** What the environment says of the service goes before what the service says of itself. */
function resourceOf({ instance, version, roles }: TracedProcess) {
  const own = {
    'service.name': 'sports-data-service',
    'service.version': version,
    'service.instance.id': instance,
    'sds.roles': roles.join(','),
  };
  const configured = detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] });
  return defaultResource().merge(resourceFromAttributes(own)).merge(configured);
}

/** Says once that spans are lost, and once that they arrive again. */
function loggingOutages(exporter: SpanExporter, log: Log): SpanExporter {
  let isAway = false;
  let lost = 0;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed) lost += spans.length;
        if (failed && !isAway) log.warn('the collector of traces takes none: spans are lost');
        if (!failed && isAway) log.info('the collector of traces takes them again', { lost });
        if (!failed) lost = 0;
        isAway = failed;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
