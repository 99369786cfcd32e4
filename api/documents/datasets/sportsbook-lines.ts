// The chapters about sportsbook-lines (docs/settlement.md#sportsbook-lines; docs/quotes.md#columns).
import type { Chapter } from './chapter.ts';

export const sportsbookLinesChapters: readonly Chapter[] = [
  {
    id: 'rows',
    title: 'What a row is',
    blocks: [
      'One row for each change of a quote: a price, a line, or whether it can be bet on. A selection that does not change has no further rows, so the state at any time is the last row before it, for each `operator` and `selection_id`.',
      'The final file has every row of the live log, in the order of the log, and the columns of the live segments. Who has read the segments has its rows already: `row_number` is the same in both.',
      '`row_number` runs from 1 without a gap, so that a reader can prove that no row is missing. There are gaps only where rows were removed after an audit; the list of versions says so.',
    ],
  },
  {
    id: 'changes',
    title: 'What a row changes',
    blocks: [
      {
        headings: ['`change`', 'Meaning', '`is_open`'],
        rows: [
          ['`opened`', 'The operator quotes the selection for the first time.', 'true'],
          ['`price`', 'Another price.', 'true'],
          ['`line`', 'Another line at the same price.', 'true'],
          ['`price_and_line`', 'Another line and another price.', 'true'],
          ['`suspended`', 'It cannot be bet on for the moment.', 'false'],
          ['`resumed`', 'It can be bet on again, perhaps at another price or line.', 'true'],
          ['`withdrawn`', 'The operator does not offer it any more: it said so, or left it out twice.', 'false'],
        ],
      },
      'A row that is not open has the price and line that the operator still shows, else the last known ones.',
    ],
  },
];
