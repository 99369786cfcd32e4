import type { Dataset } from '../../schemas/datasets/column.ts';
import { parquetMediaType } from '../../schemas/datasets/registry.ts';
import { type DatasetEntry, datasetsPage } from '../../schemas/http/datasets.ts';
import { leagues } from '../../schemas/reference/leagues.ts';
import { route } from '../pipeline/route.ts';

export const listDatasets = route({
  path: '/v1/datasets',
  id: 'listDatasets',
  tag: 'Datasets',
  summary: 'The datasets that are served.',
  key: 'none',
  game: 'none',
  query: {},
  answers: { 200: datasetsPage },
  charge: 'free',
  cache: 'public',
  handle(_request, { datasets }: { datasets: readonly Dataset[] }) {
    const data = datasets.map(
      ({ name, kind, description, schemaVersion, live, metered }): DatasetEntry => ({
        name,
        kind,
        description,
        leagues: [...leagues],
        schema_version: schemaVersion,
        schema_url: `/v1/datasets/${name}/schema`,
        media_type: parquetMediaType,
        live,
        metered,
      }),
    );
    return { document: { data, next_cursor: null } };
  },
});
