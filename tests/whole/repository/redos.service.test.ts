// No text can make a regular expression of the product, or a pattern of its API description, slow: each is linear, or polynomial in something
// that is bounded by itself (SECURITY.md).
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { readSource } from '../../support/architecture/source.ts';
import { describe as describeApi } from '../../support/http/documented.ts';
import { ServiceMissing } from '../../support/services/missing.ts';
import { openRecheck } from '../../support/services/recheck.ts';
import { skipFor } from '../../support/vitest/skip-for.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const product = '{schemas,core,http,platform,ingest,projectors,api,ops}/**/*.ts';

type Expression = { source: string; flags: string; where: string };

/** The regular expressions in a file: stripped code keeps their slashes and blanks their contents. */
function literalsOf(path: string): Expression[] {
  const { text, code } = readSource({ path, text: readFileSync(`${root}/${path}`, 'utf8') });
  return [...code.matchAll(/\/( +)\/([dgimsuvy]*)/g)].map((match) => {
    const from = (match.index ?? 0) + 1;
    return { source: text.slice(from, from + (match[1] ?? '').length), flags: match[2] ?? '', where: path };
  });
}

function patternsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'pattern' in value && typeof value.pattern === 'string' ? [value.pattern] : [];
  return [...own, ...Object.values(value).flatMap(patternsOf)];
}

const files = globSync(product, { cwd: root });
const expressions = files.flatMap(literalsOf);
for (const source of patternsOf(describeApi('https://api.example.test'))) {
  expressions.push({ source, flags: 'u', where: '/v1/openapi.json' });
}
const distinct = [...new Map(expressions.map((one) => [`/${one.source}/${one.flags}`, one])).values()];

const recheck = await openRecheck().catch((error: unknown) => {
  if (error instanceof ServiceMissing && process.env.SDS_REQUIRE_SERVICES !== '1') return `recheck: ${error.message}`;
  throw error;
});

describe('regular expressions', skipFor(typeof recheck === 'string' ? recheck : false), () => {
  it('are all found', () => {
    assert.ok(distinct.length > 60, `${distinct.length}`);
    for (const { source, flags } of distinct) new RegExp(source, flags.replace('g', ''));
    assert.deepEqual(literalsOf('http/request-id.ts')[0]?.source, '^[0-9A-Za-z._~:/+=@-]{1,128}$');
  });

  it('that are vulnerable are seen to be', () => {
    assert.ok(typeof recheck !== 'string');
    assert.equal(recheck('^(a+)+$', '').status, 'vulnerable');
  });

  it('cannot be made slow', () => {
    assert.ok(typeof recheck !== 'string');
    // Only an unbounded repetition can backtrack without end.
    const endless = distinct.filter(({ source }) => /[*+]|\{\d+,\}/.test(source));
    const slow = endless.flatMap(({ source, flags, where }) => {
      const { status, attack } = recheck(source, flags);
      return status === 'safe' ? [] : [`${where}: /${source}/${flags} is ${status}: ${attack?.pattern ?? ''}`];
    });
    assert.deepEqual(slow, []);
  });
});

it('expressions made of texts are few, and of texts that no request contains', () => {
  const made = files.filter((path) =>
    /new RegExp\(|[^.]RegExp\(/.test(readSource({ path, text: readFileSync(`${root}/${path}`, 'utf8') }).code),
  );
  // Paths of routes, a UUID, and league codes: their parts are checked above, or are `[^/]+` between slashes, or plain
  // letters.
  assert.deepEqual(made.sort(), [
    'core/games/public-id.ts',
    'http/request-faults.ts',
    'schemas/http/path-parameters.ts',
  ]);
});
