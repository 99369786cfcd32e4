// A Python with pandas, which readers of our documents use, from PyPI, in a separate environment.
import { join } from 'node:path';
import { installed } from './installed.ts';
import { installPackages, pythonVersion } from './python.ts';

const requirements = ['pandas==3.1.1', 'pyarrow==26.0.1', 'requests==2.34.2'];

export type Pandas = {
  /** The interpreter that has pandas. */
  readonly path: string;
};

export async function findPandas(): Promise<Pandas> {
  const version = requirements.map((requirement) => requirement.split('==')[1]).join('-');
  const home = await installed('pandas', `${version}-${await pythonVersion()}`, 'PyPI', (directory) =>
    installPackages(directory, requirements),
  );
  return { path: join(home, 'bin', 'python') };
}
