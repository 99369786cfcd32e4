// The TypeScript client as its users have it: packed from this checkout, and installed beside hyparquet.
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram, run } from '../services/installed.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const npm = findProgram('npm');

/** Why it cannot be packed here; false where it can. */
export const cannotPack = npm === undefined ? 'npm is not here: there is no such program on this machine' : false;

/** Installs it into a new folder `app` of `folder`; answers that one's path. */
export async function installClient(folder: string): Promise<string> {
  const app = join(folder, 'app');
  mkdirSync(app);
  await run(npm ?? '', ['pack', join(root, 'clients/typescript'), '--pack-destination', folder, '--loglevel=error']);
  const [tarball = ''] = globSync('sds-client-*.tgz', { cwd: folder });
  writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const packages = [join(folder, tarball), join(root, 'node_modules/hyparquet')];
  await run(npm ?? '', ['install', ...quiet, ...packages], { cwd: app });
  return app;
}
