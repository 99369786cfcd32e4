// JSON text that still knows its lists: a failing body can be shrunk item by item without parsing it.

export type TextTree = string | { open: string; items: TextTree[]; close: string };

export function render(tree: TextTree): string {
  return typeof tree === 'string' ? tree : `${tree.open}${tree.items.map(render).join(',')}${tree.close}`;
}

/** The trees that lack one item of one list. */
export function* withoutOne(tree: TextTree): Generator<TextTree> {
  if (typeof tree === 'string') return;
  for (const index of tree.items.keys()) yield { ...tree, items: tree.items.toSpliced(index, 1) };
  for (const [index, item] of tree.items.entries()) {
    for (const smaller of withoutOne(item)) yield { ...tree, items: tree.items.with(index, smaller) };
  }
}
