// What `sds verify` says of a large file: nothing of one that is the committed one, and of any other what is wrong with it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'vitest';
import { readFooter } from '../../../core/parquet/footer.ts';
import type { ObjectKey } from '../../../core/ports/object-store.ts';
import { checkFile } from '../../../ops/verify/check-file.ts';
import { Report } from '../../../ops/verify/report.ts';
import { openFile } from '../../../platform/parquet/open-file.ts';
import { parquetWriter } from '../../../platform/parquet/writer.ts';
import { sportsbookLines } from '../../../schemas/datasets/sportsbook-lines.ts';
import { openMemoryStore } from '../../support/fakes/memory-store.ts';
import { rowsFrom } from '../../support/parquet/rows.ts';

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function finalFile(): Uint8Array {
  const file = openFile(sportsbookLines, new Map(), 40);
  file.add(rowsFrom(sportsbookLines, 4, 100));
  return file.finish();
}

const whole = finalFile();
const [, middle] = readFooter(whole).groups;

/** What the check says when the store has `stored` instead of the committed bytes with 100 rows. */
async function said(stored: Uint8Array | null, committed = whole, rows = 100): Promise<string[]> {
  const objects = openMemoryStore();
  const lead = new Uint8Array(9);
  if (stored !== null) await objects.put('finals/x', Buffer.concat([lead, stored]));
  const report = new Report();
  const file = {
    key: 'finals/x' as ObjectKey,
    offset: lead.length,
    size: committed.length,
    sha256: digestOf(committed),
  };
  await checkFile({ objects, parquet: parquetWriter, report }, { subject: 'it', rows, file });
  return report.violations.map(({ invariant, detail }) => `${invariant}: ${detail}`);
}

describe('of a file', () => {
  it('that is the committed one nothing is said, wherever in its object it is', async () => {
    assert.deepEqual(await said(whole), []);
  });

  it('with another byte, that it is another', async () => {
    const hurt = whole.slice();
    hurt[middle!.start + 3]! ^= 1;
    assert.deepEqual(await said(hurt), ['I4: its bytes in finals/x differ from the committed ones']);
  });

  it('that is not there, or not all of it, that', async () => {
    assert.deepEqual(await said(null), ['I7: its object finals/x is absent']);
    assert.deepEqual(await said(whole.subarray(0, 500)), ['I7: its object finals/x is too short']);
  });

  it('with other rows than were committed, how many', async () => {
    assert.deepEqual(await said(whole, whole, 99), ['I5: it has 100 rows, 99 were committed']);
  });

  it('that was committed as no Parquet file, or with pages that are none, what is wrong', async () => {
    const text = new TextEncoder().encode('not Parquet at all');
    assert.match((await said(text, text)).join(), /^I5: not a Parquet file|^I5: not a whole/);
    const hurt = whole.slice();
    hurt.fill(0xff, middle!.start, middle!.start + 20);
    assert.match((await said(hurt, hurt)).join(), /^I5: /);
  });
});
