// The log of a process whose log file has no room.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, it } from 'vitest';
import { openLog } from '../../../platform/telemetry/log.ts';

const module = JSON.stringify(new URL('../../../platform/telemetry/log.ts', import.meta.url).href);

/** What a process says on its output, whose log is on a full disk; its heap holds a third of the lines. */
async function withoutRoom(script: string): Promise<{ code: unknown; said: string }> {
  const full = openSync('/dev/full', 'w');
  try {
    const node = [
      '--max-old-space-size=64',
      '--input-type=module',
      '-e',
      `import { ${openLog.name} } from ${module};${script}`,
    ];
    const child = spawn(process.execPath, node, { stdio: ['ignore', 'pipe', full] });
    assert.ok(child.stdout);
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return { code, said };
  } finally {
    closeSync(full);
  }
}

describe('a log that cannot be written', () => {
  it('loses its lines, and the process goes on', async () => {
    const lines = `const log = openLog('info'); log.warn('a line'); log.error('another', { at: 1 });`;
    const later = `setTimeout(() => { log.info('a third'); console.log('goes on'); }, 50);`;
    assert.deepEqual(await withoutRoom(lines + later), { code: 0, said: 'goes on\n' });
  });

  it('takes no memory for what it loses', async () => {
    const lines = `const log = openLog('info');
      for (let line = 0; line < 20_000; line += 1) log.warn('a line', { text: String(line).repeat(1_500) });`;
    assert.deepEqual(await withoutRoom(`${lines} console.log('goes on');`), { code: 0, said: 'goes on\n' });
  });
});
