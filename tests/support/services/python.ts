// A Python with the Parquet readers that judge our files (DuckDB, pyarrow, pandas, polars) and with what
// `clients/python` needs and is built with (httpx, flit_core), from PyPI, in an environment of its own.
import { join } from 'node:path';
import { installed, needProgram, run } from './installed.ts';

const requirements = [
  'duckdb==2.0.0',
  'pyarrow==26.0.1',
  'pytz==2025.2',
  'polars==2.1.0',
  'pandas==3.1.1',
  'httpx==0.28.1',
  'flit_core==3.12.0',
];

export type Python = {
  /** The interpreter: `execFile(python.path, ['-c', '…'])`. */
  readonly path: string;
};

export async function findPython(): Promise<Python> {
  const version = requirements.map((requirement) => requirement.split('==')[1]).join('-');
  const home = await installed('python', `${version}-${await pythonVersion()}`, 'PyPI', (directory) =>
    installPackages(directory, requirements),
  );
  return { path: join(home, 'bin', 'python') };
}

/** The version, such as `3.11`: an environment belongs to the Python that made it. */
export async function pythonVersion(): Promise<string> {
  return (await run(needProgram('python3'), ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'])).trim();
}

/**
 * Makes a virtual environment with the packages. The machine's pip fills it, because Debian's Python cannot give it
 * one. The environment is moved afterwards, so of its contents only the interpreter and real programs work, not
 * scripts, which name their old path.
 */
export async function installPackages(directory: string, packages: readonly string[]): Promise<void> {
  const python = needProgram('python3');
  const interpreter = join(directory, 'bin', 'python');
  const install = ['install', '--quiet', '--disable-pip-version-check', ...packages];
  const hasPip = await run(python, ['-m', 'pip', '--version']).then(
    () => true,
    () => false,
  );
  await run(python, ['-m', 'venv', ...(hasPip ? ['--without-pip'] : []), directory]);
  if (hasPip) await run(python, ['-m', 'pip', '--python', interpreter, ...install]);
  else await run(interpreter, ['-m', 'pip', ...install]);
}
