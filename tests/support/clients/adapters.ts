// The clients of this checkout as the conformance suite starts them, each by its adapter's command.
import { fileURLToPath } from 'node:url';

const adapter = fileURLToPath(new URL('../../../clients/python/conformance/adapter.py', import.meta.url));
const ofTypescript = fileURLToPath(new URL('../../../clients/typescript/conformance/adapter.ts', import.meta.url));

export const typescriptAdapter: readonly string[] = [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  ofTypescript,
];

export function pythonAdapters(python: string): Readonly<Record<string, readonly string[]>> {
  return { 'Python, sync': [python, adapter], 'Python, async': [python, adapter, '--async'] };
}
