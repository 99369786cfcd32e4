// Games whose logs grow in a real catalog as if projectors committed them, with files of one text line a row, for tests
// of readers.
import { createHash } from 'node:crypto';
import type { CheckpointsCatalog } from '../../../core/ports/catalog/checkpoints.ts';
import type { GamesCatalog } from '../../../core/ports/catalog/games.ts';
import type { ClosedSegment, LiveCatalog, PublishedTail } from '../../../core/ports/catalog/live.ts';
import type { FileRef, ObjectKey, ObjectStore } from '../../../core/ports/object-store.ts';
import { someTime } from '../fakes/api-fakes.ts';

export type GrowingGame = { gameId: string; uuid: string; rows: number };

const stream = { projector: 'live', topic: 'sds.quotes.v1', partition: 0 };
const times = { min_timestamp: someTime, max_timestamp: someTime };

type GrowingCatalogs = { live: LiveCatalog; checkpoints: CheckpointsCatalog };

export class GrowingLogs {
  readonly games: GrowingGame[] = [];
  /** Rows of a closed segment. */
  readonly segmentRows: number;
  readonly #live: LiveCatalog;
  readonly #checkpoints: CheckpointsCatalog;
  readonly #objects: ObjectStore;
  readonly #tails = new Map<string, { seq: number; rows: number; file: FileRef }>();
  #ownerEpoch = 0;
  #offset = 0;

  constructor({ live, checkpoints }: GrowingCatalogs, objects: ObjectStore, segmentRows = 50) {
    this.#live = live;
    this.#checkpoints = checkpoints;
    this.#objects = objects;
    this.segmentRows = segmentRows;
  }

  /** Founds games of these teams. */
  async found(catalog: GamesCatalog, pairs: readonly (readonly [home: string, away: string])[]): Promise<void> {
    await catalog.seedTeams();
    this.#ownerEpoch = (await this.#checkpoints.claim(stream, 'tests')).ownerEpoch;
    for (const [homeTeam, awayTeam] of pairs) {
      const [resolution] = await catalog.resolve('recorded', [
        { by: 'event', league: 'MLB', eventId: `${homeTeam} ${awayTeam}`, homeTeam, awayTeam, commenceTime: someTime },
      ]);
      if (resolution?.kind !== 'resolved') throw new Error(`${homeTeam} and ${awayTeam} found no game`);
      this.games.push({ gameId: resolution.game.gameId, uuid: resolution.game.uuid, rows: 0 });
    }
  }

  /** The newest seq of a game: its open tail. */
  tailSeq({ rows }: GrowingGame): number {
    return Math.max(1, Math.ceil(rows / this.segmentRows));
  }

  /** Commits a version with `count` more rows. */
  async grow(game: GrowingGame, count: number): Promise<void> {
    const before = this.tailSeq(game);
    const rows = game.rows + count;
    const last = Math.max(1, Math.ceil(rows / this.segmentRows));
    const closed: ClosedSegment[] = [];
    for (let seq = before; seq < last; seq += 1) {
      const { key, size, sha256 } = await this.#put(game, seq, this.segmentRows, 'closed');
      closed.push({ seq, rows: this.segmentRows, ...times, key, size, sha256 });
    }
    const tailRows = rows - (last - 1) * this.segmentRows;
    const tail: PublishedTail = {
      seq: last,
      rows: tailRows,
      ...times,
      file: await this.#put(game, last, tailRows, 'tail'),
    };
    const answer = await this.#live.commit({
      stream,
      ownerEpoch: this.#ownerEpoch,
      from: this.#offset,
      to: this.#offset + 1,
      foldDigest: '00',
      snapshot: null,
      logVersion: null,
      games: [
        {
          gameUuid: game.uuid,
          generation: 1,
          logVersion: 'v',
          firstSeq: 1,
          rows,
          appliedThrough: someTime + rows,
          logTime: someTime + rows,
          tail,
          closed,
          boards: [],
          operators: { ACME: { last_row_at: someTime, observed_through: someTime, source: 'recorded' } },
          openOffer: true,
          receiveTimed: true,
          scheduledStart: null,
          superseded: this.#tails.get(game.uuid) ?? null,
          restarted: false,
        },
      ],
      objects: [...closed, tail.file].map(({ key, size }) => ({ key, size, files: 1 })),
      released: [],
      settlements: [],
      deadLetters: [],
      receipts: [],
    });
    if (answer !== 'committed') throw new Error(answer);
    this.#offset += 1;
    this.#tails.set(game.uuid, { seq: tail.seq, rows: tail.rows, file: tail.file });
    game.rows = rows;
  }

  async #put({ uuid }: GrowingGame, seq: number, rows: number, name: string): Promise<FileRef> {
    const bytes = Buffer.from(Array.from({ length: rows }, (_, row) => `${uuid} ${seq} ${row + 1}\n`).join(''));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const key = `lines/${uuid}/${seq}/${name}-${rows}.parquet` as ObjectKey;
    await this.#objects.put(key, bytes);
    return { key, offset: 0, size: bytes.length, sha256 };
  }
}
