// Reads the code and keeps the layout, the import rules and the craft of docs/README.md. Each rule is tested with a snippet that breaks it
// and a similar one that does not, because a rule that cannot fail checks nothing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import {
  commentViolations,
  fieldViolations,
  homeViolations,
  machineViolations,
  nameViolations,
  purityViolations,
  rootViolations,
  testViolations,
  typeViolations,
  wordViolations,
} from '../../support/architecture/code-rules.ts';
import { onlyTestedViolations, sameTypeNameViolations } from '../../support/architecture/export-rules.ts';
import {
  barrelViolations,
  cycleViolations,
  driverViolations,
  layerViolations,
  spellingViolations,
} from '../../support/architecture/import-rules.ts';
import { readCheckout } from '../../support/architecture/read-checkout.ts';
import { type ReadSource, readSource } from '../../support/architecture/source.ts';
import { testPlaceViolations } from '../../support/architecture/test-places.ts';

const root = dirname(fileURLToPath(new URL('../..', import.meta.url)));
/** Without the vectors, which are data in the feeds' own words. */
const checkout = readCheckout(root).filter(({ path }) => !/^tests\/vectors\/.*\.json$/.test(path));
const everyText = checkout.map((source) => readSource(source));
const everyCode = everyText.filter(({ path }) => /\.(ts|mts|mjs)$/.test(path));
/** The file with the snippets that break the rules on purpose. */
const samples = 'tests/whole/repository/architecture.unit.test.ts';

type Rule = {
  name: string;
  check(source: ReadSource): string[];
  reads?: readonly ReadSource[];
  /** path, text */
  broken: readonly (readonly [string, string])[];
  kept: readonly (readonly [string, string])[];
};

const paths = new Set(everyText.map(({ path }) => path));
const [TODO, slash] = ['TO' + 'DO', '/'];

