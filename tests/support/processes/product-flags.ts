// The Node flags with which scripts/node.sh starts the product, so that tests and benchmarks start programs as users
// do.
import { readFileSync } from 'node:fs';

const script = readFileSync(new URL('../../../scripts/node.sh', import.meta.url), 'utf8');
const start = script.split('\n').findLast((line) => line.startsWith('exec ')) ?? '';

export const productFlags: readonly string[] = [...start.matchAll(/--[\w-]+=\w+/g)].map(([flag]) => flag);
