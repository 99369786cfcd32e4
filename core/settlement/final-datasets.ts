// The final datasets: those of which a settled game gets a file each. A new one is listed in schemas/datasets/registry.ts with the kind
// `per_game`; the compiler then asks for its inputs here, and projectors/settlement/build-finals.ts builds it.
import type { datasets } from '../../schemas/datasets/registry.ts';

export type FinalDataset = Extract<(typeof datasets)[number], { readonly kind: 'per_game' }>['name'];

/** The inputs of each final dataset besides the rows of the log: a version is due when one of them has changed. */
export const finalDatasetInputs: Readonly<Record<FinalDataset, readonly string[]>> = {
  'closing-lines': ['again', 'line-up', 'removed'],
  'game-state-timeline': ['again', 'game-state'],
  'market-results': ['again', 'game-state', 'manual', 'player-stats', 'removed'],
  'sportsbook-lines': ['again', 'removed'],
};