const rules: readonly Rule[] = [
  {
    name: 'layers import downwards only: schemas ← core ← {platform, projectors, http ← {ingest, api}} ← ops',
    check: layerViolations,
    broken: [
      ['core/a.ts', "import { x } from '../platform/x.ts';"],
      ['core/a.ts', "import type { X } from '../ingest/x.ts';"],
      ['schemas/a.ts', "import { x } from '../core/x.ts';"],
      ['api/routes/a.ts', "import { x } from '../../ingest/x.ts';"],
      ['ingest/a.ts', "export { x } from '../projectors/x.ts';"],
      ['projectors/a.ts', "const x = await import('../api/x.ts');"],
      ['api/a.ts', "import {\n  a,\n  b,\n} from '../platform/x.ts';"],
      ['api/routes/main.ts', "import { x } from '../../platform/x.ts';"],
      ['platform/a.ts', "import { x } from '../ops/x.ts';"],
      ['http/a.ts', "import { x } from '../api/x.ts';"],
      ['http/a.ts', "import { x } from '../platform/x.ts';"],
      ['projectors/a.ts', "import { x } from '../http/x.ts';"],
      ['ops/a.ts', "import { x } from '../tests/x.ts';"],
      ['clients/typescript/src/a.ts', "import { x } from '../../../core/x.ts';"],
      ['ops/a.ts', "import { x } from '../clients/typescript/src/x.ts';"],
      ['lib/a.ts', "import { x } from './b.ts';"],
    ],
    kept: [
      ['api/main.ts', "import { x } from '../platform/x.ts';"],
      ['clients/conformance/a.ts', "import { x } from '../../platform/x.ts';"],
      ['ingest/gateway/a.ts', "import { x } from '../../http/x.ts';"],
      ['ops/commands/a.ts', "import { x } from '../../projectors/x.ts';"],
      ['core/a.ts', "import type { X } from '../schemas/x.ts'; // import { y } from '../platform/y.ts';"],
      ['core/a.ts', 'const text = "import { x } from \'../platform/x.ts\'";'],
    ],
  },
  {
    name: 'a driver is imported in its own folder only, and every package has a home',
    check: driverViolations,
    broken: [
      ['ingest/a.ts', "import kafkajs from 'kafkajs';"],
      ['platform/kafka/a.ts', "import pg from 'pg';"],
      ['platform/parquet/a.ts', "import { S3Client } from '@aws-sdk/client-s3';"],
      ['projectors/a.ts', "import type { Table } from 'apache-arrow';"],
      ['platform/a.ts', "import Fastify from 'fastify';"],
      ['api/a.ts', "import _ from 'lodash/fp';"],
    ],
    kept: [
      ['platform/kafka/a.ts', "import kafkajs from 'kafkajs';\nimport { readFileSync } from 'node:fs';"],
      ['tests/a.unit.test.ts', "import kafkajs from 'kafkajs';"],
    ],
  },
  {
    name: 'a relative import names its file with .ts, and nothing is imported for its effect',
    check: spellingViolations(new Set(['core/a.ts', 'core/b.ts'])),
    reads: [],
    broken: [
      ['core/a.ts', "import { b } from './b';"],
      ['core/a.ts', "import { b } from './b.js';"],
      ['core/a.ts', "import { c } from './c.ts';"],
      ['core/a.ts', "import './b.ts';"],
      ['core/a.ts', "import { b } from '#/b.ts';"],
    ],
    kept: [['core/a.ts', "import { b } from './b.ts';"]],
  },
  { name: 'imports of this checkout lead to files', check: spellingViolations(paths), broken: [], kept: [] },
  {
    name: 'there are no barrels',
    check: barrelViolations,
    broken: [
      ['core/index.ts', 'export const a = 1;'],
      ['core/a.ts', "export * from './b.ts';"],
      ['core/a.ts', "export { b } from './b.ts';\nexport type { C } from './c.ts';"],
    ],
    kept: [['core/a.ts', "import { b } from './b.ts';\nexport type { C } from './c.ts';\nexport const a = b;"]],
  },
  {
    name: 'core is pure: no package, clock, chance, timer, environment, no waiting; Promise in the types of ports only',
    check: purityViolations,
    broken: [
      ['core/a.ts', "import { z } from 'zod';"],
      ['core/a.ts', "import { readFileSync } from 'node:fs';"],
      ['core/a.ts', 'export async function a() {}'],
      ['core/a.ts', 'type A = Promise<void>;'],
      ['core/a.ts', 'const at = Date.now();'],
      ['core/a.ts', 'const at = new Date();'],
      ['core/a.ts', `const text = \`$${'{'}Math.random()}\`;`],
      ['core/a.ts', "import { randomUUID } from 'node:crypto';"],
      ['core/ports/a.ts', 'export const a = async () => {};'],
      ['core/a.ts', 'const e = process.env;'],
      ['core/a.ts', "console.log('x');"],
      ['schemas/a.ts', "import { readFileSync } from 'node:fs';"],
    ],
    kept: [
      ['core/ports/a.ts', 'export type Store = { get(key: string): Promise<Uint8Array> };'],
      [
        'core/a.ts',
        "import { createHash } from 'node:crypto';\nconst day = new Date(0); // no Promise, no async, no Date.now()",
      ],
      ['core/a.ts', `const words = 'await a Promise'; const r = /async/; const t = \`fetch $${'{'}words} await\`;`],
      ['api/a.ts', 'export async function a(): Promise<void> {}'],
    ],
  },
  {
    name: 'the environment is read in platform/config; clock, timers and chance are in platform/process',
    check: homeViolations,
    broken: [
      ['api/a.ts', 'const port = process.env.PORT;'],
      ['ops/a.ts', "const port = process['env'].PORT;"],
      ['platform/kafka/a.ts', 'setTimeout(() => {}, 1);'],
      ['platform/config/a.ts', 'const at = Date.now();'],
      ['projectors/a.ts', "import { setTimeout as sleep } from 'node:timers/promises';"],
      ['ops/demo/a.ts', 'const p = Math.random();'],
      ['api/a.ts', 'const startedAt = performance.now();'],
    ],
    kept: [
      ['platform/config/a.ts', 'const { env } = process; const port = process.env.PORT;'],
      ['platform/process/a.ts', 'const at = Date.now(); setTimeout(() => {}, Math.random());'],
      ['api/a.ts', 'socket.setTimeout(5); const at = clock.now(); // not Date.now()'],
      ['tests/a.unit.test.ts', 'const at = Date.now();'],
    ],
  },
  {
    name: 'types say the truth and survive type stripping',
    check: typeViolations,
    broken: [
      ['core/a.ts', 'export const a: any = 1;'],
      ['tests/a.unit.test.ts', 'const a = b as any;'],
      ['core/a.ts', 'type A = Record<string, any>;'],
      ['core/a.ts', `// @ts-${'ignore'}\nconst a = 1;`],
      ['core/a.ts', 'export enum A { B }'],
      ['core/a.ts', 'namespace A { }'],
      ['core/a.ts', 'class A { constructor(private readonly b: string) {} }'],
    ],
    kept: [
      ['core/a.ts', "// any type, as any reader knows\nconst any = 'any: any'; const signal = AbortSignal.any([]);"],
      ['core/a.ts', 'const enumerated = { enum: 1, namespace: {} };'],
      ['core/a.ts', 'class A { constructor(b: { c: string }, d: readonly string[]) {} }'],
    ],
  },
  {
    name: 'nothing says that it is unfinished',
    check: wordViolations,
    reads: everyText,
    broken: [
      ['core/a.ts', `// ${TODO}: more`],
      ['README.md', 'This is coming ' + 'soon.'],
    ],
    kept: [['core/a.ts', 'const method = "todos";']],
  },
  {
    name: 'comments say who does what',
    check: commentViolations,
    broken: [
      ['core/a.ts', '// The outage is told by whoever needs it.'],
      ['ingest/a.ts', '/** Nothing is sent: nobody waits. */'],
      ['http/a.ts', '// Unaware of routes.'],
      ['tests/a.unit.test.ts', '// Waits for whoever writes.'],
    ],
    kept: [['core/a.ts', 'const nobody = "whoever is told"; // Callers report the outage.']],
  },
  {
    name: 'files and names use the words of the field',
    check: fieldViolations,
    broken: [
      ['ingest/gateway/record-letters.ts', ''],
      ['projectors/a.ts', 'export function buryAll() {}'],
      ['api/a.ts', 'return goOn(found, answer);'],
      ['ingest/a.ts', 'const untold = new ToldReferences();'],
      ['core/a.ts', 'type Company = { instances: number };'],
      ['core/a.ts', '// What the operators of the service decide.'],
    ],
    kept: [
      ['projectors/dead-letters.ts', 'const deadLetters = [];'],
      ['core/a.ts', "const code = 'quota-letters'; // A name of letters and digits."],
      ['core/a.ts', '// One operator, as the wire calls a sportsbook.'],
    ],
  },
  {
    name: 'nothing names a place of one machine',
    check: machineViolations(root),
    reads: everyText,
    broken: [
      ['README.md', `Look into ${slash}home/somebody/checkout.`],
      ['tests/a.unit.test.ts', `const file = '${slash}root/file';`],
      ['tests/a.unit.test.ts', `const file = '${root}/package.json';`],
    ],
    kept: [['README.md', 'GET /v1/home/a and ./root/b']],
  },
  {
    name: 'files have kebab-case names, and tests say by their suffix what they need',
    check: nameViolations,
    broken: [
      ['core/gameState.ts', ''],
      ['core/game_state.ts', ''],
      ['tests/core/a.test.ts', ''],
      ['core/a.unit.test.ts', ''],
    ],
    kept: [
      ['core/game-state.ts', ''],
      ['tests/core/a-b.e2e.test.ts', ''],
      ['scripts/lock.d.mts', ''],
    ],
  },
  {
    name: 'tests stand at the path of the product file that they are about, and what helps them in tests/support',
    check: testPlaceViolations([
      ...everyText,
      readSource({ path: 'tests/support/builders/a.ts', text: "import { b } from '../../../core/live/board.ts';" }),
    ]),
    broken: [
      ['tests/a.unit.test.ts', "import { b } from '../core/live/board.ts';"],
      ['tests/whole/a.e2e.test.ts', ''],
      ['tests/support/folds/a.unit.test.ts', "import { b } from '../../../core/live/board.ts';"],
      ['tests/core/boards/a.unit.test.ts', "import { b } from '../../../core/live/board.ts';"],
      ['tests/api/boards/a.e2e.test.ts', ''],
      ['tests/core/live/a.unit.test.ts', "import { b } from '../../../core/quotes/price.ts';"],
      ['tests/core/quotes/a.prop.test.ts', "import { b } from '../../support/builders/a.ts';"],
      ['tests/core/quotes/board.prop.test.ts', "import { b } from '../../../core/quotes/price.ts';"],
      ['tests/a.ts', ''],
      ['tests/support/a.ts', ''],
      ['tests/core/live/a.ts', ''],
      ['tests/whole/service/a.ts', ''],
    ],
    kept: [
      ['tests/core/live/board.unit.test.ts', "import { b } from '../../../core/live/board.ts';"],
      ['tests/core/live/a.prop.test.ts', "import { b } from '../../support/builders/a.ts';"],
      ['tests/api/routes/a.e2e.test.ts', ''],
      ['tests/whole/service/a.service.test.ts', ''],
      ['tests/support/folds/a.ts', ''],
      ['tests/oracle/a.ts', ''],
      ['tests/proof.ts', ''],
    ],
  },
  {
    name: 'nothing stands loose in the root of a program but what starts it',
    check: rootViolations,
    broken: [
      ['api/limits.ts', ''],
      ['api/main.ts', ''],
      ['ingest/ticker.ts', ''],
      ['ops/command.ts', ''],
      ['projectors/projector.ts', ''],
    ],
    kept: [
      ['api/server.ts', ''],
      ['ops/cli.ts', ''],
      ['ingest/ticker/ticker.ts', ''],
      ['core/units.ts', ''],
    ],
  },
  {
    name: 'tests are left out only for a service that is missing, and none is limited by the clock',
    check: testViolations,
    broken: [
      ['tests/a.unit.test.ts', "it.only('a', () => {});"],
      ['tests/a.unit.test.ts', "describe.skip('a', () => {});"],
      ['tests/a.unit.test.ts', "it('a', { skip: true }, () => {});"],
      ['tests/a.unit.test.ts', "it('a', skipFor('slow'), () => {});"],
      ['tests/a.unit.test.ts', "t.skip('slow');"],
      ['tests/a.unit.test.ts', "it('a', { todo: true }, () => {});"],
      ['tests/a.unit.test.ts', "it('a', { timeout: 5_000 }, async () => {});"],
      ['tests/a.unit.test.ts', "it('a', { ...skipFor(skip), timeout: 60000 }, () => {});"],
      ['tests/a.unit.test.ts', 'beforeAll(async () => {\n}, 120_000);'],
      ['tests/a.unit.test.ts', 'assert.ok(performance.now() - began < 2_000);'],
    ],
    kept: [
      ['tests/a.unit.test.ts', "it('a', skipFor(kafka.skip), (t) => t.skip(broker.skip)); // it.only(...)"],
      ['tests/a.unit.test.ts', 'assert.ok(performance.now() - began >= 990 && ownMs() - since < 2_000);'],
    ],
  },
];

