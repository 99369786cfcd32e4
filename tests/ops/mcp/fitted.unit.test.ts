// What of a long answer a model is given.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { fitted } from '../../../ops/mcp/fitted.ts';
import { answerOf, tools } from '../../../ops/mcp/tools.ts';

const items = Array.from({ length: 10 }, (_, n) => ({ n, text: 'x'.repeat(20) }));

it('leaves an answer that fits as it is', () => {
  const document = { game: 'A', items };
  assert.equal(fitted(document, 'items'), document);
  assert.equal(fitted({ game: 'A' } as object as typeof document, 'items').game, 'A');
});

it('keeps the first items that fit, and counts the others', () => {
  const most = 200;
  const cut = fitted({ game: 'A', items }, 'items', most) as { items: unknown[]; items_omitted: number };
  assert.ok(cut.items.length > 0 && cut.items.length < 10);
  assert.deepEqual(cut.items, items.slice(0, cut.items.length));
  assert.equal(cut.items.length + cut.items_omitted, 10);
  assert.ok(JSON.stringify({ game: 'A', items: cut.items }).length <= most);
});

it('shows none where the first is too long', () => {
  assert.deepEqual(fitted({ items: ['x'.repeat(100)] }, 'items', 50), { items: [], items_omitted: 1 });
});

for (const { name, list } of tools.filter((tool) => tool.list !== null))
  it(`cuts a list of ${name} at 60,000 characters`, () => {
    const tool = tools.find((each) => each.name === name) ?? assert.fail(name);
    const document = { [list ?? '']: Array.from({ length: 7_000 }, () => 'x'.repeat(7)) };
    const { text } = answerOf(tool, { kind: 'document', document, charged: 0 });
    assert.ok(text.length <= 60_100 && text.length > 59_900, `${text.length}`);
    assert.ok(text.includes(`"${list}_omitted":`));
  });
