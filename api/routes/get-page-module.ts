import { refuse } from '../../http/refusal.ts';
import type { LivePage } from '../live-page/live-page.ts';
import { route } from '../pipeline/route.ts';

export const getPageModule = route({
  path: '/page/:module',
  id: 'getPageModule',
  tag: 'Service',
  summary: 'One of the modules that the live page is made of.',
  key: 'none',
  game: 'none',
  query: {},
  answers: { 200: 'text/javascript', 404: ['not-found'] },
  charge: 'free',
  cache: 'public',
  handle: ({ params: { module } }, { livePage }: { livePage: LivePage }) =>
    livePage.module(module) ??
    refuse('not-found', { title: 'Unknown module', detail: 'The live page has no module of this name.' }),
});
