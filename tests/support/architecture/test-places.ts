// Where tests live (docs/README.md#tests): at the path of the product file they test, or in a folder of `tests/whole`.
// Their helpers live in a folder of `tests/support`.
import { posix } from 'node:path';
import { layerOf, type ReadSource } from './source.ts';

/** Top folders that are not part of the product. */
const besides = new Set(['', 'docs', 'scripts', 'tests']);
/** The programs that start tests, and the table of tests that prove the interface. */
const topFiles = new Set(['tests/proof.ts', 'tests/drill.ts', 'tests/bench.ts', 'tests/interface.md']);
const testName = /^(.+)\.(unit|prop|sim|contract|service|e2e)\.test\.ts$/;

/** `checkout` supplies the product's folders and files. */
export function testPlaceViolations(checkout: readonly ReadSource[]): (source: ReadSource) => string[] {
  const byPath = new Map(checkout.map((source) => [source.path, source]));
  const product = checkout.map(({ path }) => path).filter((path) => !besides.has(layerOf(path)));
  const programs = new Set(product.map(layerOf));
  const folders = new Set(product.map((path) => posix.dirname(path)));
  const filesOfName = Map.groupBy(product, (path) => posix.basename(path, '.ts'));

  /** The top folders that a file imports from, directly or through helpers of `tests/support`. */
  function foldersOf({ imports }: ReadSource, seen = new Set<string>()): Set<string> {
    const found = new Set<string>();
    for (const { file } of imports) {
      if (file === undefined || seen.has(file)) continue;
      seen.add(file);
      found.add(posix.dirname(file));
      const helper = file.startsWith('tests/support/') ? byPath.get(file) : undefined;
      if (helper !== undefined) for (const folder of foldersOf(helper, seen)) found.add(folder);
    }
    return found;
  }

  function placedWrongly(source: ReadSource, folder: string, name: string): string[] {
    const named = filesOfName.get(name) ?? [];
    const found: string[] = [];
    if (!foldersOf(source).has(folder)) found.push(`${source.path}: imports nothing of ${folder}`);
    if (named.length > 0 && !named.includes(`${folder}/${name}.ts`))
      found.push(`${source.path}: has the name of ${named.join(' and ')}, and stands elsewhere`);
    return found;
  }

  return (source) => {
    const { path } = source;
    if (layerOf(path) !== 'tests') return [];
    const folder = posix.dirname(path).slice('tests/'.length);
    const [, name, kind] = testName.exec(posix.basename(path)) ?? [];
    const isMirror = programs.has(layerOf(`${folder}/`));
    if (name === undefined || kind === undefined) {
      const isLoose = isMirror || ['', 'whole', 'support'].includes(folder) || folder.startsWith('whole/');
      return isLoose && !topFiles.has(path) ? [`${path}: is no test, and stands in no folder of tests/support`] : [];
    }
    if (/^whole\/[^/]+$/.test(folder)) return [];
    if (!isMirror) return [`${path}: stands neither at its product file's path nor in a folder of tests/whole`];
    if (!folders.has(folder)) return [`${path}: the product has no folder ${folder}`];
    return kind === 'unit' || kind === 'prop' ? placedWrongly(source, folder, name) : [];
  };
}
