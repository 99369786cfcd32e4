// What a product file may export: what another product file uses, or what its own code uses too and a test examines; and no two types under
// one name where one file could import both.
import { layerOf, type ReadSource } from './source.ts';

const products = new Set(['schemas', 'core', 'http', 'platform', 'ingest', 'projectors', 'api', 'ops']);
/** These never import each other, so a name may stand for a thing of each. */
const programs = new Set(['ingest', 'projectors', 'api']);

/** A file at once of all its pieces: what tests hold a file that grew piece by piece against. */
const justified = new Set(['core/parquet/tail.ts stitch']);

const exported = /^export (?:async )?(const|let|function|class|abstract class|type|interface)\b\s*\*?\s*(\w+)/gm;

/** Values that only tests use: they belong to the tests. Types are no code; those of the wire's forms are what tests read answers by. */
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

/** `path name` of each name that a file imports or exports from another; `path *` of a file that is imported as a whole. */
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
