// The datasets that the service lists as served: those that one of its routes declares, so that the list never promises more than is
// answered.
import type { Dataset } from '../../schemas/datasets/column.ts';
import { datasets } from '../../schemas/datasets/registry.ts';
import type { RouteFacts } from '../pipeline/route-facts.ts';

/** The datasets that `routes` serve, by name; MSF's only while MSF serving is on (docs/interface.md#what-the-service-does). */
export function servedDatasets(routes: readonly Pick<RouteFacts, 'datasets'>[]): readonly Dataset[] {
  const routed = new Set(routes.flatMap((route) => route.datasets ?? []));
  return datasets.filter(({ name }) => routed.has(name));
}
