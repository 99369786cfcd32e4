// The chapters about closing lines (docs/settlement.md#closing-lines).
import type { Chapter } from './chapter.ts';

export const closingLinesChapters: readonly Chapter[] = [
  {
    id: 'rows',
    title: 'What a row is',
    blocks: [
      'The last price that could be bet before play began, for each operator and selection. Beside it is the first one: `opening_line` and the opening prices, whatever the line was then. A selection that was never open before play began has no row.',
    ],
  },
  {
    id: 'start',
    title: 'When play began',
    blocks: [
      {
        headings: ['The first that is known', '`actual_start`', '`close_basis`'],
        rows: [
          ['The game was reported as started', 'that time', '`last_before_start`, `suspended_before_start`'],
          [
            'A source marked a quote of the game as in play',
            'the time of the first such quote',
            '`last_before_start`, `suspended_before_start`',
          ],
          ['Neither: the scheduled start stands for it', 'null', '`reconstructed`'],
        ],
      },
      '`scheduled_start` is the start as it was scheduled when play began. It is not changed by a later report.',
    ],
  },
  {
    id: 'closing',
    title: 'Which quote closes',
    blocks: [
      'Only quotes count whose `timestamp` is before the start of play and whose `in_play` is false.',
      {
        headings: ['The last quote that counts', 'Closing row', '`close_basis`'],
        rows: [
          ['open', 'that quote', '`last_before_start`'],
          ['suspended', 'the last open quote before it', '`suspended_before_start`'],
          [
            'withdrawn less than 15 minutes before the start',
            'the last open quote before it',
            '`suspended_before_start`',
          ],
          ['withdrawn earlier', 'none', '–'],
        ],
      },
      'Where only the scheduled start is known, `close_basis` is `reconstructed` in all rows: a game that began early may have quotes of its first minutes among them.',
      '`closed_at` is the time of the closing quote itself: it may be long before the start, when nothing changed after it.',
    ],
  },
  {
    id: 'line-ups',
    title: 'Line-ups',
    blocks: [
      '`home_player_ids` and `away_player_ids` are the starters of the newest line-up: the actual one where it names any, else the expected one. They stand in the order of their places in the line-up. They are empty where no line-up is known.',
    ],
  },
];
