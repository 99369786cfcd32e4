// Programs on pages: what is set apart is a comment of their language, and nothing else.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { codeSample } from '../../../http/pages/html.ts';

it('sets the comments of a program apart, by its language', () => {
  const shell = "pause=$(jq '.poll_after // empty' answer.json) # seconds";
  assert.equal(
    codeSample(shell).text,
    'pause=$(jq &#39;.poll_after // empty&#39; answer.json) <i># seconds</i>'.replaceAll("'", '&#39;'),
  );
  assert.equal(codeSample('go(); // then # wait', '//').text, 'go(); <i>// then # wait</i>');
  assert.equal(codeSample('# one\n  # two\na#b').text, '<i># one</i>\n  <i># two</i>\na#b');
});
