import { refuse } from '../../http/refusal.ts';
import { board, boardName } from '../../schemas/datasets/board.ts';
import type { Dataset } from '../../schemas/datasets/column.ts';
import { columnTypes, rowSchema } from '../../schemas/datasets/row-schema.ts';
import { type DatasetSchema, datasetSchema } from '../../schemas/http/datasets.ts';
import { route } from '../pipeline/route.ts';

export const getSchema = route({
  path: '/v1/datasets/:name/schema',
  id: 'getDatasetSchema',
  tag: 'Datasets',
  summary: 'The columns of a dataset, and the JSON Schema of one of its rows.',
  details: '`board` is the schema of board files, which are no dataset of their own.',
  key: 'none',
  game: 'none',
  query: {},
  answers: { 200: datasetSchema, 404: ['not-found'] },
  charge: 'free',
  cache: 'public',
  handle({ params }, { datasets }: { datasets: readonly Dataset[] }) {
    const found = params.name === boardName ? board : datasets.find(({ name }) => name === params.name);
    if (found === undefined) {
      const names = [...datasets.map(({ name }) => name), boardName].join(', ');
      return refuse('not-found', { title: 'Unknown dataset', detail: `The datasets are ${names}.` });
    }
    const schema: DatasetSchema = {
      dataset: found === board ? boardName : found.name,
      schema_version: found.schemaVersion,
      columns: found.columns.map(({ name, type, nullable, description, unit }) => {
        const { type: stored, logicalType } = columnTypes(type);
        return { name, type: stored, logical_type: logicalType, nullable, description, unit };
      }),
      primary_key: [...found.primaryKey],
      sort_order: [...found.sortOrder],
      row: rowSchema(found),
    };
    return { document: schema };
  },
});
