// kubeconform, built with Go, and the schemas of Kubernetes that a package of PyPI has: kubeconform's own are on a site
// that this program never asks.
import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, needProgram, run } from './installed.ts';
import { installPackages, pythonVersion } from './python.ts';

const version = 'v0.8.0';
const validator = 'kubernetes-validate==1.37.0';

/** The program. */
export async function kubeconform(): Promise<string> {
  const home = await installed('kubeconform', version, 'the Go proxy', async (directory) => {
    const go = needProgram('go');
    const env = { GOBIN: directory, GOFLAGS: '-modcacherw', GOWORK: 'off' };
    await run(go, ['install', '-trimpath', `github.com/yannh/kubeconform/cmd/kubeconform@${version}`], { env });
  });
  return join(home, 'kubeconform');
}

/** A Python with `kubernetes_validate`, which contains the schemas. */
export async function kubernetesValidate(): Promise<string> {
  const name = `${validator.split('==')[1]}-${await pythonVersion()}`;
  const home = await installed('kubernetes-validate', name, 'PyPI', (at) => installPackages(at, [validator]));
  return join(home, 'bin', 'python');
}

/**
 * Writes the strict schemas of these kinds, which refuse unknown fields, of a version such as `1.37` into a folder, as kubeconform reads
 * them: a schema refers to the others by file, not by an address. Returns what kubeconform calls the location.
 */
export function writeStrictSchemas(python: string, release: string, kinds: readonly string[], folder: string): string {
  const packaged = `../lib/python*/site-packages/kubernetes_validate/kubernetes-json-schema/v${release}.0-local-strict`;
  const [from = ''] = globSync(join(python, '..', packaged));
  mkdirSync(folder, { recursive: true });
  const wanted = ['_definitions.json', ...kinds.map((kind) => `${kind.toLowerCase()}-`)];
  for (const name of readdirSync(from)) {
    if (!wanted.some((start) => name.startsWith(start))) continue;
    const text = readFileSync(join(from, name), 'utf8');
    const { $id: _, ...schema } = JSON.parse(text.replaceAll('"/api/_definitions.json#', '"_definitions.json#')) as {
      $id?: string;
    };
    writeFileSync(join(folder, name), JSON.stringify(schema));
  }
  return join(folder, '{{.ResourceKind}}{{.KindSuffix}}.json');
}
