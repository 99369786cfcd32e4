import type { LivePage } from '../live-page/live-page.ts';
import { route } from '../pipeline/route.ts';

export const getLivePage = route({
  path: '/',
  id: 'getLivePage',
  tag: 'Service',
  summary: 'The live page: games, the odds of all sportsbooks side by side, score and plays, as they move.',
  details:
    'For people. It asks for a key once and keeps it while the tab is open. It reads the routes below: it is charged what they are charged, and shows how much that was.',
  key: 'none',
  game: 'none',
  query: {},
  answers: { 200: 'text/html' },
  charge: 'free',
  cache: 'public',
  handle: ({ browserHere }, { livePage }: { livePage: LivePage }) => livePage.page(browserHere),
});
