// What the catalog holds of a partition's streams, as the revision projector remembers it between flushes: where each stands, and the
// revisions that its next archive will hold.
import type { PublishedStream, StreamName, StreamPublication } from '../../core/ports/catalog/msf.ts';

export type Published = Pick<PublishedStream, 'epoch' | 'head' | 'unarchived'>;

export class PublishedStreams {
  readonly #streams = new Map<string, Published>();

  constructor(streams: readonly PublishedStream[] = []) {
    for (const { epoch, head, unarchived, ...name } of streams)
      this.#streams.set(keyOf(name), { epoch, head, unarchived });
  }

  of(name: StreamName): Published | null {
    return this.#streams.get(keyOf(name)) ?? null;
  }

  /** Notes what was published: the next flush builds on it. */
  follow(publication: StreamPublication): void {
    const { epoch, head, revisions, archives } = publication;
    const archived = Math.max(0, ...archives.filter((each) => each.epoch === epoch).map(({ last }) => last));
    const known = [...(this.of(publication)?.unarchived ?? []), ...revisions];
    const unarchived = known.filter((each) => each.epoch === epoch && each.revision > archived);
    this.#streams.set(keyOf(publication), { epoch, head, unarchived });
  }
}

function keyOf({ scopeUuid, dataset }: StreamName): string {
  return `${dataset} ${scopeUuid}`;
}
