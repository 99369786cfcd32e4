// The options of `sds proxy`, as docs/proxy.md has them in its table.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'vitest';
import { proxyCommand } from '../../../ops/commands/proxy.ts';
import { runSds } from '../../support/processes/sds.ts';

it('sds proxy has the options of its page, with these defaults', () => {
  const page = readFileSync(new URL('../../../docs/proxy.md', import.meta.url), 'utf8');
  const told = [...page.matchAll(/^\| `(--[a-z-]+)` \| (?:`([^`]+)`)?/gm)].map(([, name, given]) => [name, given]);
  const home = process.env.HOME ?? '';
  const options = proxyCommand().options.map(({ long, defaultValue }) => [long, defaultValue?.replace(home, '~')]);
  assert.deepEqual(options, told);
});

it('takes no address with a path, and starts without no key', async () => {
  const withPath = await runSds({}, ['proxy', '--url', 'http://127.0.0.1:9/v1', '--key-file', 'absent']);
  assert.deepEqual(
    [withPath.code, /--url is http:\/\/127\.0\.0\.1:9\/v1, and must be like/.test(withPath.err)],
    [2, true],
  );
  assert.equal((await runSds({}, ['proxy'])).code, 2);
});
