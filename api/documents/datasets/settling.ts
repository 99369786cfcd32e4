// When final files appear, and when they get a new version: the chapters that all four datasets share
// (docs/settlement.md#when-a-game-closes, "Versions and corrections").
import { readExample } from '../examples.ts';
import type { Chapter, Table } from './chapter.ts';

export const settling: Chapter = {
  id: 'settling',
  title: 'When the file appears',
  blocks: [
    'A game settles ten minutes after its source says that it is completed or cancelled. From then on its live segments and boards are gone and its final files are served. A postponed or suspended game does not settle: it stays live.',
    'All files that can be made appear at the same moment. `market-results` may come later, as soon as there is a final score, and `game-state-timeline` as soon as there is a state of the game. A file never comes without rows.',
  ],
};

/** The reasons of core/settlement/version-reasons.ts. */
export const versionReasons: Table = {
  headings: ['`reason`', 'What made the version'],
  rows: [
    ['`settled`', 'It landed with the first files of the game.'],
    [
      '`game-state/<epoch>/<revision>`, `player-stats/<epoch>/<revision>`, `manual/<audit id>`',
      'New evidence: this revision, or a score entered by hand. Several are listed one after the other.',
    ],
    ['`manual taken back` and the like', 'Evidence that was withdrawn.'],
    ['`line-up`', 'A newer line-up.'],
    ['`rows removed`', 'Rows of the log were removed after an audit.'],
    ['`settled again`', 'All files of the game were rebuilt, because a rule or a column changed.'],
  ],
};

export const versions: Chapter = {
  id: 'versions',
  title: 'Versions and corrections',
  blocks: [
    'A published file never changes. A correction is a new version of the whole file, numbered 1, 2, 3 … for each game and dataset, and every version stays readable.',
    'Expect a second version of `market-results`: most games settle on provisional statistics, which their source corrects within hours.',
    {
      headings: ['Dataset', 'What brings a new version', 'For how long after settlement'],
      rows: [
        ['`market-results`', 'a corrected score, corrected player statistics', '30 days'],
        ['`market-results`', 'a score that was entered by hand, or taken back', 'any time'],
        ['`game-state-timeline`', 'a further state of the game, such as a corrected score', '30 days'],
        ['`closing-lines`', 'a newer line-up: `home_player_ids` and `away_player_ids` alone', '30 days'],
        [
          '`sportsbook-lines`',
          'only the removal of rows after an audit, which rebuilds `closing-lines` and `market-results` too',
          'any time',
        ],
      ],
    },
    'A new version is made only if its rows differ from those of the newest one. In `market-results` a row whose `result` and `result_value` stay the same keeps its `settled_at`, `settlement_source` and `correction`. A row that changes takes the new ones, and its `correction` is one higher; a first grade of a row that was `ungraded` is no correction.',
    {
      headings: ['To do', 'Ask', 'Costs'],
      rows: [
        [
          'See which versions there are',
          '`GET /v1/games/{game_id}/{dataset}/versions`: newest first, each with `version`, `etag`, `row_count`, `bytes`, `landed_at`, `reason` and `url`',
          'nothing',
        ],
        [
          'Read the newest version',
          '`GET /v1/games/{game_id}/{dataset}`: the header field `X-Service-Artifact-Version` says which it is',
          'its rows',
        ],
        [
          'Read an older version',
          'the `url` of the list: `GET /v1/games/{game_id}/{dataset}?version=1`',
          'its own rows',
        ],
        [
          'Learn of a new version',
          'the file with `If-None-Match` and the ETag that you have: 304 while it is the newest',
          'nothing on 304',
        ],
      ],
    },
    versionReasons,
  ],
};

export const comparing: Chapter = {
  id: 'comparing',
  title: 'Compare two versions',
  blocks: [
    'Fetch two versions, join them on the primary key, and look for rows that differ or are in only one of them. `line` can be null, so use a null-safe comparison, `is not distinct from`. For `market-results`:',
    { codeSample: readExample('compare', 'curl') },
    { codeSample: readExample('compare', 'duckdb') },
    'The primary keys of the other datasets are at the top of their pages.',
  ],
};
