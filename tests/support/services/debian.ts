// Programs out of Debian's packages, unpacked below `.cache/` without touching the system: the package and whatever of its dependencies the
// machine does not have.
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installed, needProgram, run } from './installed.ts';

/** The directory that `name` and what it needs are unpacked into; `prove` runs it once before it counts as installed. */
export async function debianPackage(name: string, prove: (home: string) => Promise<unknown>): Promise<string> {
  const unpack = needProgram('dpkg-deb');
  const apt = needProgram('apt-get');
  return await installed(name, 'debian', 'apt', async (directory) => {
    const fetch = async () => {
      const plan = await run(apt, ['install', '--simulate', '--no-install-recommends', '--reinstall', name]);
      const needed = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, each]) => each as string);
      await run(apt, ['download', ...needed], { cwd: directory });
    };
    await fetch().catch(async () => {
      // Lists of packages older than the archive name a file that is gone; only root may renew them.
      await run(apt, ['-qq', 'update']);
      await fetch();
    });
    for (const file of globSync('*.deb', { cwd: directory })) {
      await run(unpack, ['-x', file, '.'], { cwd: directory });
      rmSync(join(directory, file));
    }
    await prove(directory);
  });
}
