// The Python that schemas/msf-digest/README.md shows to strangers, run as it stands there on the vectors that are published beside it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { services } from '../../support/services/services.ts';
import { type DigestCase, msfVectors } from '../../support/vectors/msf-vectors.ts';
import { digestPage, publishedDigestCases } from '../../support/vectors/published-digests.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const python = await services.python();

describe('the published digest in Python', skipFor(python.skip), () => {
  it('computes every published vector', async () => {
    const cases = publishedDigestCases();
    assert.deepEqual(
      await compute(cases),
      cases.map(({ expect }) => expect),
    );
  });

  it('computes those of the specification whose values are of their columns already', async () => {
    const isRounded = ({ name }: DigestCase) =>
      name === 'decimal-scale' || name === 'decimal-half-even' || name === 'all-types';
    const cases = msfVectors<DigestCase>('digest').filter((each) => !isRounded(each));
    assert.deepEqual(
      await compute(cases),
      cases.map(({ expect }) => expect),
    );
  });
});

async function compute(cases: readonly DigestCase[]): Promise<DigestCase['expect'][]> {
  const script = fileURLToPath(new URL('../../support/vectors/msf-digest.py', import.meta.url));
  const child = spawn(python.path, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ page: readFileSync(digestPage, 'utf8'), cases }));
  const [answers, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  assert.equal(code, 0, 'Python ended with an error, shown above');
  return JSON.parse(answers) as DigestCase['expect'][];
}
