// What a file may contain: rules on the purity of core, on where clock, timers, randomness and environment may be used,
// on TypeScript that survives type stripping, on names, and on words that do not belong (docs/README.md).
import { layerOf, lineAt, type ReadSource } from './source.ts';

type Ban = { pattern: RegExp; is: string };

function find(source: ReadSource, bans: readonly Ban[], where: 'code' | 'text' | 'comments' = 'code'): string[] {
  return bans.flatMap(({ pattern, is }) =>
    [...source[where].matchAll(new RegExp(pattern, 'g'))].map((match) => {
      const line = where === 'comments' ? '' : `:${lineAt(source[where], match.index)}`;
      return `${source.path}${line}: ${is} (${match[0].trim()})`;
    }),
  );
}

const clock: Ban = {
  pattern: /\bDate\.now\b|\bnew Date\(\s*\)|(?<![.\w])performance\b|\bhrtime\b/,
  is: 'reads the clock',
};
const timers: Ban = {
  pattern: /(?<![.\w])(setTimeout|setInterval|setImmediate|queueMicrotask)\b|\bAbortSignal\.timeout\b/,
  is: 'sets a timer',
};
const chance: Ban = { pattern: /\bMath\.random\b/, is: 'draws at random' };
const secrets: Ban = {
  pattern: /\b(randomBytes|randomUUID|randomInt|randomFillSync|getRandomValues)\b/,
  is: 'draws at random',
};
const environment: Ban = {
  pattern: /\bprocess\s*(\.|\?\.|\[)\s*['"]?\s*env\b|\bprocess\s*\[/,
  is: 'reads the environment',
};
const waiting: Ban = { pattern: /(?<![.\w])(async|await)\b/, is: 'waits' };
const promise: Ban = { pattern: /\bPromise\b/, is: 'promises' };
const outside: Ban = {
  pattern: /(?<![.\w])(console|fetch|globalThis)\b|(?<![.\w])process\s*[.?[]/,
  is: 'reaches outside',
};

const sourceLayers = new Set(['schemas', 'core', 'http', 'platform', 'ingest', 'projectors', 'api', 'ops']);

export function purityViolations(source: ReadSource): string[] {
  if (!['core', 'schemas'].includes(layerOf(source.path))) return [];
  const isPort = source.path.startsWith('core/ports/');
  const bans = [clock, timers, chance, secrets, waiting, outside, ...(isPort ? [] : [promise])];
  const imports = source.imports.flatMap(({ specifier, file, line }) => {
    const pure =
      file !== undefined || specifier === 'node:crypto' || (specifier === 'zod' && layerOf(source.path) === 'schemas');
    return pure ? [] : [`${source.path}:${line}: imports ${specifier}`];
  });
  return [...find(source, bans), ...imports];
}

/** Modules that run in a browser, where the only clock and timers are the browser's. */
const runsInBrowsers = /^(api\/live-page|ops\/console)\/browser\//;

export function homeViolations(source: ReadSource): string[] {
  const { path, imports } = source;
  if (!sourceLayers.has(layerOf(path)) || runsInBrowsers.test(path)) return [];
  const found: string[] = [];
  if (!path.startsWith('platform/config/')) found.push(...find(source, [environment]));
  if (!path.startsWith('platform/process/')) {
    found.push(...find(source, [clock, timers, chance]));
    for (const { specifier, line } of imports) {
      if (specifier.startsWith('node:timers')) found.push(`${path}:${line}: sets a timer (${specifier})`);
    }
  }
  return found;
}

const typesThatLie: readonly Ban[] = [
  {
    pattern: /(?:[:<,|&(]|=>|\bas|\bsatisfies|\bextends|\bkeyof)\s*any\b(?!\s*[:(?.])/,
    is: 'the type that checks nothing',
  },
  { pattern: /\b(declare\s+|const\s+)?enum\s+\w+\s*\{/, is: 'does not survive type stripping' },
  { pattern: /\b(namespace|module)\s+[\w.]+\s*\{/, is: 'does not survive type stripping' },
  {
    pattern: /\bconstructor\s*\((?:[^)]*,)?\s*(public|private|protected|readonly)\s+\w/,
    is: 'does not survive type stripping',
  },
  { pattern: /\bimport\s+\w+\s*=|\bexport\s*=/, is: 'does not survive type stripping' },
];
const silencers: readonly Ban[] = [{ pattern: /@ts-(ignore|nocheck|expect-error)/, is: 'silences the type checker' }];

export function typeViolations(source: ReadSource): string[] {
  return [...find(source, typesThatLie), ...find(source, silencers, 'comments')];
}

// Written in halves, because this file has to pass the rule too.
const unfinished = [
  'TO' + 'DO',
  'FIX' + 'ME',
  'X' + 'XX',
  'not ' + 'implemented',
  'coming ' + 'soon',
  'place' + 'holder',
];

/** Checks every file of the repository in any language. */
export function wordViolations(source: ReadSource): string[] {
  return find(
    source,
    [{ pattern: new RegExp(`\\b(${unfinished.join('|')})\\b`), is: 'says that it is unfinished' }],
    'text',
  );
}

/** Phrases that hide who does what. */
const vague: Ban = {
  pattern: /\b(whoever|nobody|everybody else|in its stead|(is|are|was|were) told|of whom|[uU]naware of)\b/,
  is: 'says vaguely who does what',
};

const commentedLayers: ReadonlySet<string> = new Set([...sourceLayers, 'tests', 'clients', 'scripts']);

export function commentViolations(source: ReadSource): string[] {
  return commentedLayers.has(layerOf(source.path)) ? find(source, [vague], 'comments') : [];
}

/** Names that differ from the field's own. */
const notOfTheField: Ban = {
  pattern:
    /\b(bury|bury[A-Z]\w*|buried|goOn|[uU]ntold\w*|[tT]oldReferences|[sS]pokenOf|lettered|[lL]ettersInTurn|stirred|madeHead|[cC]ompany)\b/,
  is: 'is not the word of the field',
};
const fileNotOfTheField =
  /(^|[/-])(letters-in-turn|record-letters|told-references|tell-references|made-head|at-once|spoken-of)\./;
/** An operator is a sportsbook, on the wire and in files. The person who runs the service is its administrator. */
const operatorsAsPeople: Ban = { pattern: /\boperators? of (the|this) service\b/i, is: 'means the administrator' };

export function fieldViolations(source: ReadSource): string[] {
  if (!sourceLayers.has(layerOf(source.path))) return [];
  const file =
    fileNotOfTheField.test(source.path) && !/dead-letters/.test(source.path)
      ? [`${source.path}: is not named by the field`]
      : [];
  return [...file, ...find(source, [notOfTheField]), ...find(source, [operatorsAsPeople], 'text')];
}

/** `checkout`: the path of this checkout. No file may contain it or any other path of somebody's machine. */
export function machineViolations(checkout: string): (source: ReadSource) => string[] {
  const home = new RegExp(['(?<![\\w./-])/(', 'home|Users)/[\\w.-]+/|(?<![\\w./-])/', 'root/[\\w.-]+'].join(''));
  const bans: Ban[] = [{ pattern: home, is: 'names a place of one machine' }];
  if (checkout.split('/').length > 2) {
    bans.push({
      pattern: new RegExp(`${checkout.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?=/)`),
      is: 'names this checkout',
    });
  }
  return (source) => find(source, bans, 'text');
}

export function nameViolations({ path }: ReadSource): string[] {
  if (!/\.m?ts$|\.mjs$/.test(path)) return [];
  const name = path.slice(path.lastIndexOf('/') + 1);
  const found = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*\.(ts|mts|mjs)$/.test(name) ? [] : [`${path}: is not kebab-case`];
  if (/\.test\.ts$/.test(path) && !/^tests\/.+\.(unit|prop|sim|contract|service|e2e)\.test\.ts$/.test(path)) {
    found.push(`${path}: a test stands in tests/ and says by its suffix what it needs`);
  }
  return found;
}

/** A program's root holds only what starts it; other files are in a folder named after their purpose. */
const startFiles: ReadonlySet<string> = new Set(['api/server.ts', 'ops/cli.ts']);

export function rootViolations({ path }: ReadSource): string[] {
  const isLoose = /^(api|ingest|ops|projectors)\/[^/]+\.m?ts$/.test(path) && !startFiles.has(path);
  return isLoose ? [`${path}: stands loose in the root of its program`] : [];
}

const looseTests: readonly Ban[] = [
  { pattern: /\b(it|test|describe|suite)\.(skip|only|todo)\s*\(/, is: 'leaves tests out' },
  { pattern: /\b(only|todo):\s*(true|['"`])/, is: 'leaves tests out' },
  { pattern: /\bskip:\s*(true|['"`])|\bskipFor\(\s*['"`]/, is: 'skips without asking for the service that is missing' },
  { pattern: /\.skip\(\s*['"`)]/, is: 'skips without asking for the service that is missing' },
];

/**
 * On a busy machine the clock says nothing about a test: limits are counted in the CPU time of the test's process, and
 * the time limit of its file ends a test that hangs.
 */
const clockLimits: readonly Ban[] = [
  { pattern: /\btimeout:\s*[\d_]+[^{}]*\}\s*,\s*(async\b|\()/, is: 'limits the time of a test' },
  { pattern: /\n\s*\},\s*\d[\d_]{3,}\s*\);/, is: 'limits the time of a test or a hook' },
  {
    pattern: /\b(performance|Date)\.now\(\)\s*-\s*\w+\s*<=?/,
    is: 'limits time by the clock (tests/support/processes/own-time.ts)',
  },
];

export function testViolations(source: ReadSource): string[] {
  return /\.test\.ts$/.test(source.path) ? find(source, [...looseTests, ...clockLimits]) : [];
}
