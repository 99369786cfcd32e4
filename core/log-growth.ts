// Plans how partitions are added to the log while it is in use (docs/operations.md#adding-partitions): which topics need some, who must own
// them first, and the layout that new games are founded in from then on.
import { type GrowingTopic, growingTopics } from '../schemas/events/topics.ts';
import type { StreamKey } from './ports/catalog/checkpoints.ts';
import type { LogLayout } from './ports/catalog/log-layouts.ts';

export type Counts = LogLayout['partitions'];

export type Growth =
  | { kind: 'grow'; layout: LogLayout; adds: readonly { topic: GrowingTopic; from: number; to: number }[] }
  /** New games are founded among this many partitions already. */
  | { kind: 'done' }
  /** A partition holds games, so none is ever taken away. */
  | { kind: 'refused'; topic: GrowingTopic; partitions: number };

/** `held`: how many partitions each topic has now, perhaps more than any layout uses. */
export function planGrowth(held: Counts, newest: LogLayout, wanted: number): Growth {
  const larger = growingTopics.find((topic) => newest.partitions[topic] > wanted);
  if (larger !== undefined) return { kind: 'refused', topic: larger, partitions: newest.partitions[larger] };
  if (growingTopics.every((topic) => newest.partitions[topic] === wanted)) return { kind: 'done' };
  const partitions = Object.fromEntries(growingTopics.map((topic) => [topic, wanted])) as Counts;
  const adds = growingTopics
    .filter((topic) => held[topic] < wanted)
    .map((topic) => ({ topic, from: held[topic], to: wanted }));
  return { kind: 'grow', layout: { layout: newest.layout + 1, partitions }, adds };
}

/** Who folds each growing topic. */
const folds: Readonly<Record<GrowingTopic, string>> = {
  'sds.quotes.v1': 'live',
  'sds.observations.v1': 'revisions',
};

/** The partitions of the layout that no projector has ever claimed. No game may be founded in one of them yet. */
export function unclaimed(layout: LogLayout, claimed: readonly StreamKey[]): StreamKey[] {
  const known = new Set(claimed.map(nameOf));
  return growingTopics
    .flatMap((topic) =>
      Array.from({ length: layout.partitions[topic] }, (_, partition) => ({
        projector: folds[topic],
        topic,
        partition,
      })),
    )
    .filter((stream) => !known.has(nameOf(stream)));
}

function nameOf({ projector, topic, partition }: StreamKey): string {
  return `${projector} ${topic} ${partition}`;
}
