// What the code of the product may not do, read from it (SECURITY.md): SQL that is made of data (S21), objects whose names a request
// chose (S10), leniency of the HTTP parser (S14), code made of text (S18). Each rule is shown a snippet that breaks it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import type { NamedObjects, ObjectKey } from '../../../core/ports/object-store.ts';
import { readSource } from '../../support/architecture/source.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const product = globSync('{schemas,core,http,platform,ingest,projectors,api,ops}/**/*.ts', { cwd: root });
const textOf = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

describe('SQL', () => {
  /** Text that is SQL, with the values inserted into it. */
  const statements =
    /`((?:[^`\\]|\\.)*\b(?:select|insert into|update|delete from|create|alter|listen|notify)\b(?:[^`\\]|\\.)*)`/g;
  const insertions = /\$\{((?:[^{}]|\{[^{}]*\})*)\}/g;

  /**
   * Values inserted into a file's SQL that are neither constants of the module, nor imported, nor made by one of its
   * functions.
   */
  function fromElsewhere(text: string): string[] {
    const constants = new Set(
      [...text.matchAll(/^(?:export )?(?:const|function|async function) (\w+)/gm)].map(([, name]) => name),
    );
    const imported = new Set(
      [...text.matchAll(/^import (?:type )?\{([^}]*)\}/gms)].flatMap(([, names]) =>
        (names ?? '').split(',').map((name) => name.trim().split(' ').at(-1)),
      ),
    );
    return [...text.matchAll(statements)]
      .flatMap(([, statement]) =>
        [...(statement ?? '').matchAll(insertions)].map(([, inside]) => (inside ?? '').trim()),
      )
      .filter((inside) => {
        const name = /^\w+/.exec(inside)?.[0];
        // `parameter` answers the number of a parameter, whatever value it gets.
        return !inside.startsWith('parameter(') && !constants.has(name) && !imported.has(name);
      });
  }

  // Parameters of functions that make SQL from SQL, whose callers all pass text of the code. Each entry was reviewed.
  const known: Readonly<Record<string, readonly string[]>> = {
    'platform/postgres/commit-parts.ts': ['channel', 'rows'],
    'platform/postgres/commit-statement.ts': ["asked.join('')", 'cte', 'ctes', 'key', 'offset', 'older'],
    'platform/postgres/dead-letters.ts': ['and', 'from', 'parameter', 'where'],
    'platform/postgres/feed-use-catalog.ts': ['table'],
    'platform/postgres/listener.ts': ['channel'],
    'platform/postgres/live-catalog.ts': ["bound('l.game_uuid')", "bound('n.id')", 'game', 'log'],
    'platform/postgres/live-commit.ts': ['given'],
    'platform/postgres/msf-commit.ts': ['cuts'],
    'platform/postgres/push-catalog.ts': ['inserting.letters', 'inserting.payloads', 'set', 'table'],
    'platform/postgres/reference-commit.ts': ['facts'],
    'platform/postgres/roles.ts': ['how', 'role'],
    // Names of tables and columns from the database itself, quoted by it.
    'platform/postgres/table-rows.ts': ['column', "columns.join(', ')", 'name', 'table', 'values'],
  };

  it('has what varies in its parameters: nothing is written into it but text of the code', () => {
    const found = Object.fromEntries(
      product
        .filter((path) => path.startsWith('platform/') && /\.query\(|select |insert into/.test(textOf(path)))
        .map((path) => [path, [...new Set(fromElsewhere(textOf(path)))].sort()] as const)
        .filter(([, insertions]) => insertions.length > 0),
    );
    assert.deepEqual(found, known);
  });

  it('that is made of data is seen', () => {
    const insertion = (name: string) => `$\{${name}}`;
    const made = `const all = 'x';\nf(\`select ${insertion('all')} from t where id = '${insertion('id')}'\`);`;
    assert.deepEqual(fromElsewhere(made), ['id']);
  });

  it('stands in platform alone', () => {
    const elsewhere = product.filter((path) => !path.startsWith('platform/') && /\.query\(\s*[`'"]/.test(textOf(path)));
    assert.deepEqual(elsewhere, []);
  });
});

describe('names of objects', () => {
  it('are of a type that no text is of: they are made where rows of the catalog are read and new objects are named', () => {
    const makers = product.flatMap((path) => [...textOf(path).matchAll(/\b(?:as|is) ObjectKey\b/g)].map(() => path));
    assert.deepEqual(makers.sort(), [
      'core/ports/object-store.ts',
      'platform/postgres/artifacts-catalog.ts',
      'platform/postgres/live-catalog.ts',
      'projectors/settlement/settle-game.ts',
      'projectors/worker/write-files.ts',
      'projectors/worker/write-files.ts',
      'projectors/worker/write-files.ts',
    ]);
    // The type checker fails here if any text could be a key, or if a store of the API accepted one.
    const textIsName: string extends ObjectKey ? true : false = false;
    const textIsTaken: string extends Parameters<NamedObjects['get']>[0] ? true : false = false;
    assert.deepEqual([textIsName, textIsTaken], [false, false]);
  });

  it('are all that the API can read by', () => {
    const stores = product.filter((path) => path.startsWith('api/') && /\bObjectStore\b/.test(textOf(path)));
    assert.deepEqual(stores, []);
  });

  it('come from the catalog wherever the API reads: it makes none, and lists, writes and deletes none', () => {
    const uses = product
      .filter((path) => path.startsWith('api/'))
      .flatMap((path) =>
        [...textOf(path).matchAll(/\bobjects\.(\w+)\(([^,)]*)/g)].map((match) => `${path}: ${match[1]}(${match[2]})`),
      )
      .filter((use) => !use.includes('deadlines.'));
    assert.deepEqual(
      uses.filter((use) => !/: objects\(/.test(use)),
      ['api/files/damaged-file.ts: get(file.key)', 'api/dependencies/readiness.ts: get(probeKey)'],
    );
    const made = product.filter(
      (path) => path.startsWith('api/') && /^\s*key: `(?!archive |\$\{log\.gameUuid)/m.test(textOf(path)),
    );
    assert.deepEqual(made, []);
  });
});

describe('no file', () => {
  const bans: readonly (readonly [what: string, ban: RegExp, example: string])[] = [
    ['makes the HTTP parser lenient', /insecureHTTPParser/, '{ insecureHTTPParser: true }'],
    ['makes code of text', /(?<![.\w])eval\s*\(|new\s+Function\s*\(|\bvm\b\.run/, 'eval (text)'],
    ['reaches a prototype by name', /\.__proto__\b|\bsetPrototypeOf\b/, 'a.__proto__ = b'],
    [
      'trusts any certificate',
      /rejectUnauthorized:\s*false|NODE_TLS_REJECT_UNAUTHORIZED/,
      '{ rejectUnauthorized: false }',
    ],
    ['goes to a shell', /\bshell:\s*true\b|(?<![.\w])exec(?:Sync)?\s*\(/, "exec('ls')"],
  ];
  for (const [what, ban, example] of bans)
    it(what, () => {
      assert.match(example, ban);
      const found = product.filter((path) => ban.test(readSource({ path, text: textOf(path) }).code));
      // The Avro decoder makes functions from the names in our own schemas.
      const ours = what === 'makes code of text' ? ['platform/avro/decoder.ts'] : [];
      assert.deepEqual(found, ours);
    });
});