for (const { name, check, reads = everyCode, broken, kept } of rules) {
  describe(name, () => {
    it('holds', () => {
      assert.deepEqual(
        reads.filter(({ path }) => path !== samples).flatMap((source) => check(source)),
        [],
      );
    });
    for (const [path, text] of broken) {
      it(`sees what breaks it: ${path} ${JSON.stringify(text)}`, () => {
        assert.notDeepEqual(check(readSource({ path, text })), []);
      });
    }
    for (const [path, text] of kept) {
      it(`lets pass what keeps it: ${path} ${JSON.stringify(text)}`, () => {
        assert.deepEqual(check(readSource({ path, text })), []);
      });
    }
  });
}

describe('no two files need each other at run time', () => {
  const file = (path: string, text: string) => readSource({ path, text });
  it('holds', () => {
    assert.deepEqual(cycleViolations(everyCode), []);
  });
  it('sees a cycle, and its way', () => {
    const sources = [
      file('core/a.ts', "import { b } from './b.ts';"),
      file('core/b.ts', "import { c } from './c.ts';"),
      file('core/c.ts', "import { b } from './b.ts';"),
    ];
    assert.deepEqual(cycleViolations(sources), ['core/b.ts → core/c.ts → core/b.ts']);
  });
  it('lets types refer to each other', () => {
    const sources = [
      file('core/a.ts', "import type { B } from './b.ts';"),
      file('core/b.ts', "import { a } from './a.ts';"),
    ];
    assert.deepEqual(cycleViolations(sources), []);
  });
});

