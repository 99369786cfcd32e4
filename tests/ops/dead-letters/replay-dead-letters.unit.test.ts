// What `sds dlq replay` does with a letter of a sportsbook that a fold refused: of a game's image, the rest of which is in the log's rows, it stays
// open; of a record of its own, which was refused whole, it is replayed, unless its game waits for its close
// (docs/operations.md#replaying-dead-letters).
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { OutgoingRecord } from '../../../core/ports/broker.ts';
import type { DeadLetterToReplay } from '../../../core/ports/catalog/dead-letters.ts';
import { type DeadLetterTools, replayDeadLetters } from '../../../ops/dead-letters/replay-dead-letters.ts';
import type { QuotesRecord } from '../../../schemas/events/quotes.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { gameImage, image, quote, uuid } from '../../support/builders/live-records.ts';

const home = [quote('home', -110)];

/** Replays the letters of one record that a fold refused, or refused in part. */
async function replayed(
  record: QuotesRecord,
  code: string,
  pointers: readonly string[],
  holds = () => true,
  waiting: string | null = null,
) {
  const letters = pointers.map(
    (pointer, at): DeadLetterToReplay => ({
      id: at + 1,
      topic: topics.quotes,
      partition: 3,
      offset: 7,
      code,
      pointer,
      source: 'feed',
      gameUuid: uuid,
      receipt: null,
      pushIndex: null,
      receivedAt: 1,
      sent: null,
    }),
  );
  const produced: OutgoingRecord[] = [];
  const unused = {} as never;
  const tools: DeadLetterTools = {
    letters: {
      newest: async () => letters.length,
      openOf: async (_of, { after }) => (after === 0 ? letters : []),
      firstOfRecord: async () => 1,
      markReplayed: async (ids) => ids.length,
      markReplayedInPart: async () => false,
    },
    holds: async () => holds(),
    payloadOf: async () => Buffer.from(JSON.stringify(record)),
    broker: {
      ...({} as DeadLetterTools['broker']),
      produce: async (_topic: string, records: readonly OutgoingRecord[]) => {
        produced.push(...records);
        return new Map();
      },
    },
    keys: new Map(),
    crash: () => {},
    interrupted: new AbortController().signal,
    now: () => 1,
    games: unused,
    reference: unused,
    pushes: unused,
    closesByTicks: async (gameUuid) => gameUuid === waiting,
    rankOf: unused,
    scheduler: unused,
    log: unused,
  };
  const result = await replayDeadLetters(tools, { ids: null, code: null, source: null }, () => {});
  return { replayed: result.replayed, left: [...result.left], produced: produced.length };
}

describe('a letter of a sportsbook', () => {
  it('stays open where the game’s image was applied without it: the record would be a duplicate', async () => {
    const record = gameImage({ HELD: home, NEW: home, newer: home });
    for (const code of ['too-many-operators', 'bad-operator'])
      assert.deepEqual(
        await replayed(record, code, ['/observation/operators/1', '/observation/operators/2']),
        { replayed: 0, left: [['applied-in-part', 2]], produced: 0 },
        code,
      );
  });

  it('is replayed where the record was of this sportsbook alone, and refused whole', async () => {
    const {
      replayed: done,
      left,
      produced,
    } = await replayed(image('NEW', home), 'too-many-operators', ['/observation/operators/0']);
    assert.deepEqual([done, left, produced > 0], [1, [], true]);
  });

  it('is replayed where the whole image was refused', async () => {
    const { replayed: done } = await replayed(gameImage({ NEW: home }), 'too-large', ['/observation']);
    assert.equal(done, 1);
  });

  it('stays open while its game waits for the close that ticks bring: a source-timed record would end these', async () => {
    const into = (waiting: string) =>
      replayed(image('NEW', home), 'too-many-operators', ['/observation/operators/0'], () => true, waiting);
    assert.deepEqual(await into(uuid), { replayed: 0, left: [['game-waits-for-close', 1]], produced: 0 });
    assert.equal((await into('another game')).replayed, 1);
  });

  it('is marked where its record is in the log, and the next is left to the command that has taken the lease', async () => {
    const answers = [true, true, false];
    const pointers = ['/observation', '/observation'];
    const { replayed: done, left } = await replayed(gameImage({ NEW: home }), 'too-large', pointers, () => {
      return answers.shift() ?? false;
    });
    assert.deepEqual([done, left], [1, []]);
  });
});
