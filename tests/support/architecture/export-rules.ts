// What a product file may export: names that another product file uses, or that its own code uses and a test examines.
// And no two types may share a name where one file could import both.
import { layerOf, type ReadSource } from './source.ts';

const products = new Set(['schemas', 'core', 'http', 'platform', 'ingest', 'projectors', 'api', 'ops']);
/** These programs never import each other, so each may use a name for a type of its own. */
const programs = new Set(['ingest', 'projectors', 'api']);

/**
 * Functions that only tests use, for a reason: `stitch` makes a file at once, to compare with a file that grew piece by
 * piece.
 */
const justified = new Set(['core/parquet/tail.ts stitch']);

const exported = /^export (?:async )?(const|let|function|class|abstract class|type|interface)\b\s*\*?\s*(\w+)/gm;

/**
 * Values that only tests use; they belong in the tests. Types are exempt: they are no code, and tests read answers by
 * the types of the wire.
 */
export function onlyTestedViolations(sources: readonly ReadSource[]): string[] {
  const ofProduct = sources.filter(({ path }) => products.has(layerOf(path)));
  const imported = new Set(ofProduct.flatMap((source) => importedNames(source)));
  return ofProduct.flatMap(({ path, code }) =>
    [...code.matchAll(exported)].flatMap(([, kind, name = '']) => {
      if (kind === 'type' || kind === 'interface') return [];
      if (imported.has(`${path} ${name}`) || imported.has(`${path} *`) || justified.has(`${path} ${name}`)) return [];
      const uses = code.match(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g'))?.length ?? 0;
      return uses > 1 ? [] : [`${path}: no product code uses ${name}`];
    }),
  );
}

export function sameTypeNameViolations(sources: readonly ReadSource[]): string[] {
  const byName = new Map<string, string[]>();
  for (const { path, code } of sources) {
    if (!products.has(layerOf(path))) continue;
    for (const [, kind, name = ''] of code.matchAll(exported)) {
      if (kind !== 'type' && kind !== 'interface' && kind !== 'class') continue;
      byName.set(name, [...(byName.get(name) ?? []), path]);
    }
  }
  return [...byName].flatMap(([name, paths]) =>
    paths.some((a, at) => paths.slice(at + 1).some((b) => canMeet(a, b))) ? [`${name}: ${paths.join(', ')}`] : [],
  );
}

function canMeet(a: string, b: string): boolean {
  const [one, other] = [layerOf(a), layerOf(b)];
  return one === other || !programs.has(one) || !programs.has(other);
}

/** `path name` for each name that a file imports or re-exports; `path *` for a whole module. */
function importedNames({ text, imports }: ReadSource): string[] {
  return imports.flatMap(({ file, specifier }) => {
    if (file === undefined) return [];
    const statement = new RegExp(
      `\\{([^{}]*)\\}\\s*from\\s*'${specifier.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}'`,
      'g',
    );
    const names = [...text.matchAll(statement)].flatMap(([, list = '']) =>
      list.split(',').map((each) =>
        each
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*$/, ''),
      ),
    );
    return names.length === 0 ? [`${file} *`] : names.map((name) => `${file} ${name}`);
  });
}