describe('the product exports what the product uses', () => {
  const file = (path: string, text: string) => readSource({ path, text });
  it('holds', () => {
    assert.deepEqual(onlyTestedViolations(everyCode), []);
  });
  it('sees a function that only tests call', () => {
    const sources = [
      file('core/a.ts', 'export function a() {}\nexport const b = 1;'),
      file('api/b.ts', "import { b } from '../core/a.ts';"),
      file('tests/core/a.unit.test.ts', "import { a } from '../../core/a.ts';"),
    ];
    assert.deepEqual(onlyTestedViolations(sources), ['core/a.ts: no product code uses a']);
  });
  it('lets a test examine what its own file uses, and read the forms of answers', () => {
    const sources = [file('core/a.ts', 'export const most = 2;\nexport type Answer = { a: 1 };\nconst b = 2 * most;')];
    assert.deepEqual(onlyTestedViolations(sources), []);
  });
});

describe('an exported type has its name for itself', () => {
  const file = (path: string, text: string) => readSource({ path, text });
  it('holds', () => {
    assert.deepEqual(sameTypeNameViolations(everyCode), []);
  });
  it('finds a name with two meanings', () => {
    const sources = [file('core/a.ts', 'export type Place = 1;'), file('api/b.ts', 'export class Place {}')];
    assert.deepEqual(sameTypeNameViolations(sources), ['Place: core/a.ts, api/b.ts']);
  });
  it('lets programs that never meet, and what is not exported, have equal names', () => {
    const sources = [
      file('ingest/a.ts', 'export type Place = 1;'),
      file('api/b.ts', 'export type Place = 2;'),
      file('core/c.ts', 'type Place = 3;'),
    ];
    assert.deepEqual(sameTypeNameViolations(sources), []);
  });
});

