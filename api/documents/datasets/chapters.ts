// The chapters of each dataset's page, in their order.
import type { FinalDataset } from '../../../core/settlement/final-datasets.ts';
import { closingLines } from '../../../schemas/datasets/closing-lines.ts';
import { gameStateTimeline } from '../../../schemas/datasets/game-state-timeline.ts';
import { marketResults } from '../../../schemas/datasets/market-results.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import type { Chapter } from './chapter.ts';
import { closingLinesChapters } from './closing-lines.ts';
import { gameStateTimelineChapters } from './game-state-timeline.ts';
import { marketResultsChapters } from './market-results.ts';
import { comparing, settling, versions } from './settling.ts';
import { sportsbookLinesChapters } from './sportsbook-lines.ts';

const own: Readonly<Record<FinalDataset, readonly Chapter[]>> = {
  [closingLines.name]: closingLinesChapters,
  [gameStateTimeline.name]: gameStateTimelineChapters,
  [marketResults.name]: marketResultsChapters,
  [sportsbookLines.name]: sportsbookLinesChapters,
};

const byName = new Map<string, readonly Chapter[]>(Object.entries(own));

/** @throws when a dataset of settled games has no chapters. */
export function chaptersOf(dataset: string): readonly Chapter[] {
  const chapters = byName.get(dataset);
  if (chapters === undefined) throw new Error(`there are no chapters about ${dataset}`);
  return [...chapters, settling, versions, comparing];
}
