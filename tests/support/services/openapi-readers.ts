// Programs that read an OpenAPI document, as users of ours do: Redocly's linter and openapi-typescript from npm, openapi-python-client from
// PyPI, each in a folder of its own. None of them needs a network once it is installed.
import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { installed, needProgram, run } from './installed.ts';
import { installPackages, pythonVersion } from './python.ts';

const redocly = '2.77.0';
const openapiTypescript = '7.13.0';
const openapiPythonClient = '0.29.1';

export type OpenApiReaders = {
  /** What Redocly's recommended rules find, warnings too. */
  lint(document: string): Promise<readonly string[]>;
  /** Writes the types into a file. Returns what was printed to standard error. */
  types(document: string, file: string): Promise<string>;
  /** Writes a Python client into a folder. @throws on a warning */
  pythonClient(document: string, folder: string, config: string): Promise<void>;
};

/** @throws ServiceMissing if one cannot be installed */
export async function openApiReaders(): Promise<OpenApiReaders> {
  const linter = await fromNpm('redocly-cli', redocly, [`@redocly/cli@${redocly}`]);
  const typescript = ['typescript@5.9.3', `openapi-typescript@${openapiTypescript}`];
  const typed = await fromNpm('openapi-typescript', openapiTypescript, typescript);
  const version = `${openapiPythonClient}-${await pythonVersion()}`;
  const python = await installed('openapi-python-client', version, 'PyPI', (directory) =>
    installPackages(directory, [`openapi-python-client==${openapiPythonClient}`]),
  );
  return {
    async lint(document) {
      const cli = join(linter, '@redocly', 'cli', 'bin', 'cli.js');
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const args = [cli, 'lint', document, '--format=json', '--max-problems=1000'];
      // It ends with 1 where it finds an error; its findings are the same.
      const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch(
        (error: { stdout: string }) => error,
      );
      const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
      return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
    },
    async types(document, file) {
      const cli = join(typed, 'openapi-typescript', 'bin', 'cli.js');
      const { stderr } = await promisify(execFile)(process.execPath, [cli, document, '--output', file]);
      return stderr;
    },
    async pythonClient(document, folder, config) {
      const bin = join(python, 'bin');
      const generate = ['-m', 'openapi_python_client', 'generate', '--fail-on-warning', '--meta=none'];
      const paths = [`--path=${document}`, `--output-path=${folder}`, `--config=${config}`];
      // It formats what it has written with a program beside it.
      const env = { PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
      await run(join(bin, 'python'), [...generate, ...paths], { env });
    },
  };
}

async function fromNpm(name: string, version: string, packages: readonly string[]): Promise<string> {
  const home = await installed(name, version, 'npm', async (directory) => {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefix', directory];
    await run(needProgram('npm'), ['install', ...options, ...packages], { cwd: directory });
  });
  return join(home, 'node_modules');
}
