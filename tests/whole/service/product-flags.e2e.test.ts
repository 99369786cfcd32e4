// What the flags of scripts/node.sh do to a process (docs/operations.md#memory-of-a-process).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { describe, it } from 'vitest';
import { productFlags } from '../../support/processes/product-flags.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const namesOfThreads = `
  const { readdirSync, readFileSync } = require('node:fs');
  const names = readdirSync('/proc/self/task').map((id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim());
  console.log(JSON.stringify(names));`;

function collectors(flags: readonly string[]): number {
  const names = JSON.parse(execFileSync(process.execPath, [...flags, '-e', namesOfThreads], { encoding: 'utf8' }));
  return (names as string[]).filter((name) => name === 'V8Worker').length;
}

describe('the flags of the product', skipFor(process.platform !== 'linux' && 'the kernel must name threads'), () => {
  it('give V8 one thread fewer than the machine has processors, at least one', () => {
    assert.equal(collectors(productFlags), Math.max(1, availableParallelism() - 1));
  });

  it('have an effect: with no flags, Node starts four on any machine', () => {
    assert.equal(collectors([]), 4);
  });
});
