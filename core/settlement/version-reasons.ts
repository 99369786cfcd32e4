// Why a version of a final file was made, in the words of `…/versions`. Compares the inputs of the newest landing with the current ones;
// both are texts of parts, such as `game-state/<epoch>/<revision>` or `manual/<audit id>` (schemas/catalog, settlements).
import { type FinalDataset, finalDatasetInputs } from './final-datasets.ts';

/** The administrator's orders and the evidence, each as a text that changes whenever they do. */
export type BuiltFrom = { orders: string; evidence: string };

const inWords: Readonly<Record<string, string>> = {
  again: 'settled again',
  'line-up': 'line-up',
  removed: 'rows removed',
};

/** Whether any input of the dataset has changed since the newest landing; `built` null: there was none. */
export function mayDiffer(dataset: FinalDataset, built: BuiltFrom | null, standing: BuiltFrom): boolean {
  return (
    built === null || changedParts(built, standing).some((part) => finalDatasetInputs[dataset].includes(kindOf(part)))
  );
}

/**
 * The reason of a version of the dataset; `built` null: it lands with the first files of the game. Without a changed input only a first
 * version lands, on evidence that came while it was built.
 */
export function reasonOf(dataset: FinalDataset, built: BuiltFrom | null, standing: BuiltFrom): string {
  if (built === null) return 'settled';
  const parts = changedParts(built, standing).filter((part) => finalDatasetInputs[dataset].includes(kindOf(part)));
  if (parts.length === 0) return 'settled';
  const held = new Set(partsOf(standing));
  return parts
    .map((part) => inWords[kindOf(part)] ?? (held.has(part) ? part : `${kindOf(part)} taken back`))
    .join(', ');
}

/** The new parts, and the parts that are gone without another of their kind. */
function changedParts(built: BuiltFrom, standing: BuiltFrom): string[] {
  const before = partsOf(built);
  const now = partsOf(standing);
  const kinds = new Set(now.map(kindOf));
  return [...now.filter((part) => !before.includes(part)), ...before.filter((part) => !kinds.has(kindOf(part)))].sort();
}

function partsOf({ orders, evidence }: BuiltFrom): string[] {
  return `${orders} ${evidence}`.split(' ').filter((part) => part !== '');
}

function kindOf(part: string): string {
  return part.slice(0, part.indexOf('/'));
}
