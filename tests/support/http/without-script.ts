// A reference page without its script. The page has exactly one script, its policy allows that one by hash and no
// other, and text becomes neither markup nor code.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

export function withoutScript(text: string, policy: string): string {
  const [script, ...more] = [...text.matchAll(/<script type="module">(.*?)<\/script>\n/gs)];
  assert.deepEqual([script === undefined, more.length], [false, 0]);
  const hash = createHash('sha256')
    .update(script?.[1] ?? '')
    .digest('base64');
  const allowed = policy.split('; ').filter((directive) => /^(?:script|default|require|trusted)/.test(directive));
  assert.deepEqual(allowed, [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
  return text.replace(script?.[0] ?? '', '');
}
