// Asks a Python script that reads Parquet files: JSON in, JSON out, all questions in one run.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Column } from '../../../schemas/datasets/column.ts';

/** One answer for each question. `script` is a file of this folder, `words` are its arguments. */
export async function askPython<Answer>(
  python: string,
  [script, ...words]: readonly [script: string, ...words: string[]],
  questions: readonly object[],
): Promise<Answer[]> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(python, [path, ...words], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(questions));
  const [answers, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  assert.equal(code, 0, 'Python ended with an error, shown above');
  return JSON.parse(answers) as Answer[];
}

/** A column in the form that the scripts use. */
export function columnForPython({ name, type }: Column): object {
  return { name, ...type };
}
