// What the service says of itself when it starts (docs/operations.md): that it runs as root, where it does, before anything else is done.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import { makeDataFolder } from '../../support/processes/data-folder.ts';
import { runSds } from '../../support/processes/sds.ts';

const dir = makeDataFolder('root');
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('as root it says plainly that it stays so, and otherwise nothing of it', { timeout: 60_000 }, async () => {
  // A start that ends at once: its ready file cannot be written.
  const { code, out, err } = await runSds(
    { SDS_EDITION: 'embedded', SDS_DATA_DIR: join(dir, 'data'), SDS_READY_FILE: join(dir, 'nowhere', 'ready.json') },
    ['start'],
  );
  assert.notEqual(code, 0);
  assert.match(err, /SDS_READY_FILE/);
  const said = process.getuid?.() === 0 ? [/^running as root, and staying so: run the service as its own user/] : [];
  const lines = out.split('\n').filter((line) => line !== '');
  assert.equal(lines.length, said.length, out);
  for (const [at, line] of said.entries()) assert.match(lines[at] ?? '', line);
});
