// The clients for programs, as the documents show them: how each is installed and its quick start. The image of the service has no folder
// clients/, so the programs are copies in examples/; a test compares them with the READMEs there, which other tests run.
import { readFileSync } from 'node:fs';
import type { CommentMark } from '../../http/pages/html.ts';

export type ClientProgram = {
  id: string;
  /** What it is for. */
  title: string;
  folder: string;
  install: string;
  run: string;
  program: string;
  comment: CommentMark;
};

export const clientPrograms: readonly ClientProgram[] = [
  {
    id: 'python',
    title: 'Client for Python',
    folder: 'clients/python',
    install: "pip install './clients/python[pandas]'        # in a checkout of the service; [polars], or neither",
    run: 'python quick_start.py',
    program: programNamed('quick-start.py'),
    comment: '#',
  },
  {
    id: 'typescript',
    title: 'Client for Node and browsers',
    folder: 'clients/typescript',
    install: `npm pack ./clients/typescript        # in a checkout of the service
npm install /path/to/the/checkout/sds-client-0.1.0.tgz        # in the folder of your program`,
    run: 'node quick-start.mjs',
    program: programNamed('quick-start.mjs'),
    comment: '//',
  },
];

function programNamed(name: string): string {
  return readFileSync(new URL(`examples/${name}.txt`, import.meta.url), 'utf8').trimEnd();
}

/** The functions of both clients, as Python writes them. */
export const clientFunctions: readonly (readonly [call: string, gives: string])[] = [
  [
    'follow(game)',
    "Every row of a game's log once, in order, until the game is final. `store` keeps the position in a folder; it never passes a row that was not taken.",
  ],
  ['board(game)', 'The current quotes of all sportsbooks as one table.'],
  ['odds(game)', 'The odds of all sportsbooks side by side, as JSON; it takes the parameters of the route.'],
  [
    'history(league, from, to, dataset)',
    'The final files of all games of a league between two Eastern dates as one table. A file in the local cache is neither moved nor charged again.',
  ],
  ['final(game, dataset)', 'One final file.'],
  [
    'revisions(game, dataset)',
    'Revisions with the whole state after each, proven by its digest. `archives` reads archived ones.',
  ],
  ['games(…), me()', 'The list of games, with its filters; the tier, limits and quota of the key.'],
];

/** The tools of `sds mcp`. */
export const modelTools = ['list_games', 'odds', 'line_moves', 'results', 'explain_problem'] as const;
