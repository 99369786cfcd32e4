// Text that others chose, as a terminal may be shown it.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { inOneLine, printable } from '../../core/printable.ts';

it('shows what a terminal would obey, and what ends a line, by its number', () => {
  assert.equal(
    inOneLine('a\u001b[2K\u009bb\n\u2028\u202e\u{e0001}é⚾'),
    'a\\u001b[2K\\u009bb\\u000a\\u2028\\u202e\\u{e0001}é⚾',
  );
});

it('leaves the newlines of text of several lines', () => {
  assert.equal(printable('a\r\nb\u0000'), 'a\\u000d\nb\\u0000');
});
