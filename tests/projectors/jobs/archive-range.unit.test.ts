// Which records the raw archive copies, and into which files, from a log given in the test.
import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Halted } from '../../../core/ports/broker.ts';
import { openRawArchive } from '../../../platform/raw-archive/raw-archive.ts';
import { archiveRange } from '../../../projectors/jobs/archive-range.ts';
import { topics } from '../../../schemas/events/topics.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { WrittenLog } from '../../support/fakes/written-log.ts';

const at = (text: string): number => Date.parse(text) * 1_000;

function world() {
  const log = new WrittenLog();
  const objects = openMemoryStore();
  const archive = openRawArchive(objects);
  let files = Number.POSITIVE_INFINITY;
  const reached: number[] = [];
  const mayContinue = async (before: number) => {
    reached.push(before);
    return files > 0;
  };
  const copy = (to = log.high) =>
    archiveRange(
      {
        broker: log,
        archive: {
          ...archive,
          write: async (range, contents) => {
            files -= 1;
            return archive.write(range, contents);
          },
        },
        mayContinue,
      },
      topics.quotes,
      { partition: 0, low: log.low, high: log.high },
      to,
    );
  const ranges = async () => (await archive.files(topics.quotes, 0)).map(({ day, from, to }) => `${day} ${from}-${to}`);
  const allow = (count: number) => {
    files = count;
  };
  return { log, objects, archive, copy, ranges, allow, reached };
}

describe('a copy into the raw archive', () => {
  it('has a file for each day, which also covers the offsets that hold no record', async () => {
    const { log, copy, ranges } = world();
    log.append(at('2026-01-08T23:59:59.999Z'));
    log.append(at('2026-01-09T00:00:00Z'), 3);
    log.append(at('2026-01-09T23:00:00Z'), 1);
    log.append(at('2026-01-11T00:00:00Z'), 2);
    assert.deepEqual(await copy(), { files: 3, records: 4, lost: 0, whole: true });
    assert.deepEqual(await ranges(), ['2026-01-08 0-4', '2026-01-09 4-9', '2026-01-11 9-10']);
  });

  it('says how far it has read, at each batch and before each file', async () => {
    const { log, copy, reached } = world();
    log.append(at('2026-01-08T23:59:59Z'));
    log.append(at('2026-01-09T00:00:00Z'), 3);
    log.append(at('2026-01-09T00:00:01Z'));
    await copy();
    assert.deepEqual(reached, [1, 4, 5, 6, 6]);
  });

  it('keeps to the day of a log whose time steps back', async () => {
    const { log, copy, ranges } = world();
    for (const time of ['2026-01-09T00:00:00Z', '2026-01-08T23:59:59Z', '2026-01-09T00:00:01Z']) log.append(at(time));
    await copy();
    assert.deepEqual(await ranges(), ['2026-01-09 0-3']);
  });

  it('goes on where the archive ends, and names the file before', async () => {
    const { log, archive, copy, ranges } = world();
    log.append(at('2026-01-09T10:00:00Z'));
    log.append(at('2026-01-09T11:00:00Z'));
    await copy(1);
    assert.deepEqual(await ranges(), ['2026-01-09 0-1']);
    await copy();
    assert.deepEqual(await copy(), { files: 0, records: 0, lost: 0, whole: true });
    assert.deepEqual(await ranges(), ['2026-01-09 0-1', '2026-01-09 1-2']);
    const [first, second] = await archive.files(topics.quotes, 0);
    assert.ok(first !== undefined && second !== undefined);
    assert.equal((await archive.read(second)).previous, first.sha256);
  });

  it('ends where it is told to, and is continued by the next', async () => {
    const { log, copy, ranges, allow } = world();
    for (const day of ['08', '09', '10']) log.append(at(`2026-01-${day}T10:00:00Z`));
    allow(1);
    assert.deepEqual(await copy(), { files: 1, records: 1, lost: 0, whole: false });
    allow(9);
    assert.deepEqual(await copy(), { files: 2, records: 2, lost: 0, whole: true });
    assert.deepEqual(await ranges(), ['2026-01-08 0-1', '2026-01-09 1-2', '2026-01-10 2-3']);
  });

  it('says what was deleted before it came, and archives what is there', async () => {
    const { log, copy, ranges } = world();
    for (let hour = 10; hour < 16; hour += 1) log.append(at(`2026-01-09T${hour}:00:00Z`));
    await copy(2);
    log.delete(4);
    assert.deepEqual(await copy(), { files: 1, records: 2, lost: 2, whole: true });
    assert.deepEqual(await ranges(), ['2026-01-09 0-2', '2026-01-09 4-6']);
  });

  it('is refused where the archive is of another log', async () => {
    const { log, copy } = world();
    log.append(at('2026-01-09T10:00:00Z'));
    log.append(at('2026-01-09T10:00:01Z'));
    await copy();
    log.high = 1;
    await assert.rejects(copy(), (error: unknown) => {
      assert.ok(error instanceof Halted);
      assert.match(error.message, /ends at offset 2, and the log at 1/);
      return true;
    });
  });
});
