// What commands print as text: a feed chooses names and details, and none of it may move the cursor, hide a line or forge one. `--json` is
// exact: JSON escapes by itself. A plan is shown also where `--yes` confirms it, and beside the result, not in it.
import assert from 'node:assert/strict';
import { Command } from 'commander';
import { afterEach, it, vi } from 'vitest';
import { inOneLine } from '../../../core/printable.ts';
import { confirm, print, table } from '../../../ops/session/command.ts';

const hostile = 'E1\u001b[1A\u001b[2K\n7  forged\u2028\u202e\u{e0001}é⚾';
const escaped = 'E1\\u001b[1A\\u001b[2K\\u000a7  forged\\u2028\\u202e\\u{e0001}é⚾';

afterEach(() => void vi.restoreAllMocks());

it('a table shows control characters escaped, in columns that stay aligned', () => {
  assert.equal(
    table(
      ['id', 'event'],
      [
        [1, 'a\rb'],
        [23, hostile],
      ],
    ),
    `id  event\n1   a\\u000db\n23  ${escaped}`,
  );
});

it('text is printed in its own lines and without other control characters; JSON as it is', () => {
  const written: unknown[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(text) > 0);
  const command = new Command('show').option('--json');
  print(command, { event: hostile }, `first\nE1\u001b[2K\u009b1A of ${inOneLine(hostile)}`);
  print(command.parse(['--json'], { from: 'user' }), { event: hostile }, 'unused');
  assert.deepEqual(written, [
    `first\nE1\\u001b[2K\\u009b1A of ${escaped}\n`,
    `${JSON.stringify({ event: hostile })}\n`,
  ]);
});

it('a plan that --yes confirms is shown on standard error, in one line', async () => {
  const [said, printed] = [process.stderr, process.stdout].map((stream) =>
    vi.spyOn(stream, 'write').mockReturnValue(true),
  );
  await confirm(`event ${hostile} is unbound`, hostile, true);
  assert.deepEqual(said?.mock.calls, [[`event ${escaped} is unbound\n`]]);
  assert.deepEqual(printed?.mock.calls, []);
});
