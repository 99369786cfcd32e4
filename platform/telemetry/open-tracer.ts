// The tracer of a process: none where no collector is named, and nothing is loaded for it then.
import type { Log } from '../../core/ports/telemetry.ts';
import { noTracer } from '../../core/ports/tracer.ts';
import type { TraceSettings } from '../config/trace-settings.ts';
import type { OpenTracer, TracedProcess } from './otlp-tracer.ts';

export async function openTracer(
  settings: TraceSettings | null,
  process: TracedProcess,
  log: Log,
): Promise<OpenTracer> {
  if (settings === null) return { ...noTracer, close: async () => {} };
  const { openOtlpTracer } = await import('./otlp-tracer.ts');
  return openOtlpTracer(settings, process, log);
}
