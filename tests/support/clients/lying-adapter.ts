// The TypeScript client's adapter, whose answers are made wrong:  node lying-adapter.ts LIE
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { AdapterAnswer } from '../../../clients/conformance/runner/adapter.ts';
import { typescriptAdapter } from './adapters.ts';

const lies: Readonly<Record<string, (answer: AdapterAnswer) => void>> = {
  'no odds': (answer) => delete answer.odds,
  'one row again and again': (answer) => answer.rows?.fill(answer.rows[0] ?? {}),
  'a row too many': (answer) => answer.rows?.push(answer.rows[0] ?? {}),
  'another digest': ({ items = [] }) => {
    for (const item of items) if ('revision' in item) item.revision.digest = 'sha256:0';
  },
};

const lie = lies[process.argv[2] ?? ''];
if (lie === undefined) throw new Error(`there is no lie ${process.argv[2]}`);
const [program = '', ...args] = typescriptAdapter;
const child = spawn(program, args, { stdio: ['inherit', 'pipe', 'inherit'] });
for await (const line of createInterface(child.stdout)) {
  const answer = JSON.parse(line) as AdapterAnswer;
  lie(answer);
  console.log(JSON.stringify(answer));
}
