// No secret stands in the tree (SECURITY.md): forms of keys that are known, and values of settings that are secret. The patterns are
// shown what they look for.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { it } from 'vitest';
import { checkKey } from '../../../core/access/key-format.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const notOurs = new Set(['node_modules', '.git', '.cache', '.data']);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (notOurs.has(entry.name) || entry.isSymbolicLink()) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

const forms: readonly (readonly [what: string, form: RegExp, example: string])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/, `-----BEGIN ${'RSA'} PRIVATE KEY-----`],
  ['an AWS access key', /\bA(?:KIA|SIA)[A-Z0-9]{16}\b/, `AKIA${'ABCDEFGHIJKLMNOP'}`],
  ['a token of GitHub', /\bgh[pousr]_[A-Za-z0-9]{36}\b/, `ghp_${'a'.repeat(36)}`],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}\b/, `npm_${'a'.repeat(36)}`],
  ['a token of Slack', /\bxox[abprs]-[A-Za-z0-9-]{10,}/, `xoxb-${'1'.repeat(12)}`],
  [
    'a JSON Web Token',
    /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/,
    `eyJ${'a'.repeat(12)}.eyJ${'a'.repeat(12)}.${'a'.repeat(12)}`,
  ],
  [
    'a password in an address',
    /\b[a-z][a-z0-9+]*:\/\/[^\s/:@'"`{}$<>]+:(?!(?:secret|SECRET|hunter2|password|pass|postgres|tests|test|x|y|p|wrong|[a-z]{1,4})@)[^\s/:@'"`{}$<>]{6,}@/,
    `postgres://sds:${'Tr0ub4dor'}@db`,
  ],
  [
    'a secret setting',
    /\b(?:SDS_MSF_API_KEY|AWS_SECRET_ACCESS_KEY|KAFKA_SASL_PASSWORD)\s*[=:]\s*['"]?[A-Za-z0-9+/_-]{20,}/,
    `SDS_MSF_API_KEY=${'0f8fad5b-d9cb-469f-a165'}`,
  ],
];

it('the forms see what they are for', () => {
  for (const [what, form, example] of forms) assert.match(example, form, what);
});

it('no file holds a secret, nor an API key whose checksum is right', () => {
  const found: string[] = [];
  let files = 0;
  for (const path of filesBelow(root)) {
    if (statSync(path).size > 5_000_000) continue;
    files += 1;
    const text = readFileSync(path, 'latin1');
    for (const [what, form] of forms) {
      const match = form.exec(text);
      if (match !== null) found.push(`${relative(root, path)}: ${what}: ${match[0].slice(0, 12)}…`);
    }
    for (const [key] of text.matchAll(/\bsvc_(?:live|feed)_[0-9A-Za-z]{46}\b/g))
      if (checkKey(key) !== null) found.push(`${relative(root, path)}: ${key.slice(0, 12)}…`);
  }
  assert.deepEqual(found, []);
  assert.ok(files > 500, `${files}`);
});
