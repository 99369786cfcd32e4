// Where traces go and which are kept, by OpenTelemetry's own names.
import type { ReadText } from './environment-text.ts';
import { SettingError } from './setting-error.ts';
import { baseOfPaths, oneOf, webUrl } from './setting-values.ts';

export type TraceSettings = {
  /** Where spans are posted. */
  url: string;
  /** `root`: the share of traces that begin here and are kept; `followsParent`: a trace that began elsewhere is kept if it is there. */
  sampler: { root: number; followsParent: boolean };
};

const samplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/** Null where no collector is named. */
export function traceSettings(text: ReadText): TraceSettings | null {
  const url = urlOfTraces(text);
  if (url === null) return null;
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']) {
    const protocol = text(name);
    if (protocol !== null && !protocol.startsWith('http/'))
      throw new SettingError(name, `is ${protocol}, and traces are sent over HTTP alone`, 'http/json');
  }
  const sampler = oneOf('OTEL_TRACES_SAMPLER', text('OTEL_TRACES_SAMPLER') ?? samplers[0], samplers);
  return { url, sampler: { root: shareOf(sampler, text), followsParent: sampler.startsWith('parentbased_') } };
}

function urlOfTraces(text: ReadText): string | null {
  const own = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const ofTraces = text(own);
  if (ofTraces !== null) return webUrl(own, ofTraces, 'http://collector:4318/v1/traces');
  const all = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const ofAll = text(all);
  return ofAll === null ? null : `${baseOfPaths(all, ofAll, 'http://collector:4318')}/v1/traces`;
}

function shareOf(sampler: (typeof samplers)[number], text: ReadText): number {
  if (sampler.endsWith('always_on')) return 1;
  if (sampler.endsWith('always_off')) return 0;
  const name = 'OTEL_TRACES_SAMPLER_ARG';
  const given = text(name) ?? '1';
  const share = /^(?:[01]|0?\.[0-9]{1,9}|1\.0{1,9})$/.test(given) ? Number(given) : Number.NaN;
  if (share >= 0 && share <= 1) return share;
  throw new SettingError(name, `is ${given}, and must be a decimal from 0 to 1`, '0.01');
}
