// Programs from Debian's packages, unpacked below `.cache/` without changing the system: the package and those of its
// dependencies that the machine lacks.
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installed, needProgram, run } from './installed.ts';

/**
 * The directory into which `name` and its dependencies are unpacked. `prove` runs it once before it counts as
 * installed.
 */
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
      // An old package list may name files that the archive no longer has. Only root can update it.
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
