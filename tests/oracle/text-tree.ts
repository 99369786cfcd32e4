// JSON text that still knows its lists, so that a failing body can be made smaller piece by piece without being read.

export type TextTree = string | { open: string; items: TextTree[]; close: string };

export function render(tree: TextTree): string {
  return typeof tree === 'string' ? tree : `${tree.open}${tree.items.map(render).join(',')}${tree.close}`;
}

/** Every tree that lacks one item of one list. */
export function* withoutOne(tree: TextTree): Generator<TextTree> {
  if (typeof tree === 'string') return;
  for (const index of tree.items.keys()) yield { ...tree, items: tree.items.toSpliced(index, 1) };
  for (const [index, item] of tree.items.entries()) {
    for (const smaller of withoutOne(item)) yield { ...tree, items: tree.items.with(index, smaller) };
  }
}