describe('dependencies', () => {
  type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>;
  type Locked = { resolved?: string; integrity?: string; optional?: boolean };
  type Lock = { packages: Record<string, Locked> };
  const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as Manifest & { workspaces?: unknown };
  const lock = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as Lock;

  it('are exact versions, at most fifteen at run time beside what traces are sent with', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    assert.deepEqual(
      versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
      [],
    );
    // Loaded only by a process with a collector.
    const loaded = Object.keys(dependencies).filter((name) => !name.startsWith('@opentelemetry/'));
    assert.ok(loaded.length <= 15);
  });

  it('are locked with their hashes (but for builds for other platforms), and come from no place of their own', () => {
    const { '': own, ...locked } = lock.packages;
    assert.ok(own);
    const loose = Object.entries(locked).filter(([, { resolved, integrity, optional = false }]) => {
      const elsewhere = resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/');
      return elsewhere || (integrity === undefined && !optional);
    });
    assert.deepEqual(loose, []);
  });
});

it('most files are short: those over 300 lines are', (t) => {
  const long = everyCode.filter(({ path, text }) => !path.startsWith('tests/') && text.split('\n').length > 300);
  t.annotate(long.map(({ path, text }) => `${path} (${text.split('\n').length})`).join(', ') || 'none');
  assert.ok(long.length <= everyCode.length / 20, 'more than one file in twenty is over 300 lines');
});
