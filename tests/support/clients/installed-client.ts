// A client as its users have it: installed by the lines that the documents print, in a checkout that has the files of this one. Nothing is asked of
// a registry.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientPrograms } from '../../../api/documents/client-programs.ts';
import { findProgram, run } from '../services/installed.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Why npm installs nothing here; false where it does. */
export const hasNoNpm =
  findProgram('npm') === undefined ? 'npm is not here: there is no such program on this machine' : false;

/** What `/docs` prints. */
export function linesOf(id: string): string[] {
  return clientPrograms.find((each) => each.id === id)?.install.split('\n') ?? [];
}

/** A checkout in `folder`, into which npm may pack. What is built in its clients is its own: other tests build them at the same time. */
function checkoutIn(folder: string): string {
  const checkout = mkdtempSync(join(folder, 'checkout-'));
  for (const name of readdirSync(root))
    if (name !== '.git' && name !== 'clients') symlinkSync(join(root, name), join(checkout, name));
  const built = /\/(dist|build|node_modules|[^/]*\.egg-info)$/;
  cpSync(join(root, 'clients'), join(checkout, 'clients'), { recursive: true, filter: (from) => !built.test(from) });
  return checkout;
}

/** The TypeScript client, in a new folder `app` of `folder`; answers that one's path. */
export async function installTypescriptClient(folder: string): Promise<string> {
  const checkout = checkoutIn(folder);
  const app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const env = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
  const [pack = '', install = ''] = linesOf('typescript');
  await run('sh', ['-c', pack], { cwd: checkout, env });
  // First what the registry would give. It is linked, and npm would build it.
  const quiet = { ...env, npm_config_ignore_scripts: 'true' };
  await run('npm', ['install', join(root, 'node_modules/hyparquet')], { cwd: app, env: quiet });
  await run('sh', ['-c', install.replace('/path/to/the/checkout', checkout)], { cwd: app, env: quiet });
  return app;
}

/** The Python client, below a new folder of `folder`; answers that one's path. `python`: the one for which it is, which has its dependencies. */
export async function installPythonClient(folder: string, python: string): Promise<string> {
  const checkout = checkoutIn(folder);
  const target = join(folder, 'installed');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const pip = `#!/bin/sh\nexec python3 -m pip --python '${python}' "$@"\n`;
  writeFileSync(join(bin, 'pip'), pip, { mode: 0o755 });
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_INDEX: '1',
    PIP_NO_DEPS: '1',
    // In the environment, pip takes this option for its contrary.
    PIP_NO_BUILD_ISOLATION: '0',
    PIP_TARGET: target,
  };
  await run('sh', ['-c', linesOf('python').join('\n')], { cwd: checkout, env });
  return target;
}
