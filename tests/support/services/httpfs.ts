// DuckDB for Python with its extension httpfs, which reads files over HTTP by ranges. Both come from PyPI in the same
// version, as the extension requires.
import { join } from 'node:path';
import { installed } from './installed.ts';
import { installPackages, pythonVersion } from './python.ts';

const version = '1.5.5';

export type Httpfs = {
  /** The interpreter that has both. */
  readonly path: string;
};

export async function findHttpfs(): Promise<Httpfs> {
  const home = await installed('httpfs', `${version}-${await pythonVersion()}`, 'PyPI', (directory) =>
    installPackages(directory, [`duckdb==${version}`, `duckdb-extension-httpfs==${version}`, 'pytz==2025.2']),
  );
  return { path: join(home, 'bin', 'python') };
}
