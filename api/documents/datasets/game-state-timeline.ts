// The chapters about game-state-timeline (docs/settlement.md#game-state-timeline).
import type { Chapter } from './chapter.ts';

export const gameStateTimelineChapters: readonly Chapter[] = [
  {
    id: 'rows',
    title: 'What a row is',
    blocks: [
      'One row for each state of the game that differs from the one before: in status, period, clock, score, possession or situation. They are the revisions of the `game-state` dataset, from the first one of its present epoch.',
      '`timestamp` is when the source told the state, not when it happened on the field. `stream_epoch` and `revision` name the revision that the row comes from.',
      '`status` is one of SCHEDULED, DELAYED, STARTED, SUSPENDED, COMPLETED, POSTPONED and CANCELLED. A report that says none of them keeps the status before it.',
      'Corrections after the end of the game are rows of their own: the last row is the newest state that the version knows.',
    ],
  },
];
