// Test files share a process: what one of them leaves behind fails it, and what it keeps open for itself ends with it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, it } from 'vitest';
import { afterFile, endFile } from '../../support/vitest/after-file.ts';
import { nothingLeftSince, openThings } from '../../support/vitest/left-over.ts';

describe('a test file', () => {
  it('fails if it leaves a port behind that it listens on', async () => {
    const before = openThings();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await assert.rejects(nothingLeftSince(before, 1), /leaves behind a port that it listens on$/);
    } finally {
      server.close();
    }
    await nothingLeftSince(before);
  });

  it('fails if it leaves a program behind', async () => {
    const before = openThings();
    const program = spawn('sleep', ['600'], { stdio: 'ignore' });
    try {
      await assert.rejects(nothingLeftSince(before, 1), /leaves behind a program that it started$/);
    } finally {
      program.kill();
    }
    await nothingLeftSince(before);
  });

  it('ends what it has kept open, the last first, even if one of them fails', async () => {
    const ended: string[] = [];
    afterFile(async () => void ended.push('first'));
    afterFile(() => Promise.reject(new Error('does not end')));
    afterFile(async () => void ended.push('last'));
    await assert.rejects(endFile(), /does not end/);
    assert.deepEqual(ended, ['last', 'first']);
    await endFile();
    assert.equal(ended.length, 2);
  });
});
