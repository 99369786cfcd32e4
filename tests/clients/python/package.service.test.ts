// The Python client as a package: it installs from the checkout, its errors are the problem types of the interface, and its core does
// nothing but decide.
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { installPythonClient, linesOf } from '../../support/clients/installed-client.ts';
import { run } from '../../support/services/installed.ts';
import { services } from '../../support/services/services.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const python = await services.python();
const client = fileURLToPath(new URL('../../../clients/python', import.meta.url));
const page = readFileSync(new URL('../../../docs/interface.md', import.meta.url), 'utf8');

describe('the Python package', skipFor(python.skip), () => {
  it('installs by the line that /docs prints, and is imported from where it was installed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sds-package-'));
    try {
      const target = await installPythonClient(folder, python.path);
      const program = 'import sds_client; print(sds_client.__file__, sds_client.__version__)';
      const said = await run(python.path, ['-c', program], { cwd: folder, env: { PYTHONPATH: target } });
      assert.ok(said.startsWith(join(target, 'sds_client')), said);
      assert.match(said, / \d+\.\d+\.\d+\n$/);
      const [metadata = ''] = globSync('sds_client-*.dist-info/METADATA', { cwd: target });
      const extras = [...readFileSync(join(target, metadata), 'utf8').matchAll(/^Provides-Extra: (.*)$/gm)];
      const printed = [
        ...linesOf('python')
          .join('\n')
          .matchAll(/\[(\w+)\]/g),
      ];
      assert.deepEqual(
        printed.map(([, extra]) => extra),
        extras.map(([, extra]) => extra),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  // As a process pool hands them over.
  it('has errors that are the same after they were pickled', async () => {
    const program = `
import copy, pickle
from sds_client import errors
whole = {"type": "/problems/not-final", "title": "Not final", "reason": "live"}
for error in (errors.problem_of(whole, 404, "/v1/x"), errors.problem_of({}, 500, "/"), errors.Unreachable("/v1/x", "silence"),
              errors.NotAsPublished("a row"), errors.NoArchive("none"), errors.ForeignCursor("no cursor")):
    error.told = True
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is type(error) and str(other) == str(error) and vars(other) == vars(error), repr(other)`;
    await run(python.path, ['-c', program], { env: { PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: '1' } });
  });

  // Windows and small images have no zone database of their own.
  it('needs nothing but its dependencies to read times', async () => {
    const project = readFileSync(join(client, 'pyproject.toml'), 'utf8');
    const dependencies = /^dependencies = (\[.*\])$/m.exec(project)?.[1] ?? assert.fail('no dependencies');
    const program = `
import importlib.metadata, json, re, sys
found, left = set(), json.loads(sys.argv[1])
while left:
    name = re.match(r"[A-Za-z0-9_.-]+", left.pop())[0].lower()
    if name not in found:
        found.add(name)
        left += [each for each in importlib.metadata.requires(name) or [] if ";" not in each]
for module in {"pytz", "tzdata", "dateutil"} - found:
    sys.modules[module] = None
import pyarrow
from sds_client import Table
print(Table(pyarrow.table({"timestamp": pyarrow.array([0], pyarrow.timestamp("us", "UTC"))})).to_list()[0]["timestamp"])`;
    const env = { PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: '1', PYTHONTZPATH: '' };
    const said = await run(python.path, ['-c', program, dependencies], { env });
    assert.equal(said.trim(), '1970-01-01 00:00:00+00:00');
  });

  it('has an error for each problem type of the interface', async () => {
    const table = page.slice(page.indexOf('### Problem types'), page.indexOf('### Problem members'));
    const types = [...table.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, type]) => type);
    assert.ok(types.length > 15);
    const program = 'import sds_client.errors as e; print(*e.by_type, sep="\\n")';
    const said = await run(python.path, ['-c', program], { env: { PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: '1' } });
    assert.deepEqual(said.trim().split('\n').sort(), types.sort());
  });
});

it('the core of the Python client imports nothing that waits, sends or reads a clock', () => {
  const files = globSync('sds_client/core/*.py', { cwd: client });
  assert.ok(files.length > 5);
  const doing = /^\s*(?:import|from) (?:httpx|time|asyncio|socket|os|pathlib|sched|urllib\.request)\b/m;
  assert.deepEqual(
    files.filter((file) => doing.test(readFileSync(join(client, file), 'utf8'))),
    [],
  );
});
