// Opens the tracer of a process. If the settings name no collector, it is one that does nothing, and the exporter is not loaded.
import type { Log } from '../../core/ports/telemetry.ts';
import { noTracer, type Tracer } from '../../core/ports/tracer.ts';
import type { TraceSettings } from '../config/trace-settings.ts';

/** The process as its spans name it. */
export type TracedProcess = { instance: string; version: string; roles: readonly string[] };

/** A tracer whose spans leave the process. */
export type OpenTracer = Tracer & {
  /** Sends the spans that wait. Takes as long as the collector does. */
  close(): Promise<void>;
};

export async function openTracer(
  settings: TraceSettings | null,
  process: TracedProcess,
  log: Log,
): Promise<OpenTracer> {
  if (settings === null) return { ...noTracer, close: async () => {} };
  const { openOtlpTracer } = await import('./otlp-tracer.ts');
  return openOtlpTracer(settings, process, log);
}
