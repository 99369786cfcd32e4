import { perGameNames } from '../../schemas/datasets/registry.ts';
import type { Documents } from '../documents/documents.ts';
import { route } from '../pipeline/route.ts';

export const getDatasetPage = route({
  path: '/docs/datasets/:dataset',
  id: 'getDatasetPage',
  tag: 'Service',
  summary:
    'What the rows and columns of a dataset of settled games mean, for people: every rule of grading, versions, corrections.',
  key: 'none',
  game: 'none',
  query: {},
  answers: { 200: 'text/html', 404: ['not-found'] },
  charge: 'free',
  cache: 'public',
  datasets: perGameNames,
  handle: ({ params: { dataset } }, { documents }: { documents: Documents }) => documents.dataset(dataset),
});
